import { type Body, dayAt, type InternalOperations, type Picks } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { lockClass } from '../../access/targets.ts';
import { anyOf } from '../../database/expressions.ts';

/* A pick is today's date in the student's row. The pick moves with the student and is void the next day. */

export async function readPicks(data: SchoolData, classId: number, at: Date): Promise<Picks> {
  const day = dayAt(await data.timeZone(), at.getTime());
  const ofClass = data.students().where('s.class_id', '=', classId);
  const picked = await ofClass.where('s.picked_on', '=', day).select('s.id').orderBy('s.id').execute();
  return { classId, day, userIds: picked.map(({ id }) => id) };
}

/** Stores picks of today; ignores those of a past day. @throws AppError not_found, out_of_range, conflict (archived) */
export async function markPicks(
  data: SchoolData,
  { classId, day, userIds, againIds = [] }: Body<InternalOperations['markPicks']>,
  at: Date,
): Promise<Picks> {
  const named = [...new Set([...userIds, ...againIds])];
  await data.lockStudents((students) => students.where('id', '=', anyOf(named)));
  await lockClass(data, classId);
  const picks = await readPicks(data, classId, at);
  if (picks.day !== day || named.length === 0) return picks;
  await data.execute(sql`
    UPDATE student SET picked_on = CASE WHEN id = ANY(${userIds}::bigint[]) THEN ${day}::date END
    WHERE school_id = ${data.schoolId} AND class_id = ${classId} AND id = ANY(${named}::bigint[])
      AND erased_at IS NULL`);
  return readPicks(data, classId, at);
}
