import type { Student } from '@classledger/contract';
import type { Run } from '../../idempotency/idempotency-keys.ts';

/**
 * The statements of the ledger. Students are locked before classes, each in the order of their ids; after that
 * no update can wait.
 */

const lockStudentsSql = `
  SELECT id, username, class_id AS "classId" FROM student
  WHERE school_id = $1 AND id = ANY($2::bigint[])
  ORDER BY id FOR NO KEY UPDATE`;

const lockStudentsByNameSql = `
  SELECT id, username, class_id AS "classId" FROM student
  WHERE school_id = $1 AND (id = ANY($2::bigint[]) OR username = ANY($3::text[]))
  ORDER BY id FOR NO KEY UPDATE`;

const lockClassesSql = `
  SELECT id, grade_id AS "gradeId" FROM class
  WHERE school_id = $1
    AND id IN (SELECT class_id FROM student WHERE school_id = $1 AND id = ANY($2::bigint[]))
  ORDER BY id FOR NO KEY UPDATE`;

const lockClassesByNameSql = `
  SELECT id, grade_id AS "gradeId" FROM class
  WHERE school_id = $1 AND id IN (
    SELECT class_id FROM student
    WHERE school_id = $1 AND (id = ANY($2::bigint[]) OR username = ANY($3::text[])))
  ORDER BY id FOR NO KEY UPDATE`;

/** After the locks, so that it sees what they protect. A grade may be renamed meanwhile; nothing else can move. */
const readStudentsSql = `
  SELECT s.id, s.username, s.actual_name AS "actualName", c.id AS "classId", c.name AS "className",
    g.id AS "gradeId", g.name AS "gradeName", s.disabled, s.total_score AS "totalScore",
    s.add_score AS "addScore", s.deduct_score AS "deductScore", s.score_count AS "scoreCount",
    s.created_at AS "createdAt"
  FROM student s
  JOIN class c ON c.school_id = s.school_id AND c.id = s.class_id
  JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id
  WHERE s.school_id = $1 AND s.id = ANY($2::bigint[])`;

/** Ids are drawn in the order of the rows, so that sorting them restores that order. */
const insertSql = `
  WITH record AS (
    INSERT INTO score_record (school_id, student_id, score_change, description, created_at, token_id, admin_id)
    SELECT $1, e.student_id, e.change, e.description, e.at, e.token_id, e.admin_id
    FROM unnest($2::bigint[], $3::int[], $4::text[], $5::timestamptz[], $6::bigint[], $7::bigint[])
      WITH ORDINALITY AS e (student_id, change, description, at, token_id, admin_id, position)
    ORDER BY e.position
    RETURNING id
  ), student_totals AS (
    UPDATE student s SET total_score = s.total_score + d.added + d.deducted, add_score = s.add_score + d.added,
      deduct_score = s.deduct_score + d.deducted, score_count = s.score_count + d.records
    FROM unnest($8::bigint[], $9::bigint[], $10::bigint[], $11::int[]) AS d (id, added, deducted, records)
    WHERE s.school_id = $1 AND s.id = d.id
  ), class_totals AS (
    UPDATE class c SET add_score = c.add_score + d.added, deduct_score = c.deduct_score + d.deducted,
      record_count = c.record_count + d.records
    FROM (
      SELECT id, sum(added)::bigint AS added, sum(deducted)::bigint AS deducted, sum(records) AS records
      FROM unnest($12::bigint[], $14::bigint[], $15::bigint[], $18::int[]) AS d (id, added, deducted, records)
      GROUP BY id
    ) d
    WHERE c.school_id = $1 AND c.id = d.id
  ), day_totals AS (
    INSERT INTO class_day AS t (school_id, class_id, day, add_score, deduct_score, add_count, deduct_count,
      record_count)
    SELECT $1, * FROM unnest($12::bigint[], $13::date[], $14::bigint[], $15::bigint[], $16::int[], $17::int[],
      $18::int[])
    ON CONFLICT (school_id, class_id, day) DO UPDATE SET add_score = t.add_score + excluded.add_score,
      deduct_score = t.deduct_score + excluded.deduct_score, add_count = t.add_count + excluded.add_count,
      deduct_count = t.deduct_count + excluded.deduct_count,
      record_count = t.record_count + excluded.record_count
  )
  SELECT id FROM record ORDER BY id`;

/** A student as of the lock. */
export interface LockedStudent {
  readonly id: number;
  readonly username: string;
  readonly classId: number;
}

export function lockStudents(
  run: Run,
  schoolId: number,
  ids: readonly number[],
  usernames: readonly string[],
): Promise<LockedStudent[]> {
  return usernames.length === 0
    ? run(lockStudentsSql, [schoolId, ids])
    : run(lockStudentsByNameSql, [schoolId, ids, usernames]);
}

/** Locks the classes of the students named; the students are locked already, so they stay where they are. */
export function lockClasses(
  run: Run,
  schoolId: number,
  ids: readonly number[],
  usernames: readonly string[],
): Promise<{ id: number; gradeId: number }[]> {
  return usernames.length === 0
    ? run(lockClassesSql, [schoolId, ids])
    : run(lockClassesByNameSql, [schoolId, ids, usernames]);
}

/** Reads locked students as they are before the write, for an answer that tells where they stand. */
export function readStudents(run: Run, schoolId: number, ids: readonly number[]): Promise<Student[]> {
  return run(readStudentsSql, [schoolId, ids]);
}

interface RecordRow {
  readonly write: { readonly at: Date; readonly author: { tokenId: number | null; adminId: number | null } };
  readonly entry: { readonly change: number; readonly description: string };
  readonly student: LockedStudent;
}

/** What some records add up to. */
export class Sums {
  added = 0;
  deducted = 0;
  addCount = 0;
  deductCount = 0;
  records = 0;

  take(change: number): void {
    this.records++;
    if (change > 0) {
      this.added += change;
      this.addCount++;
    } else if (change < 0) {
      this.deducted += change;
      this.deductCount++;
    }
  }
}

/**
 * Writes records of locked students and moves every total that they count in.
 *
 * @returns the ids of the records, in the order of `rows`, and what they add to each student
 */
export async function insertRecords(
  run: Run,
  schoolId: number,
  rows: readonly RecordRow[],
): Promise<{ recordIds: number[]; sums: ReadonlyMap<number, Sums> }> {
  const students = new Map<number, Sums>();
  const days = new Map<string, { classId: number; day: string; sums: Sums }>();
  const instants = rows.map(({ write }) => write.at.toISOString());
  for (const [i, { entry, student }] of rows.entries()) {
    const totals = students.get(student.id) ?? new Sums();
    students.set(student.id, totals);
    totals.take(entry.change);

    const day = (instants[i] as string).slice(0, 10);
    const key = `${student.classId} ${day}`;
    const ofDay = days.get(key) ?? { classId: student.classId, day, sums: new Sums() };
    days.set(key, ofDay);
    ofDay.sums.take(entry.change);
  }
  const totals = [...students.values()];
  const byDay = [...days.values()];
  const inserted = await run<{ id: number }>(insertSql, [
    schoolId,
    rows.map(({ student }) => student.id),
    rows.map(({ entry }) => entry.change),
    rows.map(({ entry }) => entry.description),
    instants,
    rows.map(({ write }) => write.author.tokenId),
    rows.map(({ write }) => write.author.adminId),
    [...students.keys()],
    totals.map((sums) => sums.added),
    totals.map((sums) => sums.deducted),
    totals.map((sums) => sums.records),
    byDay.map(({ classId }) => classId),
    byDay.map(({ day }) => day),
    byDay.map(({ sums }) => sums.added),
    byDay.map(({ sums }) => sums.deducted),
    byDay.map(({ sums }) => sums.addCount),
    byDay.map(({ sums }) => sums.deductCount),
    byDay.map(({ sums }) => sums.records),
  ]);
  return { recordIds: inserted.map((row) => row.id), sums: students };
}
