import type { CSSProperties, PointerEvent } from 'react';
import classes from './Charts.module.css';

interface BarTooltipProps {
  readonly title: string;
  readonly lines: readonly (readonly [sign: 1 | -1, name: string, value: string])[];
  readonly style: CSSProperties;
}

export function BarTooltip({ title, lines, style }: BarTooltipProps) {
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

/** Hides a value when the mouse leaves, but not when a finger is lifted, because people then read the value. */
export const onMouseLeave =
  (clear: () => void) =>
  ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') clear();
  };
