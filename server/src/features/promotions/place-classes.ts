import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';

/** A class, and where it is to be. */
export interface PlacedClass {
  readonly id: number;
  readonly gradeId: number;
  readonly name: string;
  readonly archived: boolean;
}

/**
 * Puts locked classes where they are to be, with the administrators who are responsible for them. Names that change places have
 * others in between: a name is there once in a grade at any moment.
 */
export async function placeClasses(
  data: SchoolData,
  placed: readonly PlacedClass[],
  at: Date,
): Promise<void> {
  const { schoolId } = data;
  const ids = placed.map(({ id }) => id);
  await data.execute(sql`
    UPDATE class SET name = ${randomUUID()}::text || ' ' || id WHERE school_id = ${schoolId} AND id = ANY(${ids}::bigint[])`);
  const target = sql`unnest(${ids}::bigint[], ${placed.map(({ gradeId }) => gradeId)}::bigint[],
    ${placed.map(({ name }) => name)}::text[], ${placed.map(({ archived }) => archived)}::boolean[])
    AS n (id, grade_id, name, archived)`;
  await data.execute(sql`
    UPDATE class c SET grade_id = n.grade_id, name = n.name, archived = n.archived, updated_at = ${at.toISOString()}::timestamptz
    FROM ${target} WHERE c.school_id = ${schoolId} AND c.id = n.id`);
  // The grade of a class administrator is that of the class.
  await data.execute(sql`
    UPDATE admin a SET grade_id = n.grade_id FROM ${target}
    WHERE a.school_id = ${schoolId} AND a.class_id = n.id`);
}
