import type { ReactNode } from 'react';
import classes from './ListLine.module.css';

interface ListLineProps {
  /** Empty while it is not known. */
  readonly count: string;
  readonly children?: ReactNode;
}

/** Says above a list how much is in it; what else is to be said or chosen stands at the other end. */
export function ListLine({ count, children }: ListLineProps) {
  return (
    <div className={classes.line}>
      <output>{count}</output>
      {children}
    </div>
  );
}
