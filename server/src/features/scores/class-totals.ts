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

/** Takes records, no longer live, out of the totals of their students and classes. */
export async function subtractRecords(
  data: SchoolData,
  records: readonly { studentId: number; classId: number; change: number; createdAt: string }[],
): Promise<void> {
  await data.execute(sql`
    WITH gone AS (
      SELECT student_id, class_id, (created_at AT TIME ZONE 'UTC')::date AS day,
        greatest(change, 0) AS added, least(change, 0) AS deducted
      FROM unnest(${records.map((record) => record.studentId)}::bigint[],
        ${records.map((record) => record.classId)}::bigint[], ${records.map((record) => record.change)}::int[],
        ${records.map((record) => record.createdAt)}::timestamptz[]) AS u (student_id, class_id, change, created_at)
    ), student_totals AS (
      UPDATE student s SET total_score = s.total_score - d.added - d.deducted, add_score = s.add_score - d.added,
        deduct_score = s.deduct_score - d.deducted, score_count = s.score_count - d.records
      FROM (
        SELECT student_id, sum(added)::bigint AS added, sum(deducted)::bigint AS deducted, count(*) AS records
        FROM gone GROUP BY student_id
      ) d
      WHERE s.school_id = ${data.schoolId} AND s.id = d.student_id
    ), day_totals AS (
      UPDATE class_day t SET add_score = t.add_score - d.added, deduct_score = t.deduct_score - d.deducted,
        add_count = t.add_count - d.add_count, deduct_count = t.deduct_count - d.deduct_count,
        record_count = t.record_count - d.records
      FROM (
        SELECT class_id, day, sum(added)::bigint AS added, sum(deducted)::bigint AS deducted,
          count(*) FILTER (WHERE added > 0)::int AS add_count,
          count(*) FILTER (WHERE deducted < 0)::int AS deduct_count, count(*)::int AS records
        FROM gone GROUP BY class_id, day
      ) d
      WHERE t.school_id = ${data.schoolId} AND t.class_id = d.class_id AND t.day = d.day
    )
    UPDATE class c SET add_score = c.add_score - d.added, deduct_score = c.deduct_score - d.deducted,
      record_count = c.record_count - d.records
    FROM (
      SELECT class_id, sum(added)::bigint AS added, sum(deducted)::bigint AS deducted, count(*) AS records
      FROM gone GROUP BY class_id
    ) d
    WHERE c.school_id = ${data.schoolId} AND c.id = d.class_id`);
}
