import type { ReactNode } from 'react';
import classes from './List.module.css';

interface ListSummaryProps {
  readonly count: string;
  readonly children?: ReactNode;
}

export function ListSummary({ count, children }: ListSummaryProps) {
  return (
    <div className={classes.summary}>
      <output>{count}</output>
      {children}
    </div>
  );
}
