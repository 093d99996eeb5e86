import { Student } from '@classledger/contract';
import { columnList } from '../../../server/src/fields/fields.ts';
import { studentFields } from '../../../server/src/fields/students.ts';

/** The floor's SQL. The page size is a literal, because PostgreSQL would plan each page anew with a parameter. */

/** $1 school, $2 class. */
export const classPage = `
  SELECT ${columnList(studentFields, Student)}, c.student_count AS total
  FROM student s
  JOIN class c ON c.school_id = s.school_id AND c.id = s.class_id
  JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id
  WHERE s.school_id = $1 AND s.class_id = $2
  ORDER BY s.total_score DESC, s.id DESC
  LIMIT 20`;

/** $1 school, $2 student. */
export const studentRecords = `
  SELECT r.id, s.id AS "userId", s.username, s.actual_name AS "actualName", c.id AS "classId",
    c.name AS "className", g.id AS "gradeId", g.name AS "gradeName", r.score_change AS "scoreChange",
    r.description, r.category_id AS "categoryId", coalesce(r.occurred_at, r.created_at) AS "occurredAt", r.created_at AS "createdAt", s.score_count AS total
  FROM score_record r
  JOIN student s ON s.school_id = r.school_id AND s.id = r.student_id
  JOIN class c ON c.school_id = s.school_id AND c.id = s.class_id
  JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id
  WHERE r.school_id = $1 AND r.student_id = $2 AND r.live
  ORDER BY r.created_at DESC, r.id DESC
  LIMIT 20`;

/** $1 school, $2 student, $3 change, $4 description. Locks the student, the class and the day in this order. */
export const insertScore = `
  WITH student_totals AS (
    UPDATE student SET total_score = total_score + $3::int, add_score = add_score + greatest($3::int, 0),
      deduct_score = deduct_score + least($3::int, 0), score_count = score_count + 1
    WHERE school_id = $1 AND id = $2
    RETURNING id, class_id
  ), class_totals AS (
    UPDATE class c SET add_score = c.add_score + greatest($3::int, 0),
      deduct_score = c.deduct_score + least($3::int, 0), record_count = c.record_count + 1
    FROM student_totals s
    WHERE c.school_id = $1 AND c.id = s.class_id
    RETURNING c.id
  ), day_totals AS (
    INSERT INTO class_day AS t (school_id, class_id, day, add_count, deduct_count, record_count, add_score,
      deduct_score)
    SELECT $1, id, (now() AT TIME ZONE 'UTC')::date, ($3::int > 0)::int, ($3::int < 0)::int, 1,
      greatest($3::int, 0), least($3::int, 0)
    FROM class_totals
    ON CONFLICT (school_id, class_id, day) DO UPDATE SET add_count = t.add_count + excluded.add_count,
      deduct_count = t.deduct_count + excluded.deduct_count, record_count = t.record_count + 1,
      add_score = t.add_score + excluded.add_score, deduct_score = t.deduct_score + excluded.deduct_score
  )
  INSERT INTO score_record (school_id, student_id, score_change, description, created_at)
  SELECT $1, id, $3::int, $4, now() FROM student_totals
  RETURNING id`;

/** $1 school, $2 students, $3 changes, $4 description. Locks students by id, then classes by id, against deadlocks. */
export const insertScores = `
  WITH entry AS (
    SELECT student_id, change, position
    FROM unnest($2::bigint[], $3::int[]) WITH ORDINALITY AS e (student_id, change, position)
  ), locked AS MATERIALIZED (
    SELECT id, class_id FROM student WHERE school_id = $1 AND id = ANY($2::bigint[])
    ORDER BY id FOR NO KEY UPDATE
  ), locked_class AS MATERIALIZED (
    SELECT id FROM class WHERE school_id = $1 AND id IN (SELECT class_id FROM locked)
    ORDER BY id FOR NO KEY UPDATE
  ), by_student AS MATERIALIZED (
    SELECT l.id, l.class_id, sum(greatest(e.change, 0)) AS added, sum(least(e.change, 0)) AS deducted,
      count(*) FILTER (WHERE e.change > 0)::int AS add_count,
      count(*) FILTER (WHERE e.change < 0)::int AS deduct_count, count(*)::int AS records
    FROM entry e JOIN locked l ON l.id = e.student_id GROUP BY 1, 2
  ), by_class AS MATERIALIZED (
    SELECT b.class_id, sum(added) AS added, sum(deducted) AS deducted, sum(add_count) AS add_count,
      sum(deduct_count) AS deduct_count, sum(records) AS records
    FROM by_student b JOIN locked_class c ON c.id = b.class_id GROUP BY 1
  ), class_totals AS (
    UPDATE class c SET add_score = c.add_score + b.added, deduct_score = c.deduct_score + b.deducted,
      record_count = c.record_count + b.records
    FROM by_class b WHERE c.school_id = $1 AND c.id = b.class_id
  ), student_totals AS (
    UPDATE student s SET total_score = s.total_score + b.added + b.deducted, add_score = s.add_score + b.added,
      deduct_score = s.deduct_score + b.deducted, score_count = s.score_count + b.records
    FROM by_student b WHERE s.school_id = $1 AND s.id = b.id
  ), day_totals AS (
    INSERT INTO class_day AS t (school_id, class_id, day, add_count, deduct_count, record_count, add_score,
      deduct_score)
    SELECT $1, class_id, (now() AT TIME ZONE 'UTC')::date, add_count, deduct_count, records, added, deducted
    FROM by_class ORDER BY class_id
    ON CONFLICT (school_id, class_id, day) DO UPDATE SET add_count = t.add_count + excluded.add_count,
      deduct_count = t.deduct_count + excluded.deduct_count,
      record_count = t.record_count + excluded.record_count,
      add_score = t.add_score + excluded.add_score, deduct_score = t.deduct_score + excluded.deduct_score
  )
  INSERT INTO score_record (school_id, student_id, score_change, description, created_at)
  SELECT $1, e.student_id, e.change, $4, now() FROM entry e JOIN locked l ON l.id = e.student_id
  ORDER BY e.position
  RETURNING id`;

export const overview = `
  SELECT (SELECT count(*) FROM grade WHERE school_id = $1) AS "gradeCount",
    (SELECT count(*) FROM class WHERE school_id = $1) AS "classCount",
    count(*) AS "studentCount", count(*) FILTER (WHERE disabled) AS "disabledStudentCount",
    sum(total_score)::bigint AS "totalScore", sum(add_score)::bigint AS "addScore",
    sum(deduct_score)::bigint AS "deductScore", sum(score_count)::bigint AS "recordCount",
    (SELECT coalesce(sum(record_count), 0)::bigint FROM class_day
      WHERE school_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date) AS "todayRecordCount",
    (SELECT json_agg(t) FROM (
      SELECT s.id, s.username, s.actual_name AS "actualName", c.id AS "classId", c.name AS "className",
        s.total_score AS "totalScore", s.score_count AS "scoreCount"
      FROM student s JOIN class c ON c.school_id = s.school_id AND c.id = s.class_id
      WHERE s.school_id = $1 AND s.score_count > 0
      ORDER BY s.total_score DESC, s.id LIMIT 10
    ) t) AS "topStudents"
  FROM student WHERE school_id = $1`;
