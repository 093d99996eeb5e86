import type { ReactNode } from 'react';
import classes from './ListLine.module.css';

interface ListLineProps {
  /** Empty while it is unknown. */
  readonly count: string;
  readonly children?: ReactNode;
}

/** Shows the number of entries above a list; children stand at the other end. */
export function ListLine({ count, children }: ListLineProps) {
  return (
    <div className={classes.line}>
      <output>{count}</output>
      {children}
    </div>
  );
}
