import type { Page } from 'playwright-core';
import {
  atEndOfFile,
  createSampleSchool,
  startTestApp,
  superAdmin,
  type TestApp,
} from '../../../server/test/test-app.ts';
import { type Look, openWatchedPage, type WatchedPage } from './browser.ts';

export type ServedSchool = Awaited<ReturnType<typeof startServedSchool>>;

export const people = {
  super: superAdmin,
  school: { username: 'office', password: 'password of the school' },
  grade: { username: 'head', password: 'password of the grade' },
  class: { username: 'teacher', password: 'password of the class' },
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
  await markPasswordsAsChosen(app);
  return { app, admin, school, classId, origin: await app.listen() };
}

/** Signs a person in and replaces an earlier session of the browser. */
export async function signInAs(
  { context, origin }: Pick<WatchedPage, 'context'> & Pick<ServedSchool, 'origin'>,
  who: Person,
): Promise<void> {
  await context.request.post(`${origin}/api/auth/login`, { data: { ...people[who], confirmations: true } });
}

/** Opens a page of the administrators' app, signed in. `prepare` runs before the page opens. */
export async function openAdminPageAs(
  { origin }: Pick<ServedSchool, 'origin'>,
  who: Person,
  path: string,
  look: Partial<Look> & {
    readonly reducedMotion?: boolean;
    readonly offline?: boolean;
    readonly prepare?: (page: Page) => Promise<void>;
  } = {},
): Promise<WatchedPage> {
  const { screen = 'desktop', colorScheme = 'light', reducedMotion = true, offline = false, prepare } = look;
  const watched = await openWatchedPage(origin, { screen, colorScheme, reducedMotion, offline });
  const { context, page } = watched;
  await signInAs({ context, origin }, who);
  await page.addInitScript(
    `localStorage.setItem('classledger.admin-signed-in', '1');
     localStorage.setItem('classledger.language', 'en');`,
  );
  await prepare?.(page);
  await page.goto(`${origin}/admin${path}`);
  return watched;
}

/** Marks every existing password as chosen by its owner, so that the pages ask for no new one. */
export async function markPasswordsAsChosen({ database: { db } }: TestApp): Promise<void> {
  const own = { password_is_initial: false, password_expires_at: null };
  await db.updateTable('admin').set(own).execute();
  await db.updateTable('student').set(own).execute();
}

/** Works on imports until the end of the file, as a running server does. */
export function runImportsInBackground({ app }: TestApp): void {
  const timer = setInterval(() => void app.runImports(), 300);
  atEndOfFile(async () => clearInterval(timer));
}
