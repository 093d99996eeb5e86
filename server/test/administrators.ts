import type { PromotionPreview, Role } from '@classledger/contract';
import { hashPassword } from '../src/access/passwords.ts';
import { AdminClient } from './identities.ts';
import { createSampleSchool, openSchool, type SampleSchool, startTestApp, type TestApp } from './test-app.ts';

export interface NewAdmin {
  readonly username: string;
  readonly role: Role;
  /** Null for a super administrator only. */
  readonly schoolId: number | null;
  readonly gradeId?: number | null;
  readonly classId?: number | null;
  readonly teaches?: readonly number[];
  readonly password?: string;
}

export type Staff = AdminClient & { readonly id: number; readonly username: string };

/** Stores an administrator and signs in through the API. */
export async function createAdmin(test: TestApp, admin: NewAdmin): Promise<Staff> {
  const { username, role, schoolId, gradeId = null, classId = null, teaches = [] } = admin;
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
  for (const taught of teaches)
    await test.database.db
      .insertInto('teaching')
      .values({ admin_id: id, school_id: schoolId ?? 0, class_id: taught, created_at: test.clock.now() })
      .execute();
  const client = await AdminClient.signIn(test.app.http, username, password);
  return Object.assign(client, { id, username });
}

/** Creates an administrator of a school, of its first grade and of its first class. */
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

/** Opens a school like `openSchool`, with administrators and a second school without any. */
export async function openStaffedSchool(...how: Parameters<typeof openSchool>) {
  const opened = await openSchool(...how);
  const other = await createSampleSchool(opened.admin, 'Other School');
  return { ...opened, other, staff: await createStaff(opened.test, opened.school) };
}

/** Opens two sample schools with staff of every role, and returns helpers that create more staff. */
export async function openStaffWorld(env: Record<string, string> = {}) {
  const test = await startTestApp(env);
  const chief = await createAdmin(test, { username: 'chief', role: 'super_admin', schoolId: null });
  const school = await createSampleSchool(chief, 'School of the staff');
  const other = await createSampleSchool(chief, 'Other school');
  const staff = await createStaff(test, school);
  const [grade, otherGrade] = school.grades;
  const [first, second] = grade.classes;
  const [elsewhere] = other.grades;
  const [third, foreign] = [otherGrade.classes[0], elsewhere.classes[0]];
  let names = 0;
  const newName = (what = 'new') => `${what} ${++names}`;
  const member = (
    role: Role,
    where: { gradeId?: number; classId?: number; teaches?: readonly number[] } = {},
    schoolId = school.id,
  ): Promise<Staff> => {
    const place = { schoolId: role === 'super_admin' ? null : schoolId, ...where };
    return createAdmin(test, { username: newName(role), role, ...place });
  };
  /** Moves the clock to the next day in steps, because an unused session would end. */
  const nextDay = async (): Promise<void> => {
    for (let hours = 0; hours < 24; hours += 8) {
      test.clock.advance(8 * 3_600_000);
      for (const person of [chief, ...Object.values(staff)]) await person.get('/auth/me');
    }
  };
  return {
    ...{ test, chief, school, other, staff, newName, member, nextDay },
    places: { grade, otherGrade, first, second, third, elsewhere, foreign },
    gradeHead: () => member('grade_admin', { gradeId: grade.id }),
    teacher: () => member('class_admin', { gradeId: grade.id, classId: first.id }),
  };
}

type PreviewedClass = PromotionPreview['classes'][number];

/** Returns the body of a promotion that does what its preview proposes, or what `decide` returns for each class. */
export async function plannedPromotion(
  by: AdminClient,
  schoolDb: string,
  decide = ({ toGradeId, name }: PreviewedClass) => ({ gradeId: toGradeId, name }),
) {
  const preview = await by.created<PromotionPreview>('/admin/promotions/preview', { schoolDb });
  const { fingerprint, graduatedGradeName } = preview;
  const classes = preview.classes.map((found) => ({ classId: found.classId, ...decide(found) }));
  return { schoolDb, fingerprint, graduatedGradeName, classes };
}

export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** By lower-case name; a flag has an empty value. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Returns the session, device or challenge cookie that an answer sets, or null. */
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
