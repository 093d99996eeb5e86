import type { StudentAccount, StudentProfile } from '@classledger/contract';
import { sql } from 'kysely';
import { adminRange, type Responsibility } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { requireStudent } from '../../access/targets.ts';
import { notFound } from '../../app-error.ts';
import { findStudent } from './list-students.ts';

/** Here, and nowhere else, e-mail addresses of students are read. */

/** Whether an administrator belongs to the school whose students it sees: a super administrator does not. */
const isOfSchool = (admin: Responsibility) => adminRange(admin) !== 'everything';

/**
 * One student as an administrator sees it. Who is not of the school learns whether there is an e-mail address and
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

/** A student as that student sees itself. @throws AppError not_found */
export async function readProfile(data: SchoolData, id: number): Promise<StudentProfile> {
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
    ])
    .executeTakeFirst();
  if (!profile) throw notFound('The student');
  return profile;
}
