import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import type { Grade, SchoolClass, Structure } from './plan.ts';

/** All grades and classes of the school as they are now. */
export async function readStructure(data: SchoolData): Promise<Structure> {
  const grades = await data.execute(sql<Grade>`
    SELECT id, name, archived_at IS NOT NULL AS archived FROM grade
    WHERE school_id = ${data.schoolId} ORDER BY id`);
  const classes = await data.execute(sql<SchoolClass>`
    SELECT id, grade_id AS "gradeId", name, archived, student_count AS students, record_count AS records FROM class
    WHERE school_id = ${data.schoolId} ORDER BY id`);
  return { grades, classes };
}

/**
 * Keeps grades and classes as they are until the transaction ends: the school first, then its grades, in the order of
 * locks.
 */
export async function lockGrades(data: SchoolData): Promise<void> {
  await data.lockSchool();
  // A transaction that adds a class locks its grade, so it waits here.
  await data.execute(sql`SELECT 1 FROM grade WHERE school_id = ${data.schoolId} ORDER BY id FOR UPDATE`);
}

/** All classes of the school, after the students who are concerned. */
export async function lockAllClasses(data: SchoolData): Promise<void> {
  await data.execute(
    sql`SELECT 1 FROM class WHERE school_id = ${data.schoolId} ORDER BY id FOR NO KEY UPDATE`,
  );
}
