import type { DayTotals } from '@classledger/contract';

const dayMs = 86_400_000;

/** The UTC day, as YYYY-MM-DD, with which the last days begin; the day of `at` is the last of them. */
export function firstOfLastDays(days: number, at: Date): string {
  const today = Math.floor(at.getTime() / dayMs);
  return new Date((today - days + 1) * dayMs).toISOString().slice(0, 10);
}

/** One entry for each of the last days, oldest first: what was found for it, or zeros. */
export function everyDay(found: readonly DayTotals[], days: number, at: Date): DayTotals[] {
  const byDate = new Map(found.map((day) => [day.date, day]));
  const first = Date.parse(firstOfLastDays(days, at));
  return Array.from({ length: days }, (_, back) => {
    const date = new Date(first + back * dayMs).toISOString().slice(0, 10);
    return byDate.get(date) ?? { date, count: 0, totalScore: 0, addScore: 0, deductScore: 0 };
  });
}
