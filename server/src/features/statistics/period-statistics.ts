import {
  type DayStatistics,
  dayNumberAt,
  dayNumberOf,
  dayText,
  type ExternalOperations,
  type Query,
} from '@classledger/contract';
import { sql } from 'kysely';
import { resolveDateRange } from '../../access/date-range.ts';
import { andAll, type SchoolData } from '../../access/school-data.ts';
import { runOnSlowPool } from '../../database/caller.ts';
import { anyOf } from '../../database/expressions.ts';
import { ListResult, type Slice } from '../../database/page.ts';
import { invalidValue } from '../../errors/app-error.ts';
import { listClasses } from '../structure/classes.ts';
import { listStudents } from '../students/list-students.ts';

/** Lists sums of the current term, of a period if one is given (docs/contract.md, Statistics). */

type PageSlice = Slice & { readonly limit: number };

/** Days in the time zone of the school, both included. */
interface Period {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** @throws AppError invalid_value */
function requirePeriod({ from, to }: Period): void {
  if (from !== undefined && to !== undefined && from > to) throw invalidValue('from is after to');
}

const hasNoBounds = ({ from, to }: Period) => from === undefined && to === undefined;

type Totals = Omit<DayStatistics, 'date'>;
const noTotals: Totals = { totalScore: 0, addScore: 0, deductScore: 0, scoreCount: 0 };

/** @throws AppError invalid_value */
export async function listStudentStatistics(
  data: SchoolData,
  { classId, gradeId, order = 'asc', ...period }: Query<ExternalOperations['listStudentStatistics']>,
  slice: PageSlice,
) {
  requirePeriod(period);
  const page = await listStudents(data, { classId, gradeId }, { by: 'id', direction: order }, slice);
  return hasNoBounds(period) ? page : withSums(page, (ids) => sumRecordsOfStudents(data, ids, period));
}

/** @throws AppError invalid_value */
export async function listClassStatistics(
  data: SchoolData,
  { gradeId, archived, order, ...period }: Query<ExternalOperations['listClassStatistics']>,
  slice: PageSlice,
) {
  requirePeriod(period);
  const page = await listClasses(data, { gradeId, archived, order }, slice);
  return hasNoBounds(period) ? page : withSums(page, (ids) => sumDaysOfClasses(data, ids, period));
}

/** Replaces the totals of a page's entries, so that only these entries need sums. */
async function withSums<Entry extends { readonly id: number }>(
  page: ListResult<Entry>,
  sum: (ids: readonly number[]) => Promise<readonly (Totals & { readonly id: number })[]>,
): Promise<ListResult<Entry & Totals>> {
  const sums = await runOnSlowPool(true, () => sum(page.list.map(({ id }) => id)));
  const byId = new Map(sums.map((found) => [found.id, found]));
  return page.map((entry) => ({ ...entry, ...(byId.get(entry.id) ?? noTotals) }));
}

/** Reads only the index of each student's records. */
async function sumRecordsOfStudents(data: SchoolData, ids: readonly number[], period: Period) {
  const { from, to } = await resolveDateRange(data, { startDate: period.from, endDate: period.to });
  const between = andAll([
    from === undefined ? undefined : sql`r.created_at >= ${from}`,
    to === undefined ? undefined : sql`r.created_at <= ${to}`,
  ]);
  return data.execute(sql<Totals & { id: number }>`
    SELECT s.id, sums.* FROM unnest(${ids}::bigint[]) AS s (id), LATERAL (
      SELECT coalesce(sum(r.score_change), 0)::bigint AS "totalScore",
        coalesce(sum(r.score_change) FILTER (WHERE r.score_change > 0), 0)::bigint AS "addScore",
        coalesce(sum(r.score_change) FILTER (WHERE r.score_change < 0), 0)::bigint AS "deductScore",
        count(*) AS "scoreCount"
      FROM score_record r
      WHERE r.school_id = ${data.schoolId} AND r.student_id = s.id AND r.live ${between}
    ) AS sums`);
}

const sumsOfDays = sql`coalesce(sum(t.add_score + t.deduct_score), 0)::bigint AS "totalScore",
  coalesce(sum(t.add_score), 0)::bigint AS "addScore",
  coalesce(sum(t.deduct_score), 0)::bigint AS "deductScore",
  coalesce(sum(t.record_count), 0)::bigint AS "scoreCount"`;

const daysBetween = ({ from, to }: Period) =>
  andAll([
    from === undefined ? undefined : sql`t.day >= ${from}::date`,
    to === undefined ? undefined : sql`t.day <= ${to}::date`,
  ]);

const sumDaysOfClasses = (data: SchoolData, ids: readonly number[], period: Period) =>
  data.execute(sql<Totals & { id: number }>`
    SELECT t.class_id AS id, ${sumsOfDays} FROM class_day t
    WHERE t.school_id = ${data.schoolId} AND t.class_id = ${anyOf(ids)} ${daysBetween(period)}
    GROUP BY t.class_id`);

type DayQuery = Query<ExternalOperations['listDayStatistics']>;

/** The `id` of an entry, for cursors, is the number of its day. @throws AppError invalid_value */
export async function listDayStatistics(
  data: SchoolData,
  { order = 'asc', ...query }: DayQuery,
  at: Date,
  { offset, limit, after }: PageSlice,
): Promise<ListResult<DayStatistics & { readonly id: number }>> {
  requirePeriod(query);
  const days = await findDays(data, query, at);
  if (order === 'desc') days.reverse();
  const left = after
    ? days.filter((day) => (order === 'asc' ? day > after.id : day < after.id))
    : days.slice(offset);
  const page = left.slice(0, limit);
  if (page.length === 0) return new ListResult([], days.length);
  const bounds = { from: dayText(Math.min(...page)), to: dayText(Math.max(...page)) };
  const found = await data.execute(sql<DayStatistics>`
    SELECT t.day AS date, ${sumsOfDays} ${fromDays(data, query)} ${daysBetween(bounds)} GROUP BY t.day`);
  const byDate = new Map(found.map((sums) => [sums.date, sums]));
  const list = page.map((id) => ({ id, ...noTotals, date: dayText(id), ...byDate.get(dayText(id)) }));
  return new ListResult(list, days.length);
}

/** Returns the numbers of the days in the period, from the first one that has records until today. */
async function findDays(data: SchoolData, query: DayQuery, at: Date): Promise<number[]> {
  const [found] = await data.execute(sql<{ day: string | null }>`
    SELECT min(t.day) AS day ${fromDays(data, query)} AND t.record_count > 0`);
  if (!found?.day) return [];
  const today = dayNumberAt(await data.timeZone(), at.getTime());
  const first = Math.max(dayNumberOf(found.day), dayNumberOf(query.from ?? found.day));
  const last = query.to === undefined ? today : Math.min(dayNumberOf(query.to), today);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

/** Leaves out the classes if they do not narrow the days, because the join would take most of the time. */
function fromDays(data: SchoolData, { classId, gradeId }: DayQuery) {
  if (data.isWholeSchool && classId === undefined && gradeId === undefined)
    return sql`FROM class_day t WHERE t.school_id = ${data.schoolId}`;
  const conditions = [
    classId === undefined ? undefined : sql`c.id = ${classId}`,
    gradeId === undefined ? undefined : sql`c.grade_id = ${gradeId}`,
  ];
  const ofClasses = sql`JOIN class_day t ON t.school_id = c.school_id AND t.class_id = c.id`;
  return data.fromClasses(conditions, ofClasses);
}
