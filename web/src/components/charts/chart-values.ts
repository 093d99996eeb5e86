import type { DayTotals } from '@classledger/contract';

export interface TrendBar {
  readonly date: string;
  readonly plus: number;
  readonly minus: number;
  /** The bar split by category, from the zero line outwards. */
  readonly parts?: readonly BarPart[];
}

export interface BarPart {
  readonly id: number | null;
  readonly name: string;
  readonly colour: string;
  readonly plus: number;
  readonly minus: number;
}

export function trendBars(days: readonly DayTotals[], daysPerBar: number): TrendBar[] {
  const bars: TrendBar[] = [];
  for (let end = days.length; end > 0; end -= daysPerBar) {
    const inBar = days.slice(Math.max(0, end - daysPerBar), end);
    bars.unshift({
      date: inBar[0]?.date ?? '',
      plus: inBar.reduce((sum, { addScore }) => sum + addScore, 0),
      minus: inBar.reduce((sum, { deductScore }) => sum + deductScore, 0),
    });
  }
  return bars;
}

/** Returns equally spaced round numbers for a chart's lines. They include zero and span all values. */
export function axisTicks(values: readonly number[], { whole }: { readonly whole: boolean }): number[] {
  const least = Math.min(0, ...values);
  const greatest = Math.max(0, ...values);
  const step = roundTickStep((greatest - least) / 4, whole);
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(greatest / step), first + 1);
  // Multiplies instead of adding the step repeatedly, which would add up rounding errors.
  return Array.from({ length: last - first + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

/** Returns 1, 2 or 5 times a power of ten, not below `wanted`. */
function roundTickStep(wanted: number, whole: boolean): number {
  if (wanted <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = ([1, 2, 5].find((factor) => factor * power >= wanted) ?? 10) * power;
  return whole ? Math.max(1, step) : step;
}

/** Returns a function that gives a value's position between the first and the last step, in percent. */
export function axisPositionOf(steps: readonly number[]): (value: number) => number {
  const first = steps[0] ?? 0;
  const last = steps.at(-1) ?? 1;
  return (value) => ((value - first) / (last - first)) * 100;
}
