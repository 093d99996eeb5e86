import type { ReactNode } from 'react';
import classes from './ListSummary.module.css';

interface ListSummaryProps {
  readonly count: string;
  readonly children?: ReactNode;
}

export function ListSummary({ count, children }: ListSummaryProps) {
  return (
    <div className={classes.line}>
      <output>{count}</output>
      {children}
    </div>
  );
}
