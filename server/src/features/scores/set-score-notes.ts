import type { SchoolData } from '../../access/school-data.ts';
import { anyOf } from '../../database/expressions.ts';
import { conflict } from '../../errors/app-error.ts';
import { lockStudentsOfRecords, recordName } from './revoke-score.ts';

/** Changes all notes or none. @throws AppError not_found, out_of_range, conflict (revoked, closed, erased, archived) */
export async function setScoreNotes(data: SchoolData, recordIds: readonly number[], note: string | null) {
  const ids = [...new Set(recordIds)];
  const students = await lockStudentsOfRecords(data, ids);
  const updated = await data
    .updateTable('score_record')
    .where('id', '=', anyOf(ids))
    .where('live', '=', true)
    .where('student_id', 'in', data.selectFrom('student').where('erased_at', 'is', null).select('id'))
    .set({ note: note || null })
    .returning('id')
    .execute();
  const done = new Set(updated.map(({ id }) => id));
  const refused = ids.find((id) => !done.has(id));
  if (refused !== undefined) {
    throw conflict(
      `${recordName(refused, ids)} is revoked, belongs to a closed term, or to a student who was erased`,
    );
  }
  const [first, ...others] = students.values();
  const only = others.length === 0 ? first : undefined;
  return { ids, note: note || null, id: only?.id ?? null, username: only?.username ?? null };
}
