import type { Body, InternalOperations } from '@classledger/contract';
import type { AccountEvents } from '../../access/account-events.ts';
import { requireWritable } from '../../access/archived.ts';
import {
  type InitialPasswords,
  initialStudentPasswordColumns,
  passwordEndsAtField,
} from '../../access/initial-passwords.ts';
import { hashConcurrency, pronounceablePassword } from '../../access/passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { StudentSessions } from '../../access/student-sessions.ts';
import { requireStudent } from '../../access/targets.ts';
import { forEachLimited } from '../../concurrency/for-each-limited.ts';
import { anyOf } from '../../database/expressions.ts';
import { notFound, studentErased } from '../../errors/app-error.ts';
import { type KeyedCall, ReplayedAnswer, runOncePrepared } from '../../idempotency/idempotency-keys.ts';
import { changeStudent } from './change-student.ts';
import { issuePrintedCodes } from './sign-in-code.ts';

/** @throws AppError not_found, out_of_range, conflict (erased, archived) */
export async function resetPassword(
  passwords: InitialPasswords,
  events: AccountEvents,
  data: SchoolData,
  studentId: number,
  at: Date,
) {
  await requireStudent(data, studentId);
  const { initialPassword, stored } = await preparePassword(passwords, data, at);
  const reset = await data.transaction(async (own) => {
    const { id, username } = await changeStudent(own, studentId, { password: stored }, at);
    const signInCode = (await issuePrintedCodes(own, [id], stored, at)).get(id) as string;
    return { id, username, initialPassword, signInCode, ...passwordEndsAtField(stored) };
  });
  events.recordStudentEvent({ schoolId: data.schoolId, id: studentId }, 'passwordReset', null);
  return reset;
}

/**
 * Resets all or none; `onlyInitial` skips students' own passwords. @throws AppError not_found, out_of_range, conflict
 */
export async function resetPasswords(
  passwords: InitialPasswords,
  events: AccountEvents,
  call: KeyedCall & { readonly body: Body<InternalOperations['resetUserPasswords']> },
) {
  const { data, at, body } = call;
  const ids = [...new Set(body.userIds)];
  const isSelected = ({ isInitial }: { readonly isInitial: boolean }) => isInitial || !body.onlyInitial;
  const prepareAll = async () => {
    const selected = (await readStudents(data, body.classId, ids)).filter(isSelected);
    const prepared = new Map<number, Awaited<ReturnType<typeof preparePassword>>>();
    // Limits the hashes of one request, so that several requests share the process's hashing queue.
    await forEachLimited(selected, hashConcurrency, async ({ id }) => {
      prepared.set(id, await preparePassword(passwords, data, at));
    });
    return prepared;
  };
  const reset = await runOncePrepared(call, prepareAll, async (own, prepared) => {
    await own.lockStudents((students) => students.where('id', '=', anyOf(ids)));
    requireWritable(await own.lockClasses([body.classId]), body.classId, 'The class');
    const locked = await readStudents(own, body.classId, ids);
    const students = [];
    for (const { id, username } of locked.filter(isSelected)) {
      // Skips a student whose password became initial after passwords were prepared.
      const password = prepared.get(id);
      if (!password) continue;
      const row = own.updateTable('student').where('id', '=', id);
      await row.set(initialStudentPasswordColumns(password.stored)).execute();
      await StudentSessions.closeAll(own, id);
      students.push({
        id,
        username,
        initialPassword: password.initialPassword,
        ...passwordEndsAtField(password.stored),
      });
    }
    const [any] = prepared.values();
    const resetIds = students.map(({ id }) => id);
    const codes = await issuePrintedCodes(own, resetIds, any?.stored, at);
    return {
      students: students.map((student) => ({ ...student, signInCode: codes.get(student.id) as string })),
    };
  });
  if (reset instanceof ReplayedAnswer) return reset;
  for (const { id } of reset.students)
    events.recordStudentEvent({ schoolId: data.schoolId, id }, 'passwordReset', null);
  return reset;
}

/** @throws AppError not_found (a student is not in the class), conflict (a student is erased) */
async function readStudents(data: SchoolData, classId: number, ids: readonly number[]) {
  const rows = await data
    .students()
    .where('s.class_id', '=', classId)
    .where('s.id', '=', anyOf(ids))
    .select(['s.id', 's.username', 's.password_is_initial as isInitial', 's.erased_at as erasedAt'])
    .orderBy('s.id')
    .execute();
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw notFound(`Student ${missing} of the class`);
  if (rows.some(({ erasedAt }) => erasedAt !== null)) throw studentErased();
  return rows;
}

async function preparePassword(passwords: InitialPasswords, data: SchoolData, at: Date) {
  const initialPassword = pronounceablePassword();
  return {
    initialPassword,
    stored: await passwords.create(initialPassword, 'generated', at, `school ${data.schoolId}`),
  };
}
