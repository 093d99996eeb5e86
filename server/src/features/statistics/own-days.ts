import type { DayTotals } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { everyDay, firstOfLastDays } from './last-days.ts';

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
