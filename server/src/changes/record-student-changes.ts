import { sql } from 'kysely';
import type { SchoolData } from '../access/school-data.ts';
import { expressionOf } from '../fields/fields.ts';
import { identityFields, studentFields } from '../fields/students.ts';
import { recordSelectedChanges } from './record-changes.ts';

/* The statements run in the transaction that has locked the students and their classes. */

const names = identityFields.flatMap((field) => [sql.lit(field), expressionOf(studentFields[field])]);
export const namesOfStudents = sql`jsonb_object_agg(s.id, jsonb_build_object(${sql.join(names)}))`;

const classOfStudent = sql`JOIN class c ON c.school_id = s.school_id AND c.id = s.class_id`;
const studentOfRecord = sql`JOIN student s ON s.school_id = r.school_id AND s.id = r.student_id`;

const currentPlace = sql`c.grade_id, c.id`;
const noPlace = sql`NULL::bigint, NULL::bigint`;

export function recordCreatedStudents(data: SchoolData, at: Date, ids: readonly number[]): Promise<void> {
  return recordStudentChanges(data, at, ids, sql`${noPlace}, ${currentPlace}, false, NULL::jsonb`);
}

export function recordChangedStudents(data: SchoolData, at: Date, ids: readonly number[]): Promise<void> {
  return recordStudentChanges(data, at, ids, sql`${currentPlace}, ${currentPlace}, false, NULL::jsonb`);
}

/** Records deletions of students and of their live point records. Call this before the deletion. */
export async function recordDeletedStudents(
  data: SchoolData,
  at: Date,
  ids: readonly number[],
): Promise<void> {
  await recordEndedScores(data, at, ids);
  await recordStudentChanges(data, at, ids, sql`${currentPlace}, ${noPlace}, false, ${namesOfStudents}`);
}

async function recordStudentChanges(
  data: SchoolData,
  at: Date,
  ids: readonly number[],
  placeAndKeys: typeof currentPlace,
) {
  if (ids.length === 0) return;
  const found = sql`
    SELECT 'student', array_agg(s.id ORDER BY s.id), ${placeAndKeys} FROM student s ${classOfStudent}
    WHERE s.school_id = ${data.schoolId} AND s.id = ANY(${ids}::bigint[]) GROUP BY c.grade_id, c.id`;
  await recordSelectedChanges(data, at, found);
}

export async function recordMovedStudents(
  data: SchoolData,
  at: Date,
  moved: readonly { readonly id: number; readonly classId: number }[],
): Promise<void> {
  if (moved.length === 0) return;
  const places = sql`old.grade_id, old.id, ${currentPlace}`;
  const students = sql`
    unnest(${moved.map(({ id }) => id)}::bigint[], ${moved.map(({ classId }) => classId)}::bigint[]) AS m (id, class_id)
    JOIN student s ON s.id = m.id ${classOfStudent} JOIN class old ON old.school_id = s.school_id AND old.id = m.class_id`;
  const { schoolId } = data;
  const found = sql`
    SELECT 'student', array_agg(s.id ORDER BY s.id), ${places}, false, ${namesOfStudents}
    FROM ${students} WHERE s.school_id = ${schoolId} GROUP BY ${places}
    UNION ALL
    SELECT 'score', array_agg(r.id ORDER BY r.id), ${places}, true, jsonb_build_object('userId', r.student_id)
    FROM ${students} JOIN score_record r ON r.school_id = s.school_id AND r.student_id = s.id AND r.live
    WHERE s.school_id = ${schoolId} GROUP BY r.student_id, ${places}`;
  await recordSelectedChanges(data, at, found);
}

export async function recordChangedScores(data: SchoolData, at: Date, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const found = sql`
    SELECT 'score', array_agg(r.id ORDER BY r.id), ${currentPlace}, ${currentPlace}, false, NULL::jsonb
    FROM score_record r ${studentOfRecord} ${classOfStudent}
    WHERE r.school_id = ${data.schoolId} AND r.id = ANY(${ids}::bigint[]) GROUP BY c.grade_id, c.id`;
  await recordSelectedChanges(data, at, found);
}

export function recordRevokedScores(data: SchoolData, at: Date, ids: readonly number[]): Promise<void> {
  return recordRemovedScores(data, at, ids, sql`r.id`);
}

/** Records that the students' live point records leave the lists. Call this before they leave. */
export function recordEndedScores(data: SchoolData, at: Date, studentIds: readonly number[]): Promise<void> {
  return recordRemovedScores(data, at, studentIds, sql`r.live AND r.student_id`);
}

async function recordRemovedScores(
  data: SchoolData,
  at: Date,
  ids: readonly number[],
  which: typeof currentPlace,
) {
  if (ids.length === 0) return;
  const found = sql`
    SELECT 'score', array_agg(r.id ORDER BY r.id), ${currentPlace}, ${noPlace}, false, jsonb_build_object('userId', r.student_id)
    FROM score_record r ${studentOfRecord} ${classOfStudent}
    WHERE r.school_id = ${data.schoolId} AND ${which} = ANY(${ids}::bigint[])
    GROUP BY r.student_id, c.grade_id, c.id`;
  await recordSelectedChanges(data, at, found);
}

export async function eraseNamesFromFeed(data: SchoolData, ids: readonly number[]): Promise<void> {
  const names = ids.map(String);
  await data.execute(sql`
    UPDATE change SET keys = keys - ${names}::text[]
    WHERE school_id = ${data.schoolId} AND type = 'student' AND keys ?| ${names}::text[]`);
}
