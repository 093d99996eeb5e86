import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';

/**
 * What classes add up to, moved in the transaction of what changes it. The caller holds the locks of the
 * students and classes concerned.
 */

/** The live records of a student by UTC day. */
const studentDays = (data: SchoolData, studentId: number) => sql`
  SELECT (r.created_at AT TIME ZONE 'UTC')::date AS day,
    count(*) FILTER (WHERE r.score_change > 0)::int AS add_count,
    count(*) FILTER (WHERE r.score_change < 0)::int AS deduct_count,
    count(*)::int AS record_count,
    coalesce(sum(r.score_change) FILTER (WHERE r.score_change > 0), 0)::bigint AS add_score,
    coalesce(sum(r.score_change) FILTER (WHERE r.score_change < 0), 0)::bigint AS deduct_score
  FROM score_record r
  WHERE r.school_id = ${data.schoolId} AND r.student_id = ${studentId} AND r.live
  GROUP BY 1`;

/** Takes a student's head, totals and days out of a class. */
export async function subtractStudent(data: SchoolData, studentId: number, classId: number): Promise<void> {
  await data.execute(sql`
    WITH days AS (${studentDays(data, studentId)}), day_totals AS (
      UPDATE class_day t SET add_count = t.add_count - days.add_count,
        deduct_count = t.deduct_count - days.deduct_count, record_count = t.record_count - days.record_count,
        add_score = t.add_score - days.add_score, deduct_score = t.deduct_score - days.deduct_score
      FROM days
      WHERE t.school_id = ${data.schoolId} AND t.class_id = ${classId} AND t.day = days.day
    )
    UPDATE class c SET student_count = c.student_count - 1,
      disabled_student_count = c.disabled_student_count - s.disabled::int,
      add_score = c.add_score - s.add_score, deduct_score = c.deduct_score - s.deduct_score,
      record_count = c.record_count - s.score_count
    FROM student s
    WHERE c.school_id = ${data.schoolId} AND c.id = ${classId}
      AND s.school_id = ${data.schoolId} AND s.id = ${studentId}`);
}

/** Brings a student's head, totals and days into a class. */
export async function addStudent(data: SchoolData, studentId: number, classId: number): Promise<void> {
  await data.execute(sql`
    WITH days AS (${studentDays(data, studentId)}), day_totals AS (
      INSERT INTO class_day AS t (school_id, class_id, day, add_count, deduct_count, record_count, add_score,
        deduct_score)
      SELECT ${data.schoolId}::bigint, ${classId}::bigint, days.* FROM days
      ON CONFLICT (school_id, class_id, day) DO UPDATE SET add_count = t.add_count + excluded.add_count,
        deduct_count = t.deduct_count + excluded.deduct_count,
        record_count = t.record_count + excluded.record_count,
        add_score = t.add_score + excluded.add_score, deduct_score = t.deduct_score + excluded.deduct_score
    )
    UPDATE class c SET student_count = c.student_count + 1,
      disabled_student_count = c.disabled_student_count + s.disabled::int,
      add_score = c.add_score + s.add_score, deduct_score = c.deduct_score + s.deduct_score,
      record_count = c.record_count + s.score_count
    FROM student s
    WHERE c.school_id = ${data.schoolId} AND c.id = ${classId}
      AND s.school_id = ${data.schoolId} AND s.id = ${studentId}`);
}

/** Counts new students, of whom none is disabled, into their classes. */
export async function countNewStudents(data: SchoolData, classIds: readonly number[]): Promise<void> {
  await data.execute(sql`
    UPDATE class c SET student_count = c.student_count + n.students
    FROM (SELECT id, count(*)::int AS students FROM unnest(${classIds}::bigint[]) AS u (id) GROUP BY id) n
    WHERE c.school_id = ${data.schoolId} AND c.id = n.id`);
}

/** Counts one student of a class as disabled, or no longer so. */
export async function countDisabled(data: SchoolData, classId: number, by: 1 | -1): Promise<void> {
  await data.execute(sql`
    UPDATE class SET disabled_student_count = disabled_student_count + ${by}::int
    WHERE school_id = ${data.schoolId} AND id = ${classId}`);
}

/** Takes one record, no longer live, out of the totals of its student and class. */
export async function subtractRecord(
  data: SchoolData,
  record: { studentId: number; classId: number; change: number; createdAt: string },
): Promise<void> {
  const added = Math.max(0, record.change);
  const deducted = Math.min(0, record.change);
  await data.execute(sql`
    WITH student_totals AS (
      UPDATE student SET total_score = total_score - ${record.change}::int, add_score = add_score - ${added}::int,
        deduct_score = deduct_score - ${deducted}::int, score_count = score_count - 1
      WHERE school_id = ${data.schoolId} AND id = ${record.studentId}
    ), day_totals AS (
      UPDATE class_day SET add_count = add_count - ${added > 0 ? 1 : 0}::int,
        deduct_count = deduct_count - ${deducted < 0 ? 1 : 0}::int, record_count = record_count - 1,
        add_score = add_score - ${added}::int, deduct_score = deduct_score - ${deducted}::int
      WHERE school_id = ${data.schoolId} AND class_id = ${record.classId}
        AND day = (${record.createdAt}::timestamptz AT TIME ZONE 'UTC')::date
    )
    UPDATE class SET add_score = add_score - ${added}::int, deduct_score = deduct_score - ${deducted}::int,
      record_count = record_count - 1
    WHERE school_id = ${data.schoolId} AND id = ${record.classId}`);
}
