import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';

export interface ClassPlacement {
  readonly id: number;
  readonly gradeId: number;
  readonly name: string;
  readonly archived: boolean;
}

/** Moves locked classes and their administrators. Sets temporary names first, so that classes can swap names. */
export async function placeClasses(
  data: SchoolData,
  placements: readonly ClassPlacement[],
  at: Date,
): Promise<void> {
  const { schoolId } = data;
  const ids = placements.map(({ id }) => id);
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
}
