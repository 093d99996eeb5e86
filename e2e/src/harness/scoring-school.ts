import type { Student } from '@classledger/contract';
import type { Page } from 'playwright-core';
import { startTestApp } from '../../../server/test/test-app.ts';
import { markPasswordsAsChosen, people } from './served-school.ts';

const size = 60;

type Create = <T>(path: string, body: object) => Promise<T>;

/** Creates a seated class of sixty with three templates and a class administrator. */
export async function seedScoringSchool(create: Create): Promise<{ schoolDb: string; classId: number }> {
  const school = await create<{ id: number; schoolDb: string }>('/schools', { name: 'Riverside' });
  const { schoolDb } = school;
  const grade = await create<{ id: number }>('/grades', { schoolDb, name: 'Grade 1' });
  const { id: classId } = await create<{ id: number }>('/classes', {
    schoolDb,
    gradeId: grade.id,
    name: 'Class A',
  });
  await create('/users', {
    schoolDb,
    classId,
    defaultPassword: 'secret-password',
    students: Array.from({ length: size }, (_, index) => ({
      username: `s${String(index + 1).padStart(2, '0')}`,
      actualName: `Student ${index + 1}`,
    })),
  });
  await create('/seats/data/generate', {
    schoolDb,
    classId,
    groupCount: 4,
    rowsPerGroup: 8,
    colsPerGroup: 2,
  });
  for (const [name, scoreChange] of [
    ['Answered', 1],
    ['Homework', 2],
    ['Late', -1],
  ] as const) {
    await create('/scores/templates', { schoolDb, name, scoreChange });
  }
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
  const totalOf = async (number: number): Promise<number> => {
    const answer = await admin.get(`/users?schoolDb=${schoolDb}&classId=${classId}`);
    const found = (answer.data as Student[]).find(({ actualName }) => actualName === `Student ${number}`);
    return found?.totalScore ?? Number.NaN;
  };
  return { app, admin, schoolDb, classId, origin, totalOf };
}

/** Finds a student's card by its text: sixty names for screen readers take long to compute. */
export const cardOf = (page: Page, number: number) =>
  page.locator('[data-student]').filter({ hasText: new RegExp(`Student ${number}(?!\\d)`) });
