import {
  type Body,
  type InternalOperations,
  type StudentAccount,
  StudentProfile,
} from '@classledger/contract';
import { sql } from 'kysely';
import type { AccountEvents } from '../../access/account-events.ts';
import { type InitialPasswords, passwordEndsAtField } from '../../access/initial-passwords.ts';
import { adminRange, type Responsibility } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Device } from '../../access/sessions.ts';
import { type StudentCaller, StudentSessions } from '../../access/student-sessions.ts';
import { requireStudent } from '../../access/targets.ts';
import type { SignInMethod } from '../../database/account-tables.ts';
import { notFound } from '../../errors/app-error.ts';
import { selectionOf } from '../../fields/fields.ts';
import { studentFields } from '../../fields/students.ts';
import { changeStudent } from './change-student.ts';
import { findStudent } from './list-students.ts';

export const belongsToSchool = (admin: Responsibility) => adminRange(admin) !== 'everything';

/** Shows a super administrator only whether there is an email address. @throws AppError not_found, out_of_range */
export async function readAccount(
  data: SchoolData,
  admin: Responsibility,
  id: number,
): Promise<StudentAccount> {
  const found = await findStudent(data, id, belongsToSchool(admin));
  if (found) return found;
  await requireStudent(data, id);
  throw notFound('The student');
}

const profiles = selectionOf(
  {
    ...studentFields,
    schoolId: { read: 'school.id', type: 'bigint' },
    schoolName: { read: 'school.name', type: 'text' },
    timeZone: { read: 'school.time_zone', type: 'text' },
    mustChangePassword: { read: 's.password_is_initial', type: 'boolean' },
  },
  StudentProfile,
);

/** @throws AppError not_found */
export async function readProfile(
  data: SchoolData,
  id: number,
  openedWith: SignInMethod = 'password',
): Promise<StudentProfile> {
  const found = data.fromStudents([sql`s.id = ${id}`], sql`JOIN school ON school.id = s.school_id`);
  const [profile] = await data.execute(profiles.select(found));
  if (!profile) throw notFound('The student');
  // A student who signed in at a provider has no password to change.
  return openedWith === 'provider' ? { ...profile, mustChangePassword: false } : profile;
}

/** Ignores a null email from a caller who cannot see the address and sends back a whole record, with `emailBound`. */
export function withoutHiddenEmail<T extends { readonly email?: string | null }>(
  admin: Responsibility,
  { email, ...rest }: T,
  sentReadOnly: { readonly emailBound?: unknown } | null,
) {
  const isHidden = email === null && !belongsToSchool(admin) && sentReadOnly?.emailBound === true;
  return email === undefined || isHidden ? rest : { ...rest, email };
}

/** @throws AppError not_found, out_of_range, conflict */
export async function changeAccount(
  passwords: InitialPasswords,
  data: SchoolData,
  admin: Responsibility,
  id: number,
  { password: given, ...change }: Body<InternalOperations['updateUser']>,
  at: Date,
): Promise<StudentAccount & { passwordEndsAt?: string | null }> {
  // Checks first, to avoid a slow hash for a missing student.
  if (given !== undefined) await requireStudent(data, id);
  const origin = `school ${data.schoolId}`;
  const password = given === undefined ? undefined : await passwords.create(given, 'given', at, origin);
  return data.transaction(async (own) => {
    await changeStudent(own, id, { ...change, password }, at);
    return { ...(await readAccount(own, admin, id)), ...(password && passwordEndsAtField(password)) };
  });
}

/* Lets students sign out their own sessions (docs/contract.md, Sessions). */

interface StudentSessionCall extends Device {
  readonly data: SchoolData;
  readonly student: StudentCaller;
  readonly session: string;
}

const accountOf = ({ data, student }: StudentSessionCall) => ({ schoolId: data.schoolId, id: student.id });

/** Signs out one of the caller's sessions, which can be the current one. @throws AppError not_found */
export async function endStudentSession(
  events: AccountEvents,
  call: StudentSessionCall,
  id: number,
): Promise<{ id: number }> {
  if (!(await StudentSessions.end(call.data, call.student.id, id))) throw notFound('The session');
  events.recordStudentEvent(accountOf(call), 'sessionEnded', call);
  return { id };
}

export async function endOtherStudentSessions(
  events: AccountEvents,
  call: StudentSessionCall,
): Promise<{ ended: number }> {
  const ended = await call.data.transaction((own) =>
    StudentSessions.closeAll(own, call.student.id, call.session),
  );
  if (ended > 0) events.recordStudentEvent(accountOf(call), 'otherSessionsEnded', call);
  return { ended };
}
