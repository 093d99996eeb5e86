import { type DayTotals, dayNumberAt, dayText, startOfDay } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';

/** The last of the `days` contains `at`. */
export interface LastDays {
  readonly timeZone: string;
  readonly days: number;
  readonly at: Date;
}

const firstDayNumber = ({ timeZone, days, at }: LastDays) => dayNumberAt(timeZone, at.getTime()) - days + 1;

export const firstOfLastDays = (last: LastDays): string => dayText(firstDayNumber(last));

export const startOfLastDays = (last: LastDays): string =>
  new Date(startOfDay(last.timeZone, firstDayNumber(last))).toISOString();

export function fillMissingDays(found: readonly DayTotals[], last: LastDays): DayTotals[] {
  const byDate = new Map(found.map((day) => [day.date, day]));
  const first = firstDayNumber(last);
  return Array.from({ length: last.days }, (_, back) => {
    const date = dayText(first + back);
    return byDate.get(date) ?? { date, count: 0, totalScore: 0, addScore: 0, deductScore: 0 };
  });
}

export async function listDaysOfStudent(
  data: SchoolData,
  studentId: number,
  last: LastDays,
): Promise<DayTotals[]> {
  const found = await data
    .liveRecords()
    .where('r.student_id', '=', studentId)
    .where('r.created_at', '>=', startOfLastDays(last))
    .select(({ fn }) => [
      sql<string>`(r.created_at AT TIME ZONE ${last.timeZone}::text)::date`.as('date'),
      fn.countAll<number>().as('count'),
      fn.sum<number>('r.score_change').as('totalScore'),
      sql<number>`coalesce(sum(r.score_change) FILTER (WHERE r.score_change > 0), 0)`.as('addScore'),
      sql<number>`coalesce(sum(r.score_change) FILTER (WHERE r.score_change < 0), 0)`.as('deductScore'),
    ])
    .groupBy(sql`1`)
    .execute();
  return fillMissingDays(found, last);
}
