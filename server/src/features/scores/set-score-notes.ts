import type { SchoolData } from '../../access/school-data.ts';
import { anyOf } from '../../database/expressions.ts';
import { conflict, notFound } from '../../errors/app-error.ts';
import { lockStudentsOfRecords, recordName } from './revoke-score.ts';

/** Changes all notes or none. @throws AppError not_found, out_of_range, conflict (revoked, closed, erased, archived) */
export async function setScoreNotes(data: SchoolData, recordIds: readonly number[], note: string | null) {
  const ids = [...new Set(recordIds)];
  const records = await data.storedRecords(ids).select(['r.id', 'r.student_id as studentId']).execute();
  const found = new Set(records.map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw notFound(recordName(missing, ids));
  await lockStudentsOfRecords(data, records, ids);
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
  const [studentId = 0, ...others] = new Set(records.map((record) => record.studentId));
  const student = await data
    .students()
    .where('s.id', '=', others.length === 0 ? studentId : 0)
    .select(['s.id', 's.username'])
    .executeTakeFirst();
  return { ids, note: note || null, id: student?.id ?? null, username: student?.username ?? null };
}
