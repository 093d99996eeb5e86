import type { SchoolData } from '../../access/school-data.ts';
import { lockStudent } from '../../access/targets.ts';
import { conflict, notFound, outOfRange } from '../../app-error.ts';
import { violatedUnique } from '../../database/transaction.ts';
import { addStudent, countDisabled, subtractStudent } from '../scores/class-totals.ts';

export interface StudentChange {
  readonly username?: string | undefined;
  readonly actualName?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly classId?: number | undefined;
}

/**
 * Changes a student inside a transaction. A move to another class takes the records along: totals and days of
 * both classes move with the student.
 *
 * @throws AppError not_found, out_of_range (student or target class), conflict (username taken)
 */
export async function changeStudent(data: SchoolData, id: number, change: StudentChange) {
  const student = await lockStudent(data, id);
  const classId = change.classId ?? student.classId;
  const disabled = change.disabled ?? student.disabled;
  const classes = await data.lockClasses([student.classId, classId]);
  // Its class may have left the range while the lock was awaited.
  if (!classes.has(student.classId)) throw outOfRange('The student');
  if (!classes.has(classId)) throw outOfRange(`Class ${classId}`);

  const moved = classId !== student.classId;
  if (moved) await subtractStudent(data, id, student.classId);
  const changed = await data
    .updateStudent(id)
    .set({
      class_id: classId,
      disabled,
      username: change.username ?? student.username,
      actual_name: change.actualName ?? student.actualName,
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
  if (moved) await addStudent(data, id, classId);
  else if (disabled !== student.disabled) await countDisabled(data, classId, disabled ? 1 : -1);
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
  await subtractStudent(data, id, student.classId);
  await data.deleteFrom('score_record').where('student_id', '=', id).execute();
  await data.deleteFrom('student').where('id', '=', id).execute();
  return { id, username: student.username, classId: student.classId };
}
