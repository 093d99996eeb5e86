import type { Role } from '@classledger/contract';
import { hashPassword } from '../src/access/passwords.ts';
import { AdminClient } from './identities.ts';
import { createSampleSchool, openSchool, type SampleSchool, type TestApp } from './test-app.ts';

export interface NewAdmin {
  readonly username: string;
  readonly role: Role;
  /** Null for a super admin only. */
  readonly schoolId: number | null;
  /** Of a class admin: the grade of its class. */
  readonly gradeId?: number | null;
  readonly classId?: number | null;
  readonly password?: string;
}

/** A signed-in administrator. */
export type Staff = AdminClient & { readonly id: number; readonly username: string };

/** Stores an administrator and signs in as that one through the API. */
export async function createAdmin(test: TestApp, admin: NewAdmin): Promise<Staff> {
  const { username, role, schoolId, gradeId = null, classId = null } = admin;
  const password = admin.password ?? `password of ${username}`;
  const { id } = await test.database.db
    .insertInto('admin')
    .values({
      username,
      password_hash: await hashPassword(password),
      role,
      school_id: schoolId,
      grade_id: gradeId,
      class_id: classId,
      created_at: test.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const client = await AdminClient.signIn(test.app.http, username, password);
  return Object.assign(client, { id, username });
}

/** One administrator of every role below the super admin: of a school, its first grade and its first class. */
export async function createStaff(test: TestApp, school: SampleSchool) {
  const [grade] = school.grades;
  const [first] = grade.classes;
  const place = { schoolId: school.id, gradeId: grade.id };
  const [ofSchool, ofGrade, ofClass] = await Promise.all([
    createAdmin(test, { username: `head-${school.id}`, role: 'school_admin', schoolId: school.id }),
    createAdmin(test, { username: `grade-head-${school.id}`, role: 'grade_admin', ...place }),
    createAdmin(test, { username: `teacher-${school.id}`, role: 'class_admin', ...place, classId: first.id }),
  ]);
  return { ofSchool, ofGrade, ofClass };
}

/** As `openSchool`, with administrators of the school and with another school, which has none. */
export async function openStaffedSchool(...how: Parameters<typeof openSchool>) {
  const opened = await openSchool(...how);
  const other = await createSampleSchool(opened.admin, 'Other School');
  return { ...opened, other, staff: await createStaff(opened.test, opened.school) };
}

export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** By lower-case name; empty for a flag. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The cookie of the session, or the one by which a device is known, that an answer sets; null when it does not. */
export function setCookieOf(
  headers: Record<string, unknown>,
  which: 'session' | 'device' | 'challenge' = 'session',
): SetCookie | null {
  const all = [headers['set-cookie'] ?? []].flat().map(String);
  const header = all.find((text) => text.split('=', 1)[0]?.endsWith(`_${which}`));
  if (header === undefined) return null;
  const [pair = '', ...rest] = header.split('; ');
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  const attributes = rest.map((text) => {
    const [key = '', content = ''] = text.split(/=(.*)/s);
    return [key.toLowerCase(), content];
  });
  return { name, value, attributes: Object.fromEntries(attributes) };
}
