import { type InitialPassword, initialColumnsOfStudent } from '../../access/initial-passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { StudentSessions } from '../../access/student-sessions.ts';
import { lockStudent } from '../../access/targets.ts';
import { conflict, notFound, outOfRange, studentErased } from '../../app-error.ts';
import { violatedUnique } from '../../database/transaction.ts';
import { TotalsMove } from '../scores/ledger/plan.ts';
import { moveTotals, readDays } from '../scores/ledger/totals.ts';
import { freeSeatOf } from '../seats/seats.ts';

export interface StudentChange {
  readonly username?: string | undefined;
  readonly actualName?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly classId?: number | undefined;
  /** Hashed beforehand, outside the transaction. */
  readonly password?: InitialPassword | undefined;
  /** Null unbinds. */
  readonly email?: string | null | undefined;
}

/**
 * Changes a student inside a transaction. A move to another class takes the records along: totals and days of
 * both classes move with the student, the seat in the old one is free. A new password and disabling end the
 * student's sessions. A student whose personal data was erased can only be moved.
 *
 * @throws AppError not_found, out_of_range (student or target class), conflict (username taken, erased)
 */
export async function changeStudent(data: SchoolData, id: number, change: StudentChange, at: Date) {
  const student = await lockStudent(data, id);
  const { classId: _, ...ofPerson } = change;
  if (student.erasedAt !== null && Object.values(ofPerson).some((value) => value !== undefined)) {
    throw studentErased();
  }
  const classId = change.classId ?? student.classId;
  const disabled = change.disabled ?? student.disabled;
  const classes = await data.lockClasses([student.classId, classId]);
  // Its class may have left the range while the lock was awaited.
  if (!classes.has(student.classId)) throw outOfRange('The student');
  if (!classes.has(classId)) throw outOfRange(`Class ${classId}`);

  const moved = classId !== student.classId;
  const changed = await data
    .updateStudent(id)
    .set({
      class_id: classId,
      disabled,
      disabled_at: disabled ? (student.disabledAt ?? at) : null,
      // What is undefined stays as it is.
      username: change.username,
      actual_name: change.actualName,
      email: change.email,
      email_bound_at: change.email && at,
      ...(change.password && initialColumnsOfStudent(change.password)),
    })
    .returning([
      'id',
      'username',
      'actual_name as actualName',
      'class_id as classId',
      'disabled',
      'created_at as createdAt',
    ])
    .executeTakeFirst()
    .catch((error: unknown) => {
      if (violatedUnique(error) === null) throw error;
      throw conflict(`The username ${JSON.stringify(change.username)} is taken`);
    });
  if (!changed) throw notFound('The student');
  if (moved) {
    const days = await readDays(data, id);
    await moveTotals(data, new TotalsMove('out').student(student.classId, student.disabled, days));
    await moveTotals(data, new TotalsMove('in').student(classId, disabled, days));
    await freeSeatOf(data, id);
  } else if (disabled !== student.disabled) {
    await moveTotals(data, new TotalsMove(disabled ? 'in' : 'out').disabled(classId));
  }
  if (disabled || change.password) await StudentSessions.closeAll(data, id);
  return changed;
}

/**
 * Deletes a student with all records, in a transaction.
 *
 * @throws AppError not_found, out_of_range
 */
export async function deleteStudent(data: SchoolData, id: number) {
  const student = await lockStudent(data, id);
  const classes = await data.lockClasses([student.classId]);
  if (!classes.has(student.classId)) throw outOfRange('The student');
  const days = await readDays(data, id);
  await moveTotals(data, new TotalsMove('out').student(student.classId, student.disabled, days));
  await data.deleteFrom('score_record').where('student_id', '=', id).execute();
  await data.deleteFrom('student').where('id', '=', id).execute();
  return { id, username: student.username, classId: student.classId };
}
