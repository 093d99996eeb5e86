import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import type { Grade, SchoolClass, Structure } from './plan.ts';

export async function readStructure(data: SchoolData): Promise<Structure> {
  const grades = await data.execute(sql<Grade>`
    SELECT id, name, archived_at IS NOT NULL AS archived FROM grade
    WHERE school_id = ${data.schoolId} ORDER BY id`);
  const classes = await data.execute(sql<SchoolClass>`
    SELECT id, grade_id AS "gradeId", name, archived, student_count AS students, record_count AS records FROM class
    WHERE school_id = ${data.schoolId} ORDER BY id`);
  return { grades, classes };
}

/** Locks the school, then its grades, so that grades and classes stay unchanged until the transaction ends. */
export async function lockGrades(data: SchoolData): Promise<void> {
  await data.lockSchool();
  // Prevents new classes too, because adding a class locks its grade.
  await data.execute(sql`SELECT 1 FROM grade WHERE school_id = ${data.schoolId} ORDER BY id FOR UPDATE`);
}

/** Locks all classes of the school. The caller locks the affected students first. */
export async function lockAllClasses(data: SchoolData): Promise<void> {
  await data.execute(
    sql`SELECT 1 FROM class WHERE school_id = ${data.schoolId} ORDER BY id FOR NO KEY UPDATE`,
  );
}
