import { dayNumberAt, dayNumberOf, dayText, startOfDay } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import { andAll, type Conditions, type SchoolData } from '../../access/school-data.ts';

export interface RecordFilter {
  readonly studentId?: number | undefined;
  readonly username?: string | undefined;
  readonly classId?: number | undefined;
  readonly gradeId?: number | undefined;
  /** False leaves out archived classes in sums of classes; other sums ignore it. */
  readonly archived?: false | undefined;
  readonly type?: 'add' | 'deduct' | undefined;
  readonly categoryId?: number | undefined;
  /** UTC ISO text with milliseconds; both bounds are included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly pattern?: string | undefined;
  readonly adminId?: number | undefined;
  readonly tokenId?: number | undefined;
  /** Selects revoked records, or with `termId` those of a closed term, instead of live ones. */
  readonly state?: 'revoked' | undefined;
  readonly termId?: number | undefined;
  /** The cursor condition of a page; sums and counts must not include it. */
  readonly cursorCondition?: RawBuilder<unknown> | undefined;
}

export interface RecordSums {
  readonly records: number;
  readonly added: number;
  readonly deducted: number;
}

const earliestDay = dayNumberOf('0001-01-01');
const latestDay = dayNumberOf('9999-12-31');

/** Sums live records from the stored totals of classes and days where possible, otherwise from the records. */
export async function sumRecords(data: SchoolData, filter: RecordFilter): Promise<RecordSums> {
  const { from, to } = filter;
  if (isForOneStudent(filter) || filter.pattern !== undefined || !hasStoredSums(filter))
    return sumLog(data, filter);
  if (hasStoredCount(filter)) return sumClasses(data, filter);

  const whole = splitIntoWholeDays(await data.timeZone(), from, to);
  const parts = [sumDays(data, filter, whole.firstDay, whole.lastDay)];
  for (const edge of whole.edges) parts.push(sumLog(data, { ...filter, ...edge }));
  const sums = await Promise.all(parts);
  return {
    records: sums.reduce((sum, part) => sum + part.records, 0),
    added: sums.reduce((sum, part) => sum + part.added, 0),
    deducted: sums.reduce((sum, part) => sum + part.deducted, 0),
  };
}

/** Splits a range into the whole days of a time zone (null: no bound) and the partial days at its edges. */
export function splitIntoWholeDays(
  timeZone: string,
  from: string | undefined,
  to: string | undefined,
): { firstDay: string | null; lastDay: string | null; edges: { from: string; to: string }[] } {
  const start = from === undefined ? null : Date.parse(from);
  const end = to === undefined ? null : Date.parse(to) + 1;
  const startDay = start === null ? null : dayNumberAt(timeZone, start);
  const isWhole = startDay === null || startOfDay(timeZone, startDay) === start;
  const first = startDay === null || isWhole ? startDay : startDay + 1;
  const dayAfter = end === null ? null : dayNumberAt(timeZone, end);
  const last = dayAfter === null ? null : dayAfter - 1;
  const edges: { from: string; to: string }[] = [];
  if (first !== null && last !== null && first > last) {
    edges.push({ from: from as string, to: to as string });
  } else {
    if (first !== null && !isWhole)
      edges.push({ from: from as string, to: endOfDayText(timeZone, first - 1) });
    if (dayAfter !== null && startOfDay(timeZone, dayAfter) !== end) {
      edges.push({ from: startOfDayText(timeZone, dayAfter), to: to as string });
    }
  }
  return {
    firstDay: first === null ? null : sqlDay(first),
    lastDay: last === null ? null : sqlDay(last),
    edges,
  };
}

const startOfDayText = (timeZone: string, day: number) => new Date(startOfDay(timeZone, day)).toISOString();
const endOfDayText = (timeZone: string, day: number) =>
  new Date(startOfDay(timeZone, day + 1) - 1).toISOString();

/** Formats a day for PostgreSQL; days outside of the years 1 to 9999 become infinite. */
const sqlDay = (day: number) =>
  day < earliestDay ? '-infinity' : day > latestDay ? 'infinity' : dayText(day);

export const isForOneStudent = ({ studentId, username }: RecordFilter) =>
  studentId !== undefined || username !== undefined;

/** Returns whether a filter selects live records. Only these have stored sums; other lists are assumed short. */
export const selectsLiveRecords = ({ state, termId }: RecordFilter) =>
  state === undefined && termId === undefined;

const hasStoredSums = (filter: RecordFilter) =>
  selectsLiveRecords(filter) && filter.adminId === undefined && filter.tokenId === undefined;

const studentConditions = ({ studentId, username, classId, gradeId, pattern }: RecordFilter): Conditions => [
  studentId === undefined ? undefined : sql`s.id = ${studentId}`,
  username === undefined ? undefined : sql`s.username = ${username}`,
  classId === undefined ? undefined : sql`c.id = ${classId}`,
  gradeId === undefined ? undefined : sql`c.grade_id = ${gradeId}`,
  pattern === undefined ? undefined : sql`(s.username ILIKE ${pattern} OR s.actual_name ILIKE ${pattern})`,
];

const recordConditions = ({
  type,
  categoryId,
  from,
  to,
  adminId,
  tokenId,
  cursorCondition,
}: RecordFilter): Conditions => [
  type && (type === 'add' ? sql`r.score_change > 0` : sql`r.score_change < 0`),
  categoryId === undefined ? undefined : sql`r.category_id = ${categoryId}`,
  from === undefined ? undefined : sql`r.created_at >= ${from}`,
  to === undefined ? undefined : sql`r.created_at <= ${to}`,
  adminId === undefined ? undefined : sql`r.admin_id = ${adminId}`,
  tokenId === undefined ? undefined : sql`r.token_id = ${tokenId}`,
  cursorCondition,
];

export const fromStudents = (data: SchoolData, filter: RecordFilter, joined = sql``) =>
  data.fromStudents(studentConditions(filter), joined);

const fromClasses = (
  data: SchoolData,
  { classId, gradeId, archived }: RecordFilter,
  joined = sql``,
  more: Conditions = [],
) => {
  const open = archived === undefined ? undefined : sql`NOT c.archived`;
  return data.fromClasses([...studentConditions({ classId, gradeId }), open, ...more], joined);
};

export function hasStoredCount(filter: RecordFilter): boolean {
  const { from, to, type, categoryId } = filter;
  const narrows = [from, to, type, categoryId].some((value) => value !== undefined);
  return !narrows && hasStoredSums(filter);
}

export function storedCountQuery(data: SchoolData, filter: RecordFilter): RawBuilder<{ total: number }> {
  if (isForOneStudent(filter)) return sql`SELECT s.score_count AS total ${fromStudents(data, filter)}`;
  if (filter.pattern !== undefined) {
    return sql`SELECT coalesce(sum(s.score_count), 0)::bigint AS total ${fromStudents(data, filter)}`;
  }
  return sql`SELECT coalesce(sum(c.record_count), 0)::bigint AS total ${fromClasses(data, filter)}`;
}

const sumClasses = (data: SchoolData, filter: RecordFilter) =>
  readSums(
    data,
    sql`SELECT coalesce(sum(c.record_count), 0)::bigint AS records,
      coalesce(sum(c.add_score), 0)::bigint AS added,
      coalesce(sum(c.deduct_score), 0)::bigint AS deducted
    ${fromClasses(data, filter)}`,
  );

function sumDays(data: SchoolData, filter: RecordFilter, firstDay: string | null, lastDay: string | null) {
  const { type } = filter;
  return readSums(
    data,
    sql`SELECT coalesce(sum(${dayCount(filter)}), 0)::bigint AS records,
      coalesce(sum(${type === 'deduct' ? sql`0` : sql`t.add_score`}), 0)::bigint AS added,
      coalesce(sum(${type === 'add' ? sql`0` : sql`t.deduct_score`}), 0)::bigint AS deducted
    ${fromDays(data, filter, firstDay, lastDay)}`,
  );
}

const dayCount = ({ type }: RecordFilter) =>
  type === 'add' ? sql`t.add_count` : type === 'deduct' ? sql`t.deduct_count` : sql`t.record_count`;

/** Selects stored sums of days as `t`: of one category with `categoryId`, of each category with `ofCategories`. */
export function fromDays(
  data: SchoolData,
  filter: RecordFilter,
  firstDay: string | null,
  lastDay: string | null,
  ofCategories?: RawBuilder<unknown>,
) {
  const { categoryId } = filter;
  const table = categoryId === undefined && !ofCategories ? sql`class_day` : sql`class_day_category`;
  const days = sql`JOIN ${table} t ON t.school_id = c.school_id AND t.class_id = c.id ${ofCategories ?? sql``}`;
  return fromClasses(data, filter, days, [
    categoryId === undefined ? undefined : sql`t.category_id = ${categoryId}`,
    firstDay === null ? undefined : sql`t.day >= ${firstDay}`,
    lastDay === null ? undefined : sql`t.day <= ${lastDay}`,
  ]);
}

/** Narrows a list by time to the days of a page, to read fewer records. Returns the offset within these days. */
export async function narrowToDaysOfPage(
  data: SchoolData,
  filter: RecordFilter,
  direction: 'asc' | 'desc',
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ filter: RecordFilter; offset: number }> {
  const timeZone = await data.timeZone();
  const { firstDay, lastDay, edges } = splitIntoWholeDays(timeZone, filter.from, filter.to);
  const isCounted = hasStoredSums(filter) && !isForOneStudent(filter) && filter.pattern === undefined;
  if (!isCounted || edges.length > 0) return { filter, offset };
  const records = sql`sum(${dayCount(filter)})`;
  const upTo = sql`sum(${records}) OVER (ORDER BY t.day ${direction === 'asc' ? sql`ASC` : sql`DESC`})`;
  const [page] = await data.execute(sql<{ first: string | null; last: string; skipped: number }>`
    SELECT min(day) AS first, max(day) AS last, min(skipped)::bigint AS skipped FROM (
      SELECT t.day, ${upTo} - ${records} AS skipped, ${upTo} AS up_to
      ${fromDays(data, filter, firstDay, lastDay)} GROUP BY t.day
    ) days WHERE up_to > ${offset} AND skipped < ${offset + limit}`);
  if (!page || page.first === null) return { filter, offset };
  const days = {
    from: startOfDayText(timeZone, dayNumberOf(page.first)),
    to: endOfDayText(timeZone, dayNumberOf(page.last)),
  };
  return { filter: { ...filter, ...days }, offset: offset - page.skipped };
}

const sumLog = (data: SchoolData, filter: RecordFilter) =>
  readSums(
    data,
    sql`SELECT count(*) AS records, coalesce(sum(greatest(r.score_change, 0)), 0)::bigint AS added,
      coalesce(sum(least(r.score_change, 0)), 0)::bigint AS deducted
    ${selectsLiveRecords(filter) ? fromRecordsUnjoined(data, filter) : fromRecords(data, filter)}`,
  );

async function readSums(data: SchoolData, statement: RawBuilder<RecordSums>): Promise<RecordSums> {
  const [sums] = await data.execute(statement);
  return sums as RecordSums;
}

export function fromRecords(data: SchoolData, filter: RecordFilter, more: Conditions = []) {
  const { state = 'live', termId } = filter;
  return data.fromRecords(termId === undefined ? state : { termId }, [
    ...studentConditions(filter),
    ...recordConditions(filter),
    ...more,
  ]);
}

export const restrictsStudents = ({ range }: SchoolData, filter: RecordFilter) =>
  range.gradeId !== null ||
  range.classId !== null ||
  studentConditions(filter).some((condition) => condition !== undefined);

/** Builds `FROM` and `WHERE` of live records without joins. `walked` makes the planner keep the order of an index. */
export function fromRecordsUnjoined(data: SchoolData, filter: RecordFilter, how: 'any' | 'walked' = 'any') {
  const isOfStudents = sql`r.student_id IN (SELECT s.id ${fromStudents(data, filter)})`;
  // IS TRUE keeps the planner from a join, which would lose the order.
  const ofStudents = how === 'walked' ? sql`(${isOfStudents}) IS TRUE` : isOfStudents;
  return sql`FROM score_record r WHERE r.school_id = ${data.schoolId} AND r.live ${andAll([
    ...recordConditions(filter),
    restrictsStudents(data, filter) ? ofStudents : undefined,
  ])}`;
}

/**
 * Selects live records, but at most `pageEnd` per student, the first by time in the given direction. A page that ends
 * at `pageEnd` needs no others.
 */
export function fromRecordsByStudent(
  data: SchoolData,
  filter: RecordFilter,
  direction: RawBuilder<unknown>,
  pageEnd: number,
) {
  const newest = sql`JOIN LATERAL (
    SELECT * FROM score_record r
    WHERE r.school_id = ${data.schoolId} AND r.student_id = s.id AND r.live ${andAll(recordConditions(filter))}
    ORDER BY r.created_at ${direction}, r.id ${direction}
    LIMIT ${pageEnd}
  ) r ON true`;
  return fromStudents(data, filter, newest);
}

/** Sums the live records between two instants by student; `isInside` false sums all others instead. */
export function sumsByStudent(
  data: SchoolData,
  { from, to }: Pick<RecordFilter, 'from' | 'to'>,
  isInside: boolean,
) {
  const outside = [
    from === undefined ? undefined : sql`r.created_at < ${from}`,
    to === undefined ? undefined : sql`r.created_at > ${to}`,
  ].filter((condition) => condition !== undefined);
  const parts = isInside
    ? [andAll(recordConditions({ from, to }))]
    : outside.map((condition) => andAll([condition]));
  const records = parts.map(
    (part) => sql`SELECT r.student_id, r.score_change ${fromRecordsUnjoined(data, {})} ${part}`,
  );
  return sql`SELECT student_id, sum(score_change)::bigint AS "totalScore", count(*) AS "scoreCount"
    FROM (${sql.join(records, sql` UNION ALL `)}) r GROUP BY student_id`;
}
