import type { CSSProperties } from 'react';
import classes from './Bars.module.css';

interface BarTipProps {
  readonly title: string;
  /** What each colour stands for, with its value. */
  readonly lines: readonly (readonly [sign: 1 | -1, name: string, value: string])[];
  readonly style: CSSProperties;
}

/** Beside a bar that is pointed at: what it stands for. */
export function BarTip({ title, lines, style }: BarTipProps) {
  return (
    <div className={classes.tip} style={style}>
      <div className={classes.tipTitle}>{title}</div>
      {lines.map(([sign, name, value]) => (
        <div key={name} className={classes.tipLine} data-sign={sign}>
          <span>{name}</span>
          <span>{value}</span>
        </div>
      ))}
    </div>
  );
}
