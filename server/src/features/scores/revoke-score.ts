import type { StudentTotals } from '@classledger/contract';
import { sql } from 'kysely';
import { requireWritable } from '../../access/archived.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { conflict, notFound } from '../../app-error.ts';
import { noteRevokedRecords } from '../../changes/note-people.ts';
import type { Author } from './ledger/plan.ts';
import { moveTotals } from './ledger/totals.ts';
import { TotalsMove } from './ledger/totals-move.ts';

/**
 * Takes one score record back, in a transaction: it stays stored, with who revoked it and when, and counts
 * nowhere from then on.
 *
 * @throws AppError not_found (also when it is revoked already), out_of_range, conflict (closed term)
 */
export async function revokeScore(data: SchoolData, recordId: number, author: Author, at: Date) {
  const { students, revoked } = await takeBack(data, [recordId], author, at);
  const [record] = revoked;
  if (!record) throw notFound('The score record');
  const { username } = students.get(record.studentId) as RevokedStudent;
  return { logId: recordId, userId: record.studentId, username, revokedScoreChange: record.change };
}

/**
 * Takes score records back in one transaction: all of them, or none. One that is revoked already counts as done.
 *
 * @returns how many were taken back now, and where their students stand after it
 * @throws AppError not_found, out_of_range, conflict (closed term)
 */
export async function revokeScores(
  data: SchoolData,
  recordIds: readonly number[],
  author: Author,
  at: Date,
): Promise<{ revoked: number; students: StudentTotals[] }> {
  const { students, revoked } = await takeBack(data, [...new Set(recordIds)], author, at);
  return { revoked: revoked.length, students: await readTotals(data, [...students.keys()]) };
}

interface RevokedStudent {
  readonly username: string;
  readonly classId: number;
}

/** The one rule behind both: records that are revoked already are left as they are and not among `revoked`. */
async function takeBack(data: SchoolData, recordIds: readonly number[], author: Author, at: Date) {
  const records = await data.storedRecords(recordIds).select(['r.id', 'r.student_id as studentId']).execute();
  if (records.length < recordIds.length) {
    const found = new Set(records.map((record) => record.id));
    throw notFound(nameOf(recordIds.filter((id) => !found.has(id))[0] as number, recordIds));
  }
  const students = await lockStudentsOf(data, records, recordIds);
  const timeZone = await data.readTimeZone();
  const revoked = await data
    .updateRecords(recordIds)
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
    if (closed) throw conflict(`${nameOf(closed.id, recordIds)} belongs to a closed term`);
  }
  const totals = new TotalsMove('out');
  for (const { studentId: id, change, day } of revoked) {
    totals.record({ id, classId: classOf(students, id) }, change, day);
  }
  await moveTotals(data, totals);
  await noteRevokedRecords(
    data,
    at,
    revoked.map(({ id }) => id),
  );
  return { students, revoked };
}

/**
 * Locks the students of records, then their classes, and checks that the range covers them. Locked first and read
 * after: who is moved or deleted while a lock is awaited, and whose class is, is judged as of then.
 */
export async function lockStudentsOf(
  data: SchoolData,
  records: readonly { id: number; studentId: number }[],
  recordIds: readonly number[],
): Promise<Map<number, RevokedStudent>> {
  const ids = [...new Set(records.map((record) => record.studentId))];
  await data.lockStudents((students) => students.where(sql<boolean>`id = ANY(${ids}::bigint[])`));
  const rows = await data
    .wholeSchool()
    .students()
    .where(sql<boolean>`s.id = ANY(${ids}::bigint[])`)
    .select(['s.id', 's.username', 's.class_id as classId'])
    .execute();
  const students = new Map(rows.map((row) => [row.id, row]));
  for (const { id, studentId } of records) {
    if (!students.has(studentId)) throw notFound(nameOf(id, recordIds));
  }
  const classes = await data.lockClasses(rows.map((row) => row.classId));
  for (const { id, studentId } of records) {
    requireWritable(classes, classOf(students, studentId), nameOf(id, recordIds));
  }
  return students;
}

const classOf = (students: ReadonlyMap<number, RevokedStudent>, studentId: number) =>
  (students.get(studentId) as RevokedStudent).classId;

/** How a record is spoken of: of several, it must be told which. */
export const nameOf = (id: number, among: readonly number[]) =>
  among.length > 1 ? `The score record ${id}` : 'The score record';

function readTotals(data: SchoolData, studentIds: readonly number[]): Promise<StudentTotals[]> {
  return data
    .students()
    .where(sql<boolean>`s.id = ANY(${studentIds}::bigint[])`)
    .select([
      's.id',
      's.class_id as classId',
      's.total_score as totalScore',
      's.add_score as addScore',
      's.deduct_score as deductScore',
      's.score_count as scoreCount',
    ])
    .orderBy('s.id')
    .execute();
}
