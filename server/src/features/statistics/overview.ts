import type { Overview } from '@classledger/contract';
import { dayNumberAt, limits, startOfDay } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import { defaultArchivedFilter } from '../../access/archived.ts';
import { scopeTypeOf } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { runOnSlowPool } from '../../database/caller.ts';
import { sumOf } from '../../database/expressions.ts';
import { literalLimit } from '../../database/page.ts';
import { type RecordFilter, type RecordSums, sumRecords, sumsByStudent } from '../scores/count-records.ts';
import { hasCategoriesIn, totalsOfClasses } from './category-sums.ts';

export interface DateRange {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** Returns the dates for the answer: a day as the instant that it means, a full time as it was sent. */
export function rangeForAnswer(
  dates: DateRange,
  sent: { readonly startDate?: unknown; readonly endDate?: unknown },
) {
  const shown = (instant: string | undefined, text: unknown) =>
    instant === undefined ? null : typeof text === 'string' && text.includes(':') ? text : instant;
  return { startDate: shown(dates.startDate, sent.startDate), endDate: shown(dates.endDate, sent.endDate) };
}

/** Applies dates only to sums and leaders, which then include a whole school's archived classes. */
export async function readOverview(data: SchoolData, dates: DateRange, now: Date): Promise<Overview> {
  const timeZone = await data.timeZone();
  const today = dayNumberAt(timeZone, now.getTime());
  const [from, tomorrow] = [startOfDay(timeZone, today), startOfDay(timeZone, today + 1)];
  const filter = { from: dates.startDate, to: dates.endDate };
  const isUnbounded = filter.from === undefined && filter.to === undefined;
  const archived = defaultArchivedFilter(data, {});
  const isOpen = archived === undefined ? sql.lit(true) : sql<boolean>`NOT c.archived`;
  const [{ hasCategories, ...classes }, grades, sums, todays, leaders] = await runOnSlowPool(
    !isUnbounded,
    () => {
      const between = sumRecords(data, isUnbounded ? { ...filter, archived } : filter);
      return Promise.all([
        data
          .classesUnjoined()
          .where(isOpen)
          .select(({ fn }) => [
            fn.countAll<number>().as('classCount'),
            sumOf('c.student_count').as('studentCount'),
            sumOf('c.disabled_student_count').as('disabledStudentCount'),
            hasCategoriesIn(data).as('hasCategories'),
          ])
          .executeTakeFirstOrThrow(),
        data
          .grades()
          .$if(archived === false, (grades) => grades.where('g.archived_at', 'is', null))
          .select(({ fn }) => fn.countAll<number>().as('gradeCount'))
          .executeTakeFirstOrThrow(),
        between,
        sumRecords(data, {
          from: new Date(from).toISOString(),
          to: new Date(tomorrow - 1).toISOString(),
          archived: isUnbounded ? archived : undefined,
        }),
        isUnbounded ? leadersOfAllTime(data, isOpen) : leadersBetween(data, filter, between),
      ]);
    },
  );
  const place = isUnbounded ? { archived } : filter;
  const byCategory = hasCategories
    ? await runOnSlowPool(!isUnbounded, () => totalsOfClasses(data, place))
    : [];
  return {
    scope: { type: scopeTypeOf(data.range), gradeId: data.range.gradeId, classId: data.range.classId },
    range: { startDate: dates.startDate ?? null, endDate: dates.endDate ?? null },
    structure: { ...grades, ...classes },
    scores: {
      totalScore: sums.added + sums.deducted,
      addScore: sums.added,
      deductScore: sums.deducted,
      recordCount: sums.records,
      todayRecordCount: todays.records,
    },
    byCategory,
    topStudents: leaders.map((leader, i) => ({ rank: i + 1, ...leader })),
  };
}

export const leaderFields = [
  's.id',
  's.username',
  's.actual_name as actualName',
  'c.id as classId',
  'c.name as className',
] as const;

function leadersOfAllTime(data: SchoolData, isOpen: RawBuilder<boolean>) {
  return data
    .students()
    .where('s.score_count', '>', 0)
    .where(isOpen)
    .select([...leaderFields, 's.total_score as totalScore', 's.score_count as scoreCount'])
    .orderBy('s.total_score', 'desc')
    .orderBy('s.id')
    .limit(limits.topStudentsMax)
    .execute();
}

/** Sums before joining names, which is many times faster. Sums the records outside the dates when these are fewer. */
async function leadersBetween(
  data: SchoolData,
  filter: Pick<RecordFilter, 'from' | 'to'>,
  sums: Promise<RecordSums>,
) {
  const [between, all] = await Promise.all([sums, sumRecords(data, {})]);
  const isInside = 2 * between.records <= all.records;
  const own = sql`coalesce(sums."totalScore", 0)`;
  const ownCount = sql`coalesce(sums."scoreCount", 0)`;
  const total = isInside ? own : sql`s.total_score - ${own}`;
  const count = isInside ? ownCount : sql`s.score_count - ${ownCount}`;
  const joined = sql`LEFT JOIN (${sumsByStudent(data, filter, isInside)}) sums ON sums.student_id = s.id`;
  return data.execute(sql<Overview['topStudents'][number]>`
    SELECT s.id, s.username, s.actual_name AS "actualName", c.id AS "classId", c.name AS "className",
      ${total} AS "totalScore", ${count} AS "scoreCount"
    ${data.fromStudents([sql`${count} > 0`], joined)}
    ORDER BY "totalScore" DESC, s.id LIMIT ${literalLimit(limits.topStudentsMax)}`);
}
