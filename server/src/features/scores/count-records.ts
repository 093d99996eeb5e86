import { type RawBuilder, sql } from 'kysely';
import { and, type Conditions, type SchoolData } from '../../access/school-data.ts';

export interface RecordFilter {
  readonly studentId?: number | undefined;
  readonly username?: string | undefined;
  readonly classId?: number | undefined;
  readonly gradeId?: number | undefined;
  readonly type?: 'add' | 'deduct' | undefined;
  /** Instants, both included, as UTC ISO text with milliseconds. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** For ILIKE: what the username or the actual name must be like. */
  readonly pattern?: string | undefined;
  /** Who wrote it. */
  readonly adminId?: number | undefined;
  readonly tokenId?: number | undefined;
  /** Revoked records, or those of a closed term, instead of live ones. */
  readonly state?: 'revoked' | undefined;
  readonly termId?: number | undefined;
}

export interface RecordSums {
  readonly records: number;
  readonly added: number;
  readonly deducted: number;
}

const dayMs = 86_400_000;
const earliestDay = Date.parse('0001-01-01T00:00:00.000Z') / dayMs;

/**
 * Counts and adds up live records of a range without reading the log where sums are kept: with the classes, and
 * with the classes' whole UTC days. Only the days that a filter cuts through, and the records of one student, are
 * read from the log by index.
 */
export async function sumRecords(data: SchoolData, filter: RecordFilter): Promise<RecordSums> {
  const { from, to, type } = filter;
  if (isOfOneStudent(filter) || filter.pattern !== undefined || !isSummed(filter))
    return sumLog(data, filter);
  if (from === undefined && to === undefined && !type) return sumClasses(data, filter);

  const whole = wholeDays(from, to);
  const parts = [sumDays(data, filter, whole.firstDay, whole.lastDay)];
  for (const edge of whole.edges) parts.push(sumLog(data, { ...filter, ...edge }));
  const sums = await Promise.all(parts);
  return {
    records: sums.reduce((sum, part) => sum + part.records, 0),
    added: sums.reduce((sum, part) => sum + part.added, 0),
    deducted: sums.reduce((sum, part) => sum + part.deducted, 0),
  };
}

/** Splits a range into whole UTC days (null bounds: open) and the cut days at its edges. */
export function wholeDays(
  from: string | undefined,
  to: string | undefined,
): { firstDay: string | null; lastDay: string | null; edges: { from: string; to: string }[] } {
  const first = from === undefined ? null : Math.ceil(Date.parse(from) / dayMs);
  const last = to === undefined ? null : Math.floor((Date.parse(to) + 1) / dayMs) - 1;
  if (first !== null && last !== null && first > last) {
    // No whole day at all: one piece, unless it touches midnight.
    return {
      firstDay: dayText(first),
      lastDay: dayText(last),
      edges: [{ from: from as string, to: to as string }],
    };
  }
  const edges: { from: string; to: string }[] = [];
  if (first !== null && from !== startOf(first)) {
    edges.push({ from: from as string, to: new Date(first * dayMs - 1).toISOString() });
  }
  if (last !== null && to !== new Date((last + 1) * dayMs - 1).toISOString()) {
    edges.push({ from: startOf(last + 1), to: to as string });
  }
  return {
    firstDay: first === null ? null : dayText(first),
    lastDay: last === null ? null : dayText(last),
    edges,
  };
}

const startOf = (day: number) => new Date(day * dayMs).toISOString();
/**
 * The day as PostgreSQL reads it: the day after 9999-12-31 is written without the ISO plus sign and padding, and the
 * one before 0001-01-01, for which there is no such text, lies before every other.
 */
const dayText = (day: number) =>
  day < earliestDay ? '-infinity' : startOf(day).replace(/^\+0*/, '').replace(/T.*/, '');

export const isOfOneStudent = ({ studentId, username }: RecordFilter) =>
  studentId !== undefined || username !== undefined;

/** Whether a filter leaves live records: the others are in no sum, and no list of them is long. */
export const isLive = ({ state, termId }: RecordFilter) => state === undefined && termId === undefined;

/** Whether the kept sums know what a filter tells records apart by. */
const isSummed = (filter: RecordFilter) =>
  isLive(filter) && filter.adminId === undefined && filter.tokenId === undefined;

/** What narrows students. */
const narrowStudents = ({ studentId, username, classId, gradeId, pattern }: RecordFilter): Conditions => [
  studentId === undefined ? undefined : sql`s.id = ${studentId}`,
  username === undefined ? undefined : sql`s.username = ${username}`,
  classId === undefined ? undefined : sql`c.id = ${classId}`,
  gradeId === undefined ? undefined : sql`c.grade_id = ${gradeId}`,
  pattern === undefined ? undefined : sql`(s.username ILIKE ${pattern} OR s.actual_name ILIKE ${pattern})`,
];

/** What narrows records by themselves. */
const narrowRecords = ({ type, from, to, adminId, tokenId }: RecordFilter): Conditions => [
  type && (type === 'add' ? sql`r.score_change > 0` : sql`r.score_change < 0`),
  from === undefined ? undefined : sql`r.created_at >= ${from}`,
  to === undefined ? undefined : sql`r.created_at <= ${to}`,
  adminId === undefined ? undefined : sql`r.admin_id = ${adminId}`,
  tokenId === undefined ? undefined : sql`r.token_id = ${tokenId}`,
];

/** `FROM` and `WHERE` of the students that a filter leaves. */
export const fromStudents = (data: SchoolData, filter: RecordFilter, joined = sql``) =>
  data.fromStudents(narrowStudents(filter), joined);

const fromClasses = (
  data: SchoolData,
  { classId, gradeId }: RecordFilter,
  joined = sql``,
  more: Conditions = [],
) => data.fromClasses([...narrowStudents({ classId, gradeId }), ...more], joined);

/** Whether the count of a filter is kept as it is, with the students or the classes. */
export function isKeptCount(filter: RecordFilter): boolean {
  const { from, to, type } = filter;
  return from === undefined && to === undefined && type === undefined && isSummed(filter);
}

/** The count that is kept for such a filter, as a query that can be part of another. */
export function keptCount(data: SchoolData, filter: RecordFilter): RawBuilder<{ total: number }> {
  if (isOfOneStudent(filter)) return sql`SELECT s.score_count AS total ${fromStudents(data, filter)}`;
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
  const counted =
    type === 'add' ? sql`t.add_count` : type === 'deduct' ? sql`t.deduct_count` : sql`t.record_count`;
  const days = sql`JOIN class_day t ON t.school_id = c.school_id AND t.class_id = c.id`;
  const between = [
    firstDay === null ? undefined : sql`t.day >= ${firstDay}`,
    lastDay === null ? undefined : sql`t.day <= ${lastDay}`,
  ];
  return readSums(
    data,
    sql`SELECT coalesce(sum(${counted}), 0)::bigint AS records,
      coalesce(sum(${type === 'deduct' ? sql`0` : sql`t.add_score`}), 0)::bigint AS added,
      coalesce(sum(${type === 'add' ? sql`0` : sql`t.deduct_score`}), 0)::bigint AS deducted
    ${fromClasses(data, filter, days, between)}`,
  );
}

const sumLog = (data: SchoolData, filter: RecordFilter) =>
  readSums(
    data,
    sql`SELECT count(*) AS records, coalesce(sum(greatest(r.score_change, 0)), 0)::bigint AS added,
      coalesce(sum(least(r.score_change, 0)), 0)::bigint AS deducted
    ${fromRecords(data, filter)}`,
  );

async function readSums(data: SchoolData, statement: RawBuilder<RecordSums>): Promise<RecordSums> {
  const [sums] = await data.execute(statement);
  return sums as RecordSums;
}

/** `FROM` and `WHERE` of the records in the range that pass a filter: the root of what reads the log itself. */
export function fromRecords(data: SchoolData, filter: RecordFilter, more: Conditions = []) {
  const { state = 'live', termId } = filter;
  return data.fromRecords(termId === undefined ? state : { termId }, [
    ...narrowStudents(filter),
    ...narrowRecords(filter),
    ...more,
  ]);
}

/**
 * The same records as far as they are live, gathered from at most `reach` of each student, the first in the given
 * direction of time: enough for a page that ends there.
 */
export function fromRecordsByStudent(
  data: SchoolData,
  filter: RecordFilter,
  direction: RawBuilder<unknown>,
  reach: number,
) {
  const newest = sql`JOIN LATERAL (
    SELECT * FROM score_record r
    WHERE r.school_id = s.school_id AND r.student_id = s.id AND r.live ${and(narrowRecords(filter))}
    ORDER BY r.created_at ${direction}, r.id ${direction}
    LIMIT ${reach}
  ) r ON true`;
  return fromStudents(data, filter, newest);
}

/** What the live records between two instants add up to, by student, as a query that can be part of another. */
export function sumsByStudent(data: SchoolData, { from, to }: Pick<RecordFilter, 'from' | 'to'>) {
  let records = data.recordsAlone();
  if (from !== undefined) records = records.where('r.created_at', '>=', from);
  if (to !== undefined) records = records.where('r.created_at', '<=', to);
  return records
    .groupBy('r.student_id')
    .select([
      'r.student_id',
      sql<number>`sum(r.score_change)::bigint`.as('totalScore'),
      sql<number>`count(*)`.as('scoreCount'),
    ]);
}
