import { sql } from 'kysely';
import { isGradeArchived } from '../../access/archived.ts';
import type { SchoolData } from '../../access/school-data.ts';

export type Structure = Awaited<ReturnType<typeof readStructure>>;

export async function readStructure(data: SchoolData) {
  const school = data.wholeSchool();
  return {
    grades: await school
      .grades()
      .select(['g.id', 'g.name', isGradeArchived.as('archived')])
      .orderBy('g.id')
      .execute(),
    classes: await school
      .classesUnjoined()
      .select(['c.id', 'c.grade_id as gradeId', 'c.name', 'c.archived'])
      .select(['c.student_count as students', 'c.record_count as records'])
      .orderBy('c.id')
      .execute(),
  };
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
