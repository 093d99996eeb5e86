import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';

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

/** The students that a filter leaves. */
export function studentsOf(data: SchoolData, filter: RecordFilter) {
  let students = data.students();
  if (filter.studentId !== undefined) students = students.where('s.id', '=', filter.studentId);
  if (filter.username !== undefined) students = students.where('s.username', '=', filter.username);
  if (filter.classId !== undefined) students = students.where('s.class_id', '=', filter.classId);
  if (filter.gradeId !== undefined) students = students.where('c.grade_id', '=', filter.gradeId);
  const { pattern } = filter;
  return pattern === undefined ? students : students.where(isNamed(pattern));
}

const isNamed = (pattern: string) =>
  sql<boolean>`(s.username ILIKE ${pattern} OR s.actual_name ILIKE ${pattern})`;

function classesOf(data: SchoolData, filter: RecordFilter) {
  let classes = data.classTotals();
  if (filter.classId !== undefined) classes = classes.where('c.id', '=', filter.classId);
  if (filter.gradeId !== undefined) classes = classes.where('c.grade_id', '=', filter.gradeId);
  return classes;
}

/** Whether the count of a filter is kept as it is, with the students or the classes. */
export function isKeptCount(filter: RecordFilter): boolean {
  const { from, to, type } = filter;
  return from === undefined && to === undefined && type === undefined && isSummed(filter);
}

/** The count that is kept for such a filter, as a query that can be part of another. */
export function keptCount(data: SchoolData, filter: RecordFilter) {
  if (isOfOneStudent(filter)) return studentsOf(data, filter).select('s.score_count as total');
  if (filter.pattern !== undefined) {
    return studentsOf(data, filter).select(sql<number>`coalesce(sum(s.score_count), 0)::bigint`.as('total'));
  }
  return classesOf(data, filter).select(sql<number>`coalesce(sum(c.record_count), 0)::bigint`.as('total'));
}

async function sumClasses(data: SchoolData, filter: RecordFilter): Promise<RecordSums> {
  return classesOf(data, filter)
    .select([
      sql<number>`coalesce(sum(c.record_count), 0)::bigint`.as('records'),
      sql<number>`coalesce(sum(c.add_score), 0)::bigint`.as('added'),
      sql<number>`coalesce(sum(c.deduct_score), 0)::bigint`.as('deducted'),
    ])
    .executeTakeFirstOrThrow();
}

async function sumDays(
  data: SchoolData,
  filter: RecordFilter,
  firstDay: string | null,
  lastDay: string | null,
): Promise<RecordSums> {
  const { type } = filter;
  const counted = type === 'add' ? 't.add_count' : type === 'deduct' ? 't.deduct_count' : 't.record_count';
  return classesOf(data, filter)
    .innerJoin('class_day as t', (join) =>
      join.onRef('t.school_id', '=', 'c.school_id').onRef('t.class_id', '=', 'c.id'),
    )
    .$if(firstDay !== null, (days) => days.where('t.day', '>=', firstDay as string))
    .$if(lastDay !== null, (days) => days.where('t.day', '<=', lastDay as string))
    .select([
      sql<number>`coalesce(sum(${sql.ref(counted)}), 0)::bigint`.as('records'),
      sql<number>`coalesce(sum(${type === 'deduct' ? sql`0` : sql`t.add_score`}), 0)::bigint`.as('added'),
      sql<number>`coalesce(sum(${type === 'add' ? sql`0` : sql`t.deduct_score`}), 0)::bigint`.as('deducted'),
    ])
    .executeTakeFirstOrThrow();
}

/** Records in the range that pass a filter: the root of what reads the log itself. */
export function filteredRecords(data: SchoolData, filter: RecordFilter) {
  const { pattern, termId, state } = filter;
  let records =
    termId !== undefined ? data.recordsOfTerm(termId) : state ? data.revokedRecords() : data.records();
  if (filter.studentId !== undefined) records = records.where('r.student_id', '=', filter.studentId);
  if (filter.username !== undefined) records = records.where('s.username', '=', filter.username);
  if (filter.classId !== undefined) records = records.where('s.class_id', '=', filter.classId);
  if (filter.gradeId !== undefined) records = records.where('c.grade_id', '=', filter.gradeId);
  if (filter.type === 'add') records = records.where('r.score_change', '>', 0);
  if (filter.type === 'deduct') records = records.where('r.score_change', '<', 0);
  if (filter.from !== undefined) records = records.where('r.created_at', '>=', filter.from);
  if (filter.to !== undefined) records = records.where('r.created_at', '<=', filter.to);
  if (filter.adminId !== undefined) records = records.where('r.admin_id', '=', filter.adminId);
  if (filter.tokenId !== undefined) records = records.where('r.token_id', '=', filter.tokenId);
  if (pattern !== undefined) records = records.where(isNamed(pattern));
  return records;
}

/**
 * The same records as far as they are live, gathered from at most `reach` of each student, the first in the given direction of time: enough
 * for a page that ends there.
 */
export function recordsByStudent(
  data: SchoolData,
  filter: RecordFilter,
  direction: 'asc' | 'desc',
  reach: number,
) {
  const { type, from, to, adminId, tokenId } = filter;
  return studentsOf(data, filter).innerJoinLateral(
    (query) => {
      let records = query
        .selectFrom('score_record as own')
        .selectAll('own')
        .whereRef('own.school_id', '=', 's.school_id')
        .whereRef('own.student_id', '=', 's.id')
        .where(sql<boolean>`own.live`);
      if (type === 'add') records = records.where('own.score_change', '>', 0);
      if (type === 'deduct') records = records.where('own.score_change', '<', 0);
      if (from !== undefined) records = records.where('own.created_at', '>=', from);
      if (to !== undefined) records = records.where('own.created_at', '<=', to);
      if (adminId !== undefined) records = records.where('own.admin_id', '=', adminId);
      if (tokenId !== undefined) records = records.where('own.token_id', '=', tokenId);
      return records.orderBy('own.created_at', direction).orderBy('own.id', direction).limit(reach).as('r');
    },
    (join) => join.onTrue(),
  );
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

async function sumLog(data: SchoolData, filter: RecordFilter): Promise<RecordSums> {
  return filteredRecords(data, filter)
    .select([
      sql<number>`count(*)`.as('records'),
      sql<number>`coalesce(sum(greatest(r.score_change, 0)), 0)::bigint`.as('added'),
      sql<number>`coalesce(sum(least(r.score_change, 0)), 0)::bigint`.as('deducted'),
    ])
    .executeTakeFirstOrThrow();
}
