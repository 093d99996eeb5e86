import { sql } from 'kysely';
import type { SchoolData } from '../../../access/school-data.ts';
import type { Run } from '../../../database/transaction.ts';
import type { DaySums, NewRecord, TotalsMove } from './plan.ts';

/**
 * The only statements that write the totals which are kept: on students, on classes, and on classes by UTC day. The
 * caller holds the locks of the students and classes concerned.
 */

const students = `
  student_totals AS (
    UPDATE student s SET total_score = s.total_score + d.added + d.deducted, add_score = s.add_score + d.added,
      deduct_score = s.deduct_score + d.deducted, score_count = s.score_count + d.records
    FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::int[]) AS d (id, added, deducted, records)
    WHERE s.school_id = $1 AND s.id = d.id
  )`;

const classes = `
  class_totals AS (
    UPDATE class c SET student_count = c.student_count + d.students,
      disabled_student_count = c.disabled_student_count + d.disabled, add_score = c.add_score + d.added,
      deduct_score = c.deduct_score + d.deducted, record_count = c.record_count + d.records
    FROM unnest($6::bigint[], $7::int[], $8::int[], $9::bigint[], $10::bigint[], $11::int[])
      AS d (id, students, disabled, added, deducted, records)
    WHERE c.school_id = $1 AND c.id = d.id
  )`;

const days = `unnest($12::bigint[], $13::date[], $14::bigint[], $15::bigint[], $16::int[], $17::int[], $18::int[])`;

/** What comes may be the first of its day; what goes was there. */
const daysIn = `
  day_totals AS (
    INSERT INTO class_day AS t (school_id, class_id, day, add_score, deduct_score, add_count, deduct_count,
      record_count)
    SELECT $1, * FROM ${days}
    ON CONFLICT (school_id, class_id, day) DO UPDATE SET add_score = t.add_score + excluded.add_score,
      deduct_score = t.deduct_score + excluded.deduct_score, add_count = t.add_count + excluded.add_count,
      deduct_count = t.deduct_count + excluded.deduct_count,
      record_count = t.record_count + excluded.record_count
  )`;
const daysOut = `
  day_totals AS (
    UPDATE class_day t SET add_score = t.add_score + d.added, deduct_score = t.deduct_score + d.deducted,
      add_count = t.add_count + d.add_count, deduct_count = t.deduct_count + d.deduct_count,
      record_count = t.record_count + d.records
    FROM ${days} AS d (class_id, day, added, deducted, add_count, deduct_count, records)
    WHERE t.school_id = $1 AND t.class_id = d.class_id AND t.day = d.day
  )`;

const moveIn = `WITH ${students}, ${classes}, ${daysIn}`;
const moveOut = `WITH ${students}, ${classes}, ${daysOut}`;

/** Ids are drawn in the order of the rows, so that sorting them restores that order. */
const insertRecords = `${moveIn}, record AS (
    INSERT INTO score_record (school_id, student_id, score_change, description, created_at, token_id, admin_id)
    SELECT $1, e.student_id, e.change, e.description, e.at, e.token_id, e.admin_id
    FROM unnest($19::bigint[], $20::int[], $21::text[], $22::timestamptz[], $23::bigint[], $24::bigint[])
      WITH ORDINALITY AS e (student_id, change, description, at, token_id, admin_id, position)
    ORDER BY e.position
    RETURNING id
  )
  SELECT id FROM record ORDER BY id`;

/** The values of the parameters 1 to 18. */
function valuesOf(schoolId: number, move: TotalsMove): unknown[] {
  const sign = move.direction === 'in' ? 1 : -1;
  const ofStudents = [...move.students.values()];
  const ofClasses = [...move.classes.values()];
  const ofDays = [...move.days.values()];
  return [
    schoolId,
    [...move.students.keys()],
    ofStudents.map(({ added }) => sign * added),
    ofStudents.map(({ deducted }) => sign * deducted),
    ofStudents.map(({ records }) => sign * records),
    [...move.classes.keys()],
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

/**
 * Writes new records together with the totals that they move.
 *
 * @returns the ids of the records, in their order
 */
export async function writeRecords(
  run: Run,
  schoolId: number,
  { records, totals }: { readonly records: readonly NewRecord[]; readonly totals: TotalsMove },
): Promise<number[]> {
  if (records.length === 0) return [];
  const rows = await run<{ id: number }>(insertRecords, [
    ...valuesOf(schoolId, totals),
    records.map(({ student }) => student.id),
    records.map(({ change }) => change),
    records.map(({ description }) => description),
    records.map(({ createdAt }) => createdAt),
    records.map(({ author }) => author.tokenId),
    records.map(({ author }) => author.adminId),
  ]);
  return rows.map((row) => row.id);
}

/** Moves totals, in the transaction of what they count. */
export async function moveTotals(data: SchoolData, move: TotalsMove): Promise<void> {
  if (move.students.size === 0 && move.classes.size === 0) return;
  await data.run(`${move.direction === 'in' ? moveIn : moveOut} SELECT 1`, valuesOf(data.schoolId, move));
}

/** What the live records of a student add up to by UTC day. */
export function readDays(data: SchoolData, studentId: number): Promise<DaySums[]> {
  return data.execute(sql<DaySums>`
    SELECT (r.created_at AT TIME ZONE 'UTC')::date AS day,
      coalesce(sum(r.score_change) FILTER (WHERE r.score_change > 0), 0)::bigint AS added,
      coalesce(sum(r.score_change) FILTER (WHERE r.score_change < 0), 0)::bigint AS deducted,
      count(*) FILTER (WHERE r.score_change > 0)::int AS "addCount",
      count(*) FILTER (WHERE r.score_change < 0)::int AS "deductCount",
      count(*)::int AS records
    FROM score_record r
    WHERE r.school_id = ${data.schoolId} AND r.student_id = ${studentId} AND r.live
    GROUP BY 1`);
}

/**
 * Closes the live records of a class with a term: from then on they count nowhere, and every total of the class
 * and its students is 0.
 *
 * @param studentIds everyone who is in the class
 * @returns how many records were closed
 */
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
    ), class_totals AS (
      UPDATE class SET add_score = 0, deduct_score = 0, record_count = 0
      WHERE school_id = ${data.schoolId} AND id = ${classId}
    )
    SELECT count(*) AS records FROM closed`);
  return (closed as { records: number }).records;
}
