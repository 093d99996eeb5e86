import { type InternalOperation, internalOperations } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { type HostileApi, HostileRequests, type KnownThings } from './hostile-requests.ts';
import { findComplaints, type HostileAnswer } from './hostile-run.ts';
import type { Place } from './internal-access-identities.ts';
import { AccessWorld } from './internal-access-world.ts';
import { randomFrom, testSeed } from './random.ts';

const requests = Number(process.env.FUZZ_REQUESTS ?? 3_000);

/** Leaves out operations that end these sessions or demand a second factor from them. */
const operations = Object.values(internalOperations as Readonly<Record<string, InternalOperation>>).filter(
  ({ id }) => !['logout', 'studentLogout', 'updateSecondFactorRoles'].includes(id),
);

const world = await AccessWorld.open();
const { home, foreign, staff, student, credential } = world;
const places = [home, foreign];
const ofBoth = (make: (place: Place) => Promise<number> | number) => Promise.all(places.map(make));
const several = (make: () => Promise<number>) => Promise.all(Array.from({ length: 6 }, make));
// The terms come first, so that everything made later belongs to the next ones.
const terms = [await world.newTerm(home), await world.newTerm(foreign)];
const seats = [await world.newSeat(home), await world.newSeat(foreign)];
const classmates = (await staff.class.get(`/users?schoolDb=${home.schoolDb}`)).data as { id: number }[];
const known: KnownThings = {
  usernames: [home.student.username, student.username, 'chief', 'office'],
  ids: {
    student: [
      ...classmates.map(({ id }) => id).filter((id) => id !== student.id),
      ...places.map((place) => place.student.id),
    ],
    class: places.map(({ classId }) => classId),
    grade: places.map(({ gradeId }) => gradeId),
    school: places.map(({ schoolId }) => schoolId),
    record: [...(await several(() => world.newRecord(home))), await world.newRecord(foreign)],
    template: [...(await ofBoth((place) => world.newTemplate(place))), await world.newSchoolTemplate(home)],
    seat: seats,
    term: terms,
    announcement: [await world.newAnnouncement()],
    application: [await world.newApplication()],
    administrator: Object.values(staff).map(({ id }) => id),
    credential: [credential.id],
  },
  expendable: {
    student: await several(() => world.newStudent(home)),
    class: await several(() => world.newClass(home)),
    grade: await several(() => world.newGrade(home)),
    school: await several(() => world.newSchool()),
    record: await several(() => world.newRecord(home)),
    template: await several(() => world.newTemplate(home)),
    announcement: await several(() => world.newAnnouncement()),
    administrator: await several(() => world.newClassAdmin(home)),
    credential: await several(() => world.newCredential(home)),
  },
};
const cookies = Object.values(staff).map(({ cookie, password }) => ({
  cookie,
  'x-confirm-password': password,
}));
const { super: chief, school, class: teacher } = staff;
const token = { authorization: `Bearer ${student.token}` };
const api: HostileApi = {
  prefix: '/api',
  operations,
  identities: [
    ...cookies,
    ...[chief, chief, chief, chief, school, school, teacher].map(({ cookie }) => ({ cookie })),
    ...Array.from({ length: 3 }, () => token),
    { ...token, cookie: chief.cookie },
    {},
    { cookie: 'classledger_session=' },
    { cookie: 'classledger_session=%00; classledger_session=x' },
    { authorization: 'Bearer 7.ÿ' },
    { authorization: `Bearer ${'7.'.repeat(2_000)}` },
    { authorization: `Bearer ${credential.token}` },
  ],
  schools: [home.schoolDb, home.schoolDb, home.schoolDb, String(home.schoolId), foreign.schoolDb],
};

const seen = new Map<number, number>();

/** @returns what is wrong with an answer of the internal API, or null */
function judge({ status, fields, body: { success, data } }: HostileAnswer): string | null {
  const known = success ? fields : fields.replace('reason,', '');
  if (known !== 'data,message,requestId,success') return `fields ${fields}`;
  seen.set(status, (seen.get(status) ?? 0) + 1);
  if (success !== (status === 200)) return `success ${success} on ${status}`;
  return success || data === null ? null : 'data on failure';
}

describe(`${requests} hostile requests to the internal API (TEST_SEED=${testSeed})`, () => {
  it('get an answer in the envelope and no 5xx', async () => {
    const hostile = new HostileRequests(randomFrom(testSeed), known, api);
    expect(await findComplaints(world.test.app.http, hostile, requests, judge)).toEqual([]);
    // Otherwise the first check rejected everything and the test proved nothing.
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]));
    expect(seen.get(200)).toBeGreaterThan(requests / 20);
  });

  it('leave every total right and the server working', async () => {
    await world.test.expectVerifiedLedger();
    const admin = await world.test.signIn();
    const { schoolDb } = await admin.created<{ schoolDb: string }>('/schools', { name: 'After all that' });
    expect(await admin.post('/grades', { schoolDb, name: 'A grade' })).toMatchObject({ status: 200 });
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });
});
