import { covers } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { conflict, notFound, outOfRange } from '../../app-error.ts';
import { subtractRecord } from './class-totals.ts';
import type { Author } from './score-ledger.ts';

/**
 * Takes one score record back, in a transaction: it stays stored, with who revoked it and when, and counts
 * nowhere from then on.
 *
 * @throws AppError not_found (also when it is revoked already), out_of_range, conflict (closed term)
 */
export async function revokeScore(data: SchoolData, recordId: number, author: Author, at: Date) {
  const studentId = await data.studentOfRecord(recordId);
  if (studentId === null) throw notFound('The score record');
  await data.lockStudents((student) => student.where('id', '=', studentId));
  const student = await data
    .wholeSchool()
    .students()
    .where('s.id', '=', studentId)
    .select(['s.username', 's.class_id as classId', 'c.grade_id as gradeId'])
    .executeTakeFirst();
  if (!student) throw notFound('The score record');
  if (!covers(data.range, { schoolId: data.schoolId, gradeId: student.gradeId, classId: student.classId })) {
    throw outOfRange('The score record');
  }
  const classes = await data.lockClasses([student.classId]);
  // The class may have left the range while the lock was awaited.
  if (!classes.has(student.classId)) throw outOfRange('The score record');
  const revoked = await data
    .updateRecord(recordId)
    .where('live', '=', true)
    .set({
      live: false,
      revoked_at: at,
      revoked_by_token_id: author.tokenId,
      revoked_by_admin_id: author.adminId,
    })
    .returning(['score_change as change', 'created_at as createdAt'])
    .executeTakeFirst();
  if (!revoked) {
    if (await data.isOfClosedTerm(recordId)) throw conflict('The score record belongs to a closed term');
    throw notFound('The score record');
  }
  await subtractRecord(data, { studentId, classId: student.classId, ...revoked });
  return {
    logId: recordId,
    userId: studentId,
    username: student.username,
    revokedScoreChange: revoked.change,
  };
}
