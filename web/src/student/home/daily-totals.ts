import type { RowOf } from '../../api/operation-types.ts';

type Day = Pick<RowOf<'listOwnDayTotals'>, 'date' | 'totalScore'>;

/** The total at the end of a day; in the first entry, the total at the start of that day. */
export interface DayTotal {
  readonly date: string;
  readonly total: number;
}

/** Counts back from the current total. @param days oldest first, up to today */
export function dailyTotals(days: readonly Day[], present: number): DayTotal[] {
  let total = days.reduce((rest, { totalScore }) => rest - totalScore, present);
  const start = days.slice(0, 1).map(({ date }) => ({ date, total }));
  const ends = days.map(({ date, totalScore }) => {
    total += totalScore;
    return { date, total };
  });
  return [...start, ...ends];
}

/** Spreads the totals over the chart, from 0 to 1, with y growing downwards; equal totals lie in the middle. */
export function chartPointsOf(ends: readonly DayTotal[]): { readonly x: number; readonly y: number }[] {
  const totals = ends.map(({ total }) => total);
  const lowest = Math.min(...totals);
  const range = Math.max(...totals) - lowest;
  return totals.map((total, i) => ({
    x: totals.length > 1 ? i / (totals.length - 1) : 1,
    y: range === 0 ? 0.5 : 1 - (total - lowest) / range,
  }));
}
