import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
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
    .updateRecords(ids)
    .where('live', '=', true)
    .where(
      sql<boolean>`student_id IN (SELECT id FROM student WHERE school_id = ${data.schoolId} AND erased_at IS NULL)`,
    )
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
  const [student] = await data.execute(sql<{ id: number; username: string }>`
    SELECT s.id, s.username ${data.fromStudents([sql`s.id = ${others.length === 0 ? studentId : 0}`])}`);
  return { ids, note: note || null, id: student?.id ?? null, username: student?.username ?? null };
}
