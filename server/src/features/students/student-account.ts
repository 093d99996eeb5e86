import type { Body, InternalOperations, StudentAccount, StudentProfile } from '@classledger/contract';
import { sql } from 'kysely';
import { type InitialPasswords, passwordEndsAtField } from '../../access/initial-passwords.ts';
import { adminRange, type Responsibility } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { requireStudent } from '../../access/targets.ts';
import { notFound } from '../../app-error.ts';
import type { SignInMethod } from '../../database/account-tables.ts';
import { changeStudent } from './change-student.ts';
import { findStudent } from './list-students.ts';

/** Here, and nowhere else, email addresses of students are read. */

/** Whether an administrator belongs to the school whose students it sees: a super administrator does not. */
const isOfSchool = (admin: Responsibility) => adminRange(admin) !== 'everything';

/**
 * One student as an administrator sees it. Who is not of the school learns whether there is an email address and
 * since when, not the address.
 *
 * @throws AppError not_found, out_of_range
 */
export async function readAccount(
  data: SchoolData,
  admin: Responsibility,
  id: number,
): Promise<StudentAccount> {
  const email = sql<{ email: string | null }>`, ${isOfSchool(admin) ? sql`s.email` : sql`NULL`} AS email`;
  const found = await findStudent(data, id, email);
  if (found) return found;
  await requireStudent(data, id);
  throw notFound('The student');
}

/**
 * A student as that student sees itself.
 *
 * @param openedWith how the student has signed in
 * @throws AppError not_found
 */
export async function readProfile(
  data: SchoolData,
  id: number,
  openedWith: SignInMethod = 'password',
): Promise<StudentProfile> {
  const profile = await data
    .students()
    .innerJoin('school', 'school.id', 's.school_id')
    .where('s.id', '=', id)
    .select([
      's.id',
      's.username',
      's.actual_name as actualName',
      'school.id as schoolId',
      'school.name as schoolName',
      'school.time_zone as timeZone',
      'g.id as gradeId',
      'g.name as gradeName',
      'c.id as classId',
      'c.name as className',
      's.email',
      's.email_bound_at as emailBoundAt',
      's.total_score as totalScore',
      's.add_score as addScore',
      's.deduct_score as deductScore',
      's.score_count as scoreCount',
      's.password_is_initial as mustChangePassword',
    ])
    .executeTakeFirst();
  if (!profile) throw notFound('The student');
  // Who comes from a provider has no password to change.
  return openedWith === 'provider' ? { ...profile, mustChangePassword: false } : profile;
}

/**
 * Leaves an address alone that its sender could not see: whoever sends back a whole record with an address (`emailBound`) sends
 * null for it.
 */
export function withoutHiddenEmail<T extends { readonly email?: string | null }>(
  admin: Responsibility,
  { email, ...rest }: T,
  sentBack: { readonly emailBound?: unknown } | null,
) {
  const isHidden = email === null && !isOfSchool(admin) && sentBack?.emailBound === true;
  return email === undefined || isHidden ? rest : { ...rest, email };
}

/** Changes a student as an administrator may. @throws AppError not_found, out_of_range, conflict */
export async function changeAccount(
  passwords: InitialPasswords,
  data: SchoolData,
  admin: Responsibility,
  id: number,
  { password: given, ...change }: Body<InternalOperations['updateUser']>,
  at: Date,
): Promise<StudentAccount & { passwordEndsAt?: string | null }> {
  // Nothing is hashed for no one.
  if (given !== undefined) await requireStudent(data, id);
  const password =
    given === undefined ? undefined : await passwords.create(given, 'given', at, originOf(data));
  return data.transaction(async (own) => {
    await changeStudent(own, id, { ...change, password }, at);
    return { ...(await readAccount(own, admin, id)), ...(password && passwordEndsAtField(password)) };
  });
}

const originOf = (data: SchoolData) => `school ${data.schoolId}`;
