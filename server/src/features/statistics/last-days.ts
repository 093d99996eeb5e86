import type { DayTotals } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';

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

/**
 * What the live records of one student in the range add up to on each of the last UTC days, today included: oldest
 * first, days without a record too.
 */
export async function ownDays(
  data: SchoolData,
  studentId: number,
  days: number,
  at: Date,
): Promise<DayTotals[]> {
  const found = await data
    .recordsAlone()
    .where('r.student_id', '=', studentId)
    .where('r.created_at', '>=', `${firstOfLastDays(days, at)}T00:00:00.000Z`)
    .select([
      sql<string>`(r.created_at AT TIME ZONE 'UTC')::date`.as('date'),
      sql<number>`count(*)`.as('count'),
      sql<number>`sum(r.score_change)`.as('totalScore'),
      sql<number>`coalesce(sum(r.score_change) FILTER (WHERE r.score_change > 0), 0)`.as('addScore'),
      sql<number>`coalesce(sum(r.score_change) FILTER (WHERE r.score_change < 0), 0)`.as('deductScore'),
    ])
    .groupBy(sql`1`)
    .execute();
  return everyDay(found, days, at);
}
