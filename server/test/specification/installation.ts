import { inject } from 'vitest';
import { startTestApp, superAdmin } from '../test-app.ts';
import { administrator, app, type ExternalAnswer, type InternalAnswer } from './client.ts';
import { idsOf } from './values.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** `deep`, in `npm test`, proves each rule once. `broad`, in `npm run test:broad`, proves them at later ages. */
    tier: 'deep' | 'broad';
  }
}

const isBroad = inject('tier') === 'broad';
export const age = isBroad ? 'after a year of use' : 'on the first day of use';

/** The twelve permissions (external text, section 5.4). */
export const permissions = [
  ...['students:read', 'students:write', 'students:delete', 'scores:read', 'scores:write', 'scores:revoke'],
  ...['structure:read', 'structure:write', 'structure:delete'],
  ...['templates:read', 'templates:write', 'stats:read'],
];

export const sharedPassword = 'Passw0rd!';

type Answer = ExternalAnswer | InternalAnswer;

/** Returns the data of a call. @throws unless it succeeded */
export const dataOf = async (call: Answer | Promise<Answer>) => {
  const { status, message, data } = await call;
  if (status !== 200) throw new Error(`${status} ${message}`);
  return data;
};

/** Opens an installation on default settings, sets up a school with signed-in staff, and lets a year pass if broad. */
export async function openInstallation() {
  // An empty variable counts as not set, so the default limits apply.
  const server = await startTestApp({ RATE_LIMIT_TOTAL_PER_MINUTE: '', RATE_LIMIT_WRITE_PER_MINUTE: '' });
  const url = await server.listen();
  const world = await setUpSchool(url);
  server.clock.advance(isBroad ? 366 * 86_400_000 : 0);
  await server.app.housekeep();
  return { server, url, clock: server.clock, ...world };
}

async function setUpSchool(url: string) {
  const admin = await administrator(url, superAdmin.username, superAdmin.password);
  const created = async (path: string, body: object) => await dataOf(admin.post(path, body));

  const school = await created('/schools', { name: 'Riverside School' });
  const { id: schoolId, schoolDb } = school;
  const { id: grade1 } = await created('/grades', { schoolDb, name: 'Grade 1' });
  const { id: grade2 } = await created('/grades', { schoolDb, name: 'Grade 2' });
  const { id: class1A } = await created('/classes', { schoolDb, gradeId: grade1, name: 'Class 1A' });
  const { id: class1B } = await created('/classes', { schoolDb, gradeId: grade1, name: 'Class 1B' });
  const { id: class2A } = await created('/classes', { schoolDb, gradeId: grade2, name: 'Class 2A' });

  const account = (username: string, role: string, place: object = {}) =>
    created('/admin/manage', { username, password: `${username}123`, role, schoolId, ...place });
  const signedIn = (username: string) => administrator(url, username, `${username}123`);
  await account('head', 'school_admin');
  await account('gradehead', 'grade_admin', { gradeId: grade1 });
  await account('teacher', 'class_admin', { gradeId: grade1, classId: class1A });
  await account('newcomer', 'school_admin');
  const head = await signedIn('head');
  const gradeHead = await signedIn('gradehead');
  const teacher = await signedIn('teacher');

  const issue = async (scopeType: string, scope: object = {}) => {
    const body = { name: `${scopeType} app`, scopeType, ...scope, scopes: permissions };
    const { token } = await dataOf(head.post('/api-tokens', body, { 'x-confirm-password': head.password }));
    return app(url, token);
  };
  const schoolApp = await issue('school');
  const gradeApp = await issue('grade', { scopeGradeId: grade1 });
  const classApp = await issue('class', { scopeClassId: class1A });

  const enrol = async (classId: number, ...batch: { username: string; actualName: string }[]) => {
    const body = { classId, defaultPassword: sharedPassword, batch };
    const made = await dataOf(schoolApp.post('/students', body));
    return idsOf(made.details);
  };
  const [ada, ben, chen] = await enrol(
    class1A,
    { username: '2024001', actualName: 'Ada Ito' },
    { username: '2024002', actualName: 'Ben Lee' },
    { username: '2024003', actualName: '陈伟' },
  );
  const [dora] = await enrol(class1B, { username: '2024004', actualName: 'Dora Falk' });
  const [emil] = await enrol(class2A, { username: '2024005', actualName: 'Emil Brandt' });

  return {
    ...{ schoolId, schoolDb, grade1, grade2, class1A, class1B, class2A },
    ...{ admin, head, gradeHead, teacher },
    ...{ schoolApp, gradeApp, classApp },
    ...{ ada, ben, chen, dora, emil },
  };
}
