import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { isGradeArchived } from '../../access/archived.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { recordClassChange, recordMovedClasses } from '../../changes/record-structure-changes.ts';

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

interface ClassPlacement {
  readonly found: { readonly id: number; readonly gradeId: number; readonly name: string };
  readonly gradeId: number;
  readonly name: string;
  readonly archived: boolean;
}

/** Moves locked classes with their administrators, and records it. Temporary names let classes swap names. */
export async function placeClasses(
  data: SchoolData,
  placements: readonly ClassPlacement[],
  at: Date,
): Promise<void> {
  const { schoolId } = data;
  const ids = placements.map(({ found }) => found.id);
  await data.execute(sql`
    UPDATE class SET name = ${randomUUID()}::text || ' ' || id WHERE school_id = ${schoolId} AND id = ANY(${ids}::bigint[])`);
  const target = sql`unnest(${ids}::bigint[], ${placements.map(({ gradeId }) => gradeId)}::bigint[],
    ${placements.map(({ name }) => name)}::text[], ${placements.map(({ archived }) => archived)}::boolean[])
    AS n (id, grade_id, name, archived)`;
  await data.execute(sql`
    UPDATE class c SET grade_id = n.grade_id, name = n.name, archived = n.archived, updated_at = ${at.toISOString()}::timestamptz
    FROM ${target} WHERE c.school_id = ${schoolId} AND c.id = n.id`);
  // Class administrators' rows name the grade of their class.
  await data.execute(sql`
    UPDATE admin a SET grade_id = n.grade_id FROM ${target}
    WHERE a.school_id = ${schoolId} AND a.class_id = n.id`);
  const changesGrade = ({ found, gradeId }: ClassPlacement) => found.gradeId !== gradeId;
  const moved = placements.filter(changesGrade);
  await recordMovedClasses(
    data,
    at,
    moved.map(({ found: { id, name, gradeId } }) => ({ id, name, fromGradeId: gradeId })),
  );
  for (const placement of placements) {
    if (!changesGrade(placement)) await recordClassChange(data, at, placement.found, 'updated');
  }
}
