import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DialogFooter.module.css';

interface DialogFooterProps {
  /** Why the form was refused; null when it was not. */
  readonly failure: ReactNode;
  /** The buttons; the most important one last. */
  readonly children: ReactNode;
}

/** The end of a long form in a dialog, which stays in sight while the form is scrolled. */
export function DialogFooter({ failure, children }: DialogFooterProps) {
  return (
    <div className={classes.footer}>
      {failure}
      <Group justify="flex-end">{children}</Group>
    </div>
  );
}
