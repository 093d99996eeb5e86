import { type PointerEvent, useState } from 'react';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from '../texts.ts';
import { BarTooltip, onMouseLeave } from './BarTooltip.tsx';
import classes from './Charts.module.css';
import { axisPositionOf, axisTicks, type TrendBar } from './chart-values.ts';

interface TrendChartProps {
  readonly bars: readonly TrendBar[];
  readonly weekly: boolean;
}

const namesMax = { wide: 8, narrow: 3 };

/** Shows points by day or week. Has no text for screen readers, because the sentence above it says the same. */
export function TrendChart({ bars, weekly }: TrendChartProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const [pointed, setPointed] = useState<number | null>(null);
  const nameOf = ({ date }: TrendBar) => format.shortDay(date);
  const steps = axisTicks(
    bars.flatMap(({ plus, minus }) => [plus, minus]),
    { whole: true },
  );
  const widest = Math.max(...steps.map((step) => format.signed(step).length));
  const place = axisPositionOf(steps);
  const zero = place(0);
  /** Returns whether a day has a label. Counts from the newest day, which always has one. */
  const isNamed = (index: number, max: number) =>
    (bars.length - 1 - index) % Math.ceil(bars.length / max) === 0;
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * bars.length);
    setPointed(index in bars ? index : null);
  };
  const shown = pointed === null ? undefined : bars[pointed];
  return (
    <div className={classes.trend}>
      <div className={classes.values} style={{ width: `${widest}ch` }}>
        {steps.map((step) => (
          <span key={step} style={{ bottom: `${place(step)}%` }}>
            {format.signed(step)}
          </span>
        ))}
      </div>
      <div
        className={classes.plot}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={onMouseLeave(() => setPointed(null))}
      >
        {steps.map((step) => (
          <div key={step} className={classes.line} style={{ bottom: `${place(step)}%` }} />
        ))}
        {shown && pointed !== null && (
          <BarTooltip
            title={weekly ? t('weekFrom', { date: nameOf(shown) }) : nameOf(shown)}
            lines={[
              [1, t('plus'), format.signed(shown.plus)],
              [-1, t('minus'), format.signed(shown.minus)],
            ]}
            style={{
              left: `clamp(70px, ${((pointed + 0.5) / bars.length) * 100}%, calc(100% - 70px))`,
              top: 0,
            }}
          />
        )}
        {bars.map((bar, index) => (
          <div key={bar.date} className={classes.column} data-hovered={index === pointed || undefined}>
            <div
              className={classes.bar}
              data-sign={1}
              style={{ bottom: `${zero}%`, height: `${place(bar.plus) - zero}%` }}
            />
            <div
              className={classes.bar}
              data-sign={-1}
              style={{ top: `${100 - zero}%`, height: `${zero - place(bar.minus)}%` }}
            />
            <span
              className={classes.dayName}
              data-wide={isNamed(index, namesMax.wide) || undefined}
              data-narrow={isNamed(index, namesMax.narrow) || undefined}
            >
              {nameOf(bar)}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}
