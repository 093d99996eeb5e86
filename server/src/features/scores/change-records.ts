import { StudentTotals } from '@classledger/contract';
import { sql } from 'kysely';
import { requireWritable } from '../../access/archived.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { requireOwnWhereOnlyTaught } from '../../access/targets.ts';
import { recordRevokedScores } from '../../changes/record-student-changes.ts';
import { anyOf } from '../../database/expressions.ts';
import { conflict, notFound } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';
import type { Author } from './ledger/plan.ts';
import { applyTotals } from './ledger/totals.ts';
import { TotalsDelta } from './ledger/totals-delta.ts';

/** @throws AppError not_found (also: revoked already), out_of_range, conflict (closed term, archived class) */
export async function revokeScore(data: SchoolData, recordId: number, author: Author, at: Date) {
  const { students, revoked } = await revokeRecords(data, [recordId], author, at);
  const [record] = revoked;
  if (!record) throw notFound('The point record');
  const { username } = students.get(record.studentId) as RevokedStudent;
  return { logId: recordId, userId: record.studentId, username, revokedScoreChange: record.change };
}

/** Revokes all or none; skips revoked ones. @throws AppError not_found, out_of_range, conflict (closed, archived) */
export async function revokeScores(
  data: SchoolData,
  recordIds: readonly number[],
  author: Author,
  at: Date,
): Promise<{ revoked: number; students: StudentTotals[] }> {
  const { students, revoked } = await revokeRecords(data, [...new Set(recordIds)], author, at);
  return { revoked: revoked.length, students: await readTotals(data, [...students.keys()]) };
}

interface RevokedStudent {
  readonly id: number;
  readonly username: string;
  readonly classId: number;
}

/** Does not return records in `revoked` that were revoked before the call. */
async function revokeRecords(data: SchoolData, recordIds: readonly number[], author: Author, at: Date) {
  const students = await lockStudentsOfRecords(data, recordIds, author);
  const timeZone = await data.readTimeZone();
  const revoked = await data
    .updateTable('score_record')
    .where('id', '=', anyOf(recordIds))
    .where('live', '=', true)
    .set({
      live: false,
      revoked_at: at,
      revoked_by_token_id: author.tokenId,
      revoked_by_admin_id: author.adminId,
    })
    .returning([
      'id',
      'student_id as studentId',
      'score_change as change',
      'category_id as categoryId',
      sql<string>`(created_at AT TIME ZONE ${timeZone}::text)::date`.as('day'),
    ])
    .execute();
  if (revoked.length < recordIds.length) {
    const closed = await data
      .storedRecords(recordIds)
      .where('r.term_id', 'is not', null)
      .where('r.revoked_at', 'is', null)
      .select('r.id')
      .orderBy('r.id')
      .executeTakeFirst();
    if (closed) throw conflict(`${recordName(closed.id, recordIds)} belongs to a closed term`);
  }
  const totals = new TotalsDelta('out');
  for (const { studentId: id, change, day, categoryId } of revoked) {
    totals.addRecord({ id, classId: classOf(students, id) }, change, day, categoryId);
  }
  await applyTotals(data, totals);
  const revokedIds = revoked.map(({ id }) => id);
  await recordRevokedScores(data, at, revokedIds);
  return { students, revoked };
}

/** Locks the students of records, then their classes, and checks range, class and author as they are under the locks. */
export async function lockStudentsOfRecords(
  data: SchoolData,
  recordIds: readonly number[],
  author: Author,
): Promise<Map<number, RevokedStudent>> {
  const records = await data
    .storedRecords(recordIds)
    .select(['r.id', 'r.student_id as studentId', 'r.admin_id as adminId'])
    .execute();
  const found = new Set(records.map(({ id }) => id));
  const missing = recordIds.find((id) => !found.has(id));
  if (missing !== undefined) throw notFound(recordName(missing, recordIds));
  const ids = [...new Set(records.map((record) => record.studentId))];
  await data.lockStudents((students) => students.where('id', '=', anyOf(ids)));
  const rows = await data
    .wholeSchool()
    .students()
    .where('s.id', '=', anyOf(ids))
    .select(['s.id', 's.username', 's.class_id as classId'])
    .execute();
  const students = new Map(rows.map((row) => [row.id, row]));
  for (const { id, studentId } of records) {
    if (!students.has(studentId)) throw notFound(recordName(id, recordIds));
  }
  const classes = await data.lockClasses(rows.map((row) => row.classId));
  for (const { id, studentId } of records) {
    requireWritable(classes, classOf(students, studentId), recordName(id, recordIds));
  }
  const named = records.map(({ id, studentId, adminId }) => ({
    adminId,
    classId: classOf(students, studentId),
    what: recordName(id, recordIds),
  }));
  await requireOwnWhereOnlyTaught(data, author.adminId, named);
  return students;
}

const classOf = (students: ReadonlyMap<number, RevokedStudent>, studentId: number) =>
  (students.get(studentId) as RevokedStudent).classId;

/** Names a record in an error: by its id when the request has several records. */
export const recordName = (id: number, requestedIds: readonly number[]) =>
  requestedIds.length > 1 ? `The point record ${id}` : 'The point record';

function readTotals(data: SchoolData, studentIds: readonly number[]): Promise<StudentTotals[]> {
  return data
    .students()
    .where('s.id', '=', anyOf(studentIds))
    .select(columnsOf('s', StudentTotals))
    .orderBy('s.id')
    .execute();
}

/** Changes all notes or none. @throws AppError not_found, out_of_range, conflict (revoked, closed, erased, archived) */
export async function setScoreNotes(
  data: SchoolData,
  recordIds: readonly number[],
  author: Author,
  note: string | null,
) {
  const ids = [...new Set(recordIds)];
  const students = await lockStudentsOfRecords(data, ids, author);
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
