import type { RowOf } from '../../api/operation-types.ts';

type Day = Pick<RowOf<'listOwnDayTotals'>, 'date' | 'totalScore'>;

/** The total at the end of a day; in the first entry, the total at the start of that day. */
export interface DayTotal {
  readonly date: string;
  readonly total: number;
}

/** Counts back from the current total. @param days oldest first, up to today */
export function dailyTotals(days: readonly Day[], present: number): DayTotal[] {
  let total = present;
  const ends = days
    .toReversed()
    .map(({ date, totalScore }) => {
      const end = { date, total };
      total -= totalScore;
      return end;
    })
    .reverse();
  const [first] = ends;
  return first ? [{ date: first.date, total }, ...ends] : [];
}

/** A point of the chart. Both values go from 0 to 1, and y grows downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Spreads the totals over the whole width and height; equal totals lie in the middle. */
export function chartPointsOf(ends: readonly DayTotal[]): Point[] {
  const totals = ends.map(({ total }) => total);
  const lowest = Math.min(...totals);
  const range = Math.max(...totals) - lowest;
  return totals.map((total, i) => ({
    x: totals.length > 1 ? i / (totals.length - 1) : 1,
    y: range === 0 ? 0.5 : 1 - (total - lowest) / range,
  }));
}
