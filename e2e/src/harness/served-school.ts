import type { Student } from '@classledger/contract';
import type { Page } from 'playwright-core';
import {
  createSampleSchool,
  startTestApp,
  studentPassword,
  superAdmin,
  type TestApp,
} from '../../../server/test/test-app.ts';
import { openWatchedPage, type PageOptions, type WatchedPage } from './browser.ts';
import { navigateInApp } from './page-actions.ts';

export const people = {
  super: superAdmin,
  school: { username: 'office', password: 'password of the school' },
  grade: { username: 'head', password: 'password of the grade' },
  class: { username: 'teacher', password: 'password of the class' },
  teacher: { username: 'subject', password: 'password of the subject' },
} as const;

export type Person = keyof typeof people;

/** Starts the app with two grades of two classes, three students each, and an administrator of each role. */
export async function startServedSchool() {
  const app = await startTestApp();
  const admin = await app.signIn();
  const school = await createSampleSchool(admin);
  const [grade] = school.grades;
  const classId = grade.classes[0].id;
  const add = (body: object) => admin.created('/admin/manage', { schoolId: school.id, ...body });
  await add({ ...people.school, role: 'school_admin' });
  await add({ ...people.grade, role: 'grade_admin', gradeId: grade.id });
  await add({ ...people.class, role: 'class_admin', classId });
  const teaches = school.grades.map(({ classes }) => ({ classId: classes[0].id }));
  await add({ ...people.teacher, role: 'teacher', teaches });
  await markPasswordsAsChosen(app);
  return { app, admin, school, classId, origin: await app.listen() };
}

/** Signs a person in and replaces an earlier session of the browser. */
export async function signInAs(
  { context, origin }: Pick<WatchedPage, 'context' | 'origin'>,
  who: Person,
): Promise<void> {
  await context.request.post(`${origin}/api/auth/login`, { data: { ...people[who], confirmations: true } });
}

/** Opens a page of the administrators' app, signed in. `prepare` runs before the page opens. */
export async function openAdminPageAs(
  { origin }: Pick<WatchedPage, 'origin'>,
  who: Person,
  path: string,
  { prepare, ...options }: PageOptions & { readonly prepare?: (page: Page) => Promise<void> } = {},
) {
  const watched = await openWatchedPage(origin, options);
  const { page } = watched;
  await signInAs(watched, who);
  await page.addInitScript(
    `localStorage.setItem('classledger.admin-signed-in', '1');
     localStorage.setItem('classledger.language', 'en');`,
  );
  await prepare?.(page);
  await page.goto(`${origin}/admin${path}`);
  return {
    ...watched,
    /** Opens another page of the app, like a link. */
    goOn: (path: string) => navigateInApp(page, new URL(`${origin}/admin${path}`)),
  };
}

/** Returns the body of an application by which a school asks to be created. */
export const applicationOf = (schoolName: string) => ({
  schoolName,
  applicantName: 'Mei Zhao',
  contactPhone: '+86 10 5550 0142',
  reason: 'Grades 1 to 3 would like to use points.',
});

/** Marks every existing password as chosen by its owner, so that the pages ask for no new one. */
export async function markPasswordsAsChosen({ database: { db } }: TestApp): Promise<void> {
  const own = { password_is_initial: false, password_expires_at: null };
  await db.updateTable('admin').set(own).execute();
  await db.updateTable('student').set(own).execute();
}

type Create = <T>(path: string, body: object) => Promise<T>;

/** Creates a seated class of sixty with three templates and a class administrator. */
export async function seedScoringSchool(create: Create): Promise<{ schoolDb: string; classId: number }> {
  const school = await create<{ id: number; schoolDb: string }>('/schools', { name: 'Riverside' });
  const { schoolDb } = school;
  const add = (path: string, body: object) => create<{ id: number }>(path, { schoolDb, ...body });
  const { id: gradeId } = await add('/grades', { name: 'Grade 1' });
  const { id: classId } = await add('/classes', { gradeId, name: 'Class A' });
  const students = Array.from({ length: 60 }, (_, index) => ({
    username: `s${String(index + 1).padStart(2, '0')}`,
    actualName: `Student ${index + 1}`,
  }));
  await add('/users', { classId, defaultPassword: studentPassword, students });
  await add('/seats/data/generate', { classId, groupCount: 4, rowsPerGroup: 8, colsPerGroup: 2 });
  for (const [name, scoreChange] of Object.entries({ Answered: 1, Homework: 2, Late: -1 }))
    await add('/scores/templates', { name, scoreChange });
  await create('/admin/manage', { schoolId: school.id, classId, role: 'class_admin', ...people.class });
  return { schoolDb, classId };
}

/** Starts the app with its pages for one test file. */
export async function startScoringSchool() {
  const app = await startTestApp();
  const admin = await app.signIn();
  const { schoolDb, classId } = await seedScoringSchool((path, body) => admin.created(path, body));
  await markPasswordsAsChosen(app);
  const origin = await app.listen();
  const ofClass = `schoolDb=${schoolDb}&classId=${classId}`;
  const readStudents = () => admin.read<Student[]>(`/users?${ofClass}`);
  const students = await readStudents();
  const totalOf = async (number: number): Promise<number> => {
    const found = (await readStudents()).find(({ actualName }) => actualName === `Student ${number}`);
    return found?.totalScore ?? Number.NaN;
  };
  return { app, admin, schoolDb, classId, ofClass, students, origin, totalOf };
}

/** Finds a student's card by its text: sixty names for screen readers take long to compute. */
export const cardOf = (page: Page, number: number) =>
  page.locator('[data-student]').filter({ hasText: new RegExp(`Student ${number}(?!\\d)`) });
