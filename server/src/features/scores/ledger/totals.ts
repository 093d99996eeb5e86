import { sql } from 'kysely';
import type { SchoolData } from '../../../access/school-data.ts';
import type { RunStatement } from '../../../database/transaction.ts';
import type { NewRecord } from './plan.ts';
import type { DaySums, TotalsDelta } from './totals-delta.ts';

/** Only these statements change totals, except for demo data. The caller holds the locks of students and classes. */

const updateStudentsSql = `
  student_totals AS (
    UPDATE student s SET total_score = s.total_score + d.added + d.deducted, add_score = s.add_score + d.added,
      deduct_score = s.deduct_score + d.deducted, score_count = s.score_count + d.records
    FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::int[]) AS d (id, added, deducted, records)
    WHERE s.school_id = $1 AND s.id = d.id
  )`;

const updateClassesSql = `
  class_totals AS (
    UPDATE class c SET student_count = c.student_count + d.students,
      disabled_student_count = c.disabled_student_count + d.disabled, add_score = c.add_score + d.added,
      deduct_score = c.deduct_score + d.deducted, record_count = c.record_count + d.records
    FROM unnest($6::bigint[], $7::int[], $8::int[], $9::bigint[], $10::bigint[], $11::int[])
      AS d (id, students, disabled, added, deducted, records)
    WHERE c.school_id = $1 AND c.id = d.id
  )`;

const dayValuesSql = `unnest($12::bigint[], $13::date[], $14::bigint[], $15::bigint[], $16::int[], $17::int[], $18::int[])`;

/** Inserts or updates, because new records can be the first of their day. Removed ones always have a row. */
const raiseDaysSql = `
  day_totals AS (
    INSERT INTO class_day AS t (school_id, class_id, day, add_score, deduct_score, add_count, deduct_count,
      record_count)
    SELECT $1, * FROM ${dayValuesSql}
    ON CONFLICT (school_id, class_id, day) DO UPDATE SET add_score = t.add_score + excluded.add_score,
      deduct_score = t.deduct_score + excluded.deduct_score, add_count = t.add_count + excluded.add_count,
      deduct_count = t.deduct_count + excluded.deduct_count,
      record_count = t.record_count + excluded.record_count
  )`;
const lowerDaysSql = `
  day_totals AS (
    UPDATE class_day t SET add_score = t.add_score + d.added, deduct_score = t.deduct_score + d.deducted,
      add_count = t.add_count + d.add_count, deduct_count = t.deduct_count + d.deduct_count,
      record_count = t.record_count + d.records
    FROM ${dayValuesSql} AS d (class_id, day, added, deducted, add_count, deduct_count, records)
    WHERE t.school_id = $1 AND t.class_id = d.class_id AND t.day = d.day
  )`;

/** Returns the statements for sums by category. Their 13 parameters begin at `first`; see `categoryValues`. */
function categoryTotalsSql(first: number): string {
  const list = (from: number, types: string) =>
    types
      .split(' ')
      .map((type, i) => `$${first + from + i}::${type}[]`)
      .join(', ');
  const raise = (...columns: string[]) =>
    columns.map((column) => `${column} = t.${column} + excluded.${column}`).join(', ');
  return `
  student_categories AS (
    INSERT INTO student_category AS t (school_id, student_id, category_id, add_score, deduct_score, record_count)
    SELECT $1, * FROM unnest(${list(0, 'bigint bigint bigint bigint int')})
    ON CONFLICT (school_id, student_id, category_id)
      DO UPDATE SET ${raise('add_score', 'deduct_score', 'record_count')}
  ), day_categories AS (
    INSERT INTO class_day_category AS t (school_id, class_id, day, category_id, add_score, deduct_score, add_count,
      deduct_count, record_count)
    SELECT $1, * FROM unnest(${list(5, 'bigint date bigint bigint bigint int int int')})
    ON CONFLICT (school_id, class_id, day, category_id)
      DO UPDATE SET ${raise('add_score', 'deduct_score', 'add_count', 'deduct_count', 'record_count')}
  )`;
}

const raiseTotalsSql = `WITH ${updateStudentsSql}, ${updateClassesSql}, ${raiseDaysSql}`;
const lowerTotalsSql = `WITH ${updateStudentsSql}, ${updateClassesSql}, ${lowerDaysSql}`;

const insertChangesSql = `
  recorded_changes AS (
    INSERT INTO change (school_id, created_at, xid, type, ids, grade_after, class_after, along)
    SELECT $1, n.created_at, $27::text::xid8, 'score', n.ids::bigint[], n.grade_id, n.class_id, false
    FROM unnest($28::timestamptz[], $29::text[], $30::bigint[], $31::bigint[]) AS n (created_at, ids, grade_id, class_id)
  )`;

const insertStatement = ({ statements = '', column = '', values = '' } = {}) =>
  `${raiseTotalsSql}, ${insertChangesSql}${statements}
  INSERT INTO score_record (school_id, id, student_id, score_change, description, created_at, token_id, admin_id,
    occurred_at, note${column})
  SELECT $1, * FROM unnest($19::bigint[], $20::bigint[], $21::int[], $22::text[], $23::timestamptz[], $24::bigint[],
    $25::bigint[], $26::timestamptz[], $32::text[]${values})`;
/** The statement of schools without categories. */
const insertRecordsSql = insertStatement();
const insertCategorisedSql = insertStatement({
  statements: `, ${categoryTotalsSql(34)}`,
  column: ', category_id',
  values: ', $33::bigint[]',
});
const lastTotalsParameter = 18;

/* Computes the days of records in PostgreSQL, because Node.js can have other time zone rules. */
const reserveIdsSql = `
  SELECT array_agg(nextval('score_record_id_seq')) AS ids, pg_current_xact_id()::text AS xid,
    (SELECT ($3::timestamptz AT TIME ZONE time_zone)::date || ' ' || ($4::timestamptz AT TIME ZONE time_zone)::date
      FROM school WHERE id = $2) AS days
  FROM generate_series(1, $1::int)`;
const daysByInstantSql = `
  SELECT i.at, (i.at::timestamptz AT TIME ZONE s.time_zone)::date AS day
  FROM school s, unnest($2::text[]) AS i (at) WHERE s.id = $1`;

export interface ReservedIds {
  /** In ascending order. */
  readonly ids: readonly number[];
  readonly xid: string;
  /** Days in the school's time zone, by instant. */
  readonly days: ReadonlyMap<string, string>;
}

/** Reserves ids; unused ids are lost. Call it under the locks of the classes, so that the time zone cannot change. */
export async function reserveRecordIds(
  run: RunStatement,
  schoolId: number,
  count: number,
  instants: readonly string[],
): Promise<ReservedIds> {
  if (count === 0) return { ids: [], xid: '', days: new Map() };
  const sorted = instants.toSorted();
  const [reserved] = await run<{ ids: string[]; xid: string; days: string | null }>(reserveIdsSql, [
    count,
    schoolId,
    sorted[0],
    sorted.at(-1),
  ]);
  const [first, last] = reserved?.days?.split(' ') ?? [];
  const days =
    first === last && first !== undefined
      ? instants.map((at) => [at, first] as const)
      : // Some instants are before midnight, others after it, so asks for the day of each.
        (await run<{ at: string; day: string }>(daysByInstantSql, [schoolId, instants])).map(
          ({ at, day }) => [at, day] as const,
        );
  return { ids: reserved?.ids.map(Number) ?? [], xid: reserved?.xid ?? '', days: new Map(days) };
}

function deltaValues(schoolId: number, delta: TotalsDelta): unknown[] {
  const sign = delta.direction === 'in' ? 1 : -1;
  const ofStudents = [...delta.students.values()];
  const ofClasses = [...delta.classes.values()];
  const ofDays = [...delta.days.values()];
  return [
    schoolId,
    [...delta.students.keys()],
    ofStudents.map(({ added }) => sign * added),
    ofStudents.map(({ deducted }) => sign * deducted),
    ofStudents.map(({ records }) => sign * records),
    [...delta.classes.keys()],
    ofClasses.map(({ students }) => sign * students),
    ofClasses.map(({ disabled }) => sign * disabled),
    ofClasses.map(({ added }) => sign * added),
    ofClasses.map(({ deducted }) => sign * deducted),
    ofClasses.map(({ records }) => sign * records),
    ofDays.map(({ classId }) => classId),
    ofDays.map(({ day }) => day),
    ofDays.map(({ sums }) => sign * sums.added),
    ofDays.map(({ sums }) => sign * sums.deducted),
    ofDays.map(({ sums }) => sign * sums.addCount),
    ofDays.map(({ sums }) => sign * sums.deductCount),
    ofDays.map(({ sums }) => sign * sums.records),
  ];
}

const hasCategories = ({ dayCategories }: TotalsDelta) => dayCategories.size > 0;

function categoryValues({ direction, studentCategories, dayCategories }: TotalsDelta): unknown[] {
  const sign = direction === 'in' ? 1 : -1;
  const ofStudents = [...studentCategories.values()];
  const ofDays = [...dayCategories.values()];
  return [
    ofStudents.map(({ studentId }) => studentId),
    ofStudents.map(({ categoryId }) => categoryId),
    ofStudents.map(({ sums }) => sign * sums.added),
    ofStudents.map(({ sums }) => sign * sums.deducted),
    ofStudents.map(({ sums }) => sign * sums.records),
    ofDays.map(({ classId }) => classId),
    ofDays.map(({ day }) => day),
    ofDays.map(({ categoryId }) => categoryId),
    ofDays.map(({ sums }) => sign * sums.added),
    ofDays.map(({ sums }) => sign * sums.deducted),
    ofDays.map(({ sums }) => sign * sums.addCount),
    ofDays.map(({ sums }) => sign * sums.deductCount),
    ofDays.map(({ sums }) => sign * sums.records),
  ];
}

/** Inserts records, updates totals and stores the changes for the feed. Needs at least one reserved id per record. */
export async function writeRecords(
  run: RunStatement,
  schoolId: number,
  { records, totals }: { readonly records: readonly NewRecord[]; readonly totals: TotalsDelta },
  { ids, xid }: ReservedIds,
): Promise<void> {
  if (records.length === 0) return;
  const changesByClass = [
    ...Map.groupBy(records.keys(), (i) => (records[i] as NewRecord).student.classId).values(),
  ].map((indexes) => ({
    ids: indexes.map((i) => ids[i]),
    last: records[indexes.at(-1) as number] as NewRecord,
  }));
  const withCategories = hasCategories(totals);
  await run(withCategories ? insertCategorisedSql : insertRecordsSql, [
    ...deltaValues(schoolId, totals),
    ids.slice(0, records.length),
    records.map(({ student }) => student.id),
    records.map(({ change }) => change),
    records.map(({ description }) => description),
    records.map(({ createdAt }) => createdAt),
    records.map(({ author }) => author.tokenId),
    records.map(({ author }) => author.adminId),
    records.map(({ occurredAt }) => occurredAt),
    xid,
    changesByClass.map(({ last }) => last.createdAt),
    changesByClass.map((each) => `{${each.ids}}`),
    changesByClass.map(({ last }) => last.student.gradeId),
    changesByClass.map(({ last }) => last.student.classId),
    records.map(({ note }) => note),
    ...(withCategories ? [records.map(({ categoryId }) => categoryId), ...categoryValues(totals)] : []),
  ]);
}

/** Applies a change of totals. Call it in the transaction that changes the records or moves the students. */
export async function applyTotals(data: SchoolData, delta: TotalsDelta): Promise<void> {
  if (delta.students.size === 0 && delta.classes.size === 0) return;
  const totalsSql = delta.direction === 'in' ? raiseTotalsSql : lowerTotalsSql;
  const values = deltaValues(data.schoolId, delta);
  if (!hasCategories(delta)) await data.run(`${totalsSql} SELECT 1`, values);
  else {
    const statements = `${totalsSql}, ${categoryTotalsSql(lastTotalsParameter + 1)}`;
    await data.run(`${statements} SELECT 1`, [...values, ...categoryValues(delta)]);
  }
}

/** Sums students' live records by day and category; omits students without records. The caller has locked the students' classes. */
export async function readDaySums(
  data: SchoolData,
  studentIds: readonly number[],
): Promise<Map<number, DaySums[]>> {
  const days = new Map<number, DaySums[]>();
  if (studentIds.length === 0) return days;
  const timeZone = await data.readTimeZone();
  const rows = await data.execute(sql<DaySums & { studentId: number }>`
    SELECT r.student_id AS "studentId", (r.created_at AT TIME ZONE ${timeZone}::text)::date AS day,
      r.category_id AS "categoryId",
      coalesce(sum(r.score_change) FILTER (WHERE r.score_change > 0), 0)::bigint AS added,
      coalesce(sum(r.score_change) FILTER (WHERE r.score_change < 0), 0)::bigint AS deducted,
      count(*) FILTER (WHERE r.score_change > 0)::int AS "addCount",
      count(*) FILTER (WHERE r.score_change < 0)::int AS "deductCount",
      count(*)::int AS records
    FROM score_record r
    WHERE r.school_id = ${data.schoolId} AND r.student_id = ANY(${studentIds}::bigint[]) AND r.live
    GROUP BY 1, 2, 3`);
  for (const { studentId, ...sums } of rows) {
    const own = days.get(studentId);
    if (own) own.push(sums);
    else days.set(studentId, [sums]);
  }
  return days;
}

const sumsOfRecords = 'add_score, deduct_score, add_count, deduct_count, record_count';
const recountSql = (table: string, category = '', isCounted = '') => `
  INSERT INTO ${table} (school_id, class_id, day${category}, ${sumsOfRecords})
  SELECT r.school_id, s.class_id, (r.created_at AT TIME ZONE $2::text)::date${category},
    sum(greatest(r.score_change, 0)), sum(least(r.score_change, 0)),
    count(*) FILTER (WHERE r.score_change > 0), count(*) FILTER (WHERE r.score_change < 0), count(*)
  FROM score_record r JOIN student s ON s.school_id = r.school_id AND s.id = r.student_id
  WHERE r.school_id = $1 AND r.live${isCounted}
  GROUP BY 1, 2, 3${category}`;
const recountDaysSql = recountSql('class_day');
const recountDayCategoriesSql = recountSql(
  'class_day_category',
  ', category_id',
  ' AND r.category_id IS NOT NULL',
);

/** Recounts the days of all classes. The caller has locked all classes and keeps new ones from being created. */
export async function recountDays(data: SchoolData, timeZone: string): Promise<void> {
  await data.run('DELETE FROM class_day WHERE school_id = $1', [data.schoolId]);
  await data.run(recountDaysSql, [data.schoolId, timeZone]);
  await data.run('DELETE FROM class_day_category WHERE school_id = $1', [data.schoolId]);
  await data.run(recountDayCategoriesSql, [data.schoolId, timeZone]);
}

/** Closes live records and sets points to 0. @param studentIds all students of the class @returns the count */
export async function closeRecords(
  data: SchoolData,
  { termId, classId, studentIds }: { termId: number; classId: number; studentIds: readonly number[] },
): Promise<number> {
  const [closed] = await data.execute(sql<{ records: number }>`
    WITH closed AS (
      UPDATE score_record SET live = false, term_id = ${termId}
      WHERE school_id = ${data.schoolId} AND student_id = ANY(${studentIds}::bigint[]) AND live
      RETURNING 1
    ), student_totals AS (
      UPDATE student SET total_score = 0, add_score = 0, deduct_score = 0, score_count = 0
      WHERE school_id = ${data.schoolId} AND id = ANY(${studentIds}::bigint[])
    ), day_totals AS (
      DELETE FROM class_day WHERE school_id = ${data.schoolId} AND class_id = ${classId}
    ), student_categories AS (
      DELETE FROM student_category WHERE school_id = ${data.schoolId} AND student_id = ANY(${studentIds}::bigint[])
    ), day_categories AS (
      DELETE FROM class_day_category WHERE school_id = ${data.schoolId} AND class_id = ${classId}
    ), class_totals AS (
      UPDATE class SET add_score = 0, deduct_score = 0, record_count = 0
      WHERE school_id = ${data.schoolId} AND id = ${classId}
    )
    SELECT count(*) AS records FROM closed`);
  return (closed as { records: number }).records;
}
