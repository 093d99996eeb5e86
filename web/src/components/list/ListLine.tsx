import type { ReactNode } from 'react';
import classes from './ListLine.module.css';

interface ListLineProps {
  readonly count: string;
  readonly children?: ReactNode;
}

export function ListLine({ count, children }: ListLineProps) {
  return (
    <div className={classes.line}>
      <output>{count}</output>
      {children}
    </div>
  );
}
