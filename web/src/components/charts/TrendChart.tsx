import { type PointerEvent, useState } from 'react';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from '../texts.ts';
import { BarTooltip, onMouseLeave, signColours } from './BarTooltip.tsx';
import classes from './Charts.module.css';
import { axisPositionOf, axisTicks, type BarPart, type TrendBar } from './chart-values.ts';

interface TrendChartProps {
  readonly bars: readonly TrendBar[];
  readonly weekly: boolean;
}

const namesMax = { wide: 8, narrow: 3 };

/** Shows points by day or week, also by category. Has no text for screen readers: sentences or tables say the same. */
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
  /** Returns whether a day has a label. Counts from the newest day, which always has one. */
  const isNamed = (index: number, max: number) =>
    (bars.length - 1 - index) % Math.ceil(bars.length / max) === 0;
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * bars.length);
    setPointed(index in bars ? index : null);
  };
  const shown = pointed === null ? undefined : bars[pointed];
  const signLines = ({ plus, minus }: TrendBar) => [
    [signColours.plus, t('plus'), format.signed(plus)] as const,
    [signColours.minus, t('minus'), format.signed(minus)] as const,
  ];
  const partLines = (parts: readonly BarPart[]) =>
    parts
      .filter(({ plus, minus }) => plus > 0 || minus < 0)
      .map(({ name, colour, plus, minus }) => {
        const values = [plus, minus].filter((value) => value !== 0).map(format.signed);
        return [colour, name, values.join(' ')] as const;
      });
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
            lines={shown.parts ? partLines(shown.parts) : signLines(shown)}
            style={{
              left: `clamp(70px, ${((pointed + 0.5) / bars.length) * 100}%, calc(100% - 70px))`,
              top: 0,
            }}
          />
        )}
        {bars.map((bar, index) => (
          <div key={bar.date} className={classes.column} data-hovered={index === pointed || undefined}>
            <Segments bar={bar} sign={1} place={place} />
            <Segments bar={bar} sign={-1} place={place} />
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

interface SegmentsProps {
  readonly bar: TrendBar;
  readonly sign: 1 | -1;
  readonly place: (value: number) => number;
}

/** The part of a bar on one side of the zero line. */
function Segments({ bar, sign, place }: SegmentsProps) {
  const side = sign === 1 ? 'plus' : 'minus';
  const whole = { id: null, colour: signColours[side], plus: bar.plus, minus: bar.minus };
  let end = 0;
  return (bar.parts ?? [whole]).map((part) => {
    const start = place(end);
    end += part[side];
    return (
      <div
        key={part.id}
        className={classes.bar}
        data-sign={sign}
        style={{
          bottom: `${Math.min(start, place(end))}%`,
          height: `${Math.abs(place(end) - start)}%`,
          background: part.colour,
        }}
        data-part={bar.parts && part[side] !== 0 ? true : undefined}
      />
    );
  });
}
