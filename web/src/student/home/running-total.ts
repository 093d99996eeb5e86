import type { RowOf } from '../../api/operation-types.ts';

type Day = Pick<RowOf<'listOwnDayTotals'>, 'date' | 'totalScore'>;

/** The total at one end of a day. */
export interface DayEnd {
  readonly date: string;
  readonly total: number;
}

/**
 * What the total was when the first day began, and at the end of each day, read backwards from the current one.
 * From the first to the last it changes by all that the days brought.
 *
 * @param days oldest first, today included
 */
export function runningTotal(days: readonly Day[], present: number): DayEnd[] {
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

/** A point of a drawing, both from 0 to 1; y grows downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Lays the days out over the whole width and height; a flat line lies in the middle. */
export function pointsOf(ends: readonly DayEnd[]): Point[] {
  const totals = ends.map(({ total }) => total);
  const lowest = Math.min(...totals);
  const range = Math.max(...totals) - lowest;
  return totals.map((total, i) => ({
    x: totals.length > 1 ? i / (totals.length - 1) : 1,
    y: range === 0 ? 0.5 : 1 - (total - lowest) / range,
  }));
}
