import type { BulkStudents, ListedStudent } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import { hashCalls } from '../../../test/cheap-argon2.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { openSchool, startTestApp } from '../../../test/test-app.ts';

const { test, school, office, teacher } = await openSchool();
const { schoolDb } = school;
const { ofSchool, ofClass } = await createStaff(test, school);
const classId = school.grades[0].classes[0].id;
const day = 24 * 3_600_000;
const given = 'kindle42';
let made = 0;
const fresh = () => `pupil${++made}`;

/** Signs in again for each test, because sessions end during the days that a test lets pass. */
let head: AdminClient;

beforeEach(async () => {
  head = await test.signIn(ofSchool.username, ofSchool.password);
});

interface Account {
  readonly username: string;
  readonly password: string;
}

interface CreatedAccounts {
  readonly id: number;
  readonly username: string;
  readonly initialPassword: string;
  readonly details: readonly CreatedAccounts[];
  readonly sharedPassword?: { readonly expiresAt: string | null; readonly warning: string };
}

const enrolled = () =>
  head.created<CreatedAccounts>('/users', { schoolDb, classId, username: fresh(), generatePassword: true });

const ways = {
  'given by an app': async () => {
    const username = fresh();
    expect((await office.post('/students', { username, classId, password: given })).status).toBe(200);
    return { username, password: given };
  },
  'generated for an app': async () => {
    const username = fresh();
    const { data } = await office.post('/students', { classId, batch: [{ username }] });
    return { username, password: (data as CreatedAccounts).details[0]?.initialPassword as string };
  },
  'given at the creation': async () => {
    const student = { username: fresh(), password: given };
    await head.created('/users', { schoolDb, classId, ...student });
    return student;
  },
  'generated in a batch': async () => {
    const students = [{ username: fresh() }];
    const { details } = await head.created<CreatedAccounts>('/users', { schoolDb, classId, students });
    return { username: details[0]?.username as string, password: details[0]?.initialPassword as string };
  },
  'given later': async () => {
    const { id, username } = await enrolled();
    expect((await head.patch(`/users/${id}`, { schoolDb, password: given })).status).toBe(200);
    return { username, password: given };
  },
  'shared by an app': async () => {
    const username = fresh();
    await office.post('/students', { classId, defaultPassword: given, batch: [{ username }] });
    return { username, password: given };
  },
  'shared at the creation': async () => {
    const username = fresh();
    const students = [{ username }];
    await head.created('/users', { schoolDb, classId, defaultPassword: given, students });
    return { username, password: given };
  },
  'generated later': async () => {
    const { id, username } = await enrolled();
    const path = `/users/${id}/password?schoolDb=${schoolDb}`;
    const { initialPassword } = await head.created<CreatedAccounts>(path, {});
    return { username, password: initialPassword };
  },
} satisfies Record<string, () => Promise<Account>>;

const logIn = (account: Account) =>
  test.anonymous.internal.post('/auth/student/login', { schoolDb, ...account });
const signIn = ({ username, password }: Account) => test.signInStudent(schoolDb, username, password);

const listed = async (query: string, by = head) =>
  (await by.get(`/users?schoolDb=${schoolDb}&${query}`)).data as ListedStudent[];
const stateOf = async ({ username }: { username: string }) => {
  const found = await listed(`search=${username}`);
  return found.find((student) => student.username === username)?.passwordState;
};

async function chooseOwn(account: Account) {
  const own = await signIn(account);
  const change = { oldPassword: account.password, newPassword: 'a wooden lantern' };
  expect((await own.patch('/auth/student/me', change)).status).toBe(200);
}

describe.each(Object.entries(ways))('Password %s', (how, way) => {
  const isShared = how.startsWith('shared');

  it('the student must change an initial password, and passwordState and mustChangePassword show when', async () => {
    const account = await way();
    expect(await stateOf(account)).toBe(isShared ? 'shared' : 'unused');
    const own = await signIn(account);
    expect(await stateOf(account)).toBe(isShared ? 'shared' : 'initial');
    expect((await own.get('/auth/student/me')).data).toMatchObject({ mustChangePassword: true });
    const change = { oldPassword: account.password, newPassword: 'a wooden lantern' };
    expect((await own.patch('/auth/student/me', change)).status).toBe(200);
    expect((await own.get('/auth/student/me')).data).toMatchObject({ mustChangePassword: false });
    expect(await stateOf(account)).toBe('own');
    test.clock.advance(365 * day);
    const again = await logIn({ ...account, password: change.newPassword });
    expect(again.data).toMatchObject({ mustChangePassword: false });
  });
});

describe('Age of an initial password', () => {
  it('an unused generated password works for exactly 90 days, then login answers passwordEnded; a used one has no end', async () => {
    const [soon, late] = [await ways['generated later'](), await ways['generated later']()];
    test.clock.advance(90 * day - 1);
    expect((await logIn(soon)).status).toBe(200);
    test.clock.advance(1);
    expect(await logIn(late)).toMatchObject({
      status: 401,
      reason: 'passwordEnded',
      message: 'This password was not used in time and has ended; ask your teacher for a new one',
    });
    expect(await test.anonymous.internal.post('/auth/student/login', late)).toMatchObject({
      status: 401,
      reason: 'passwordEnded',
    });
    const wrong = await logIn({ ...late, password: 'wrong' });
    expect(wrong).toMatchObject({ status: 401, message: 'Wrong username or password' });
    expect(wrong).not.toHaveProperty('reason');
    test.clock.advance(365 * day);
    expect((await logIn(soon)).status).toBe(200);
  });

  it('a given password works a year later, used or unused', async () => {
    const [used, unused] = [await ways['given later'](), await ways['given later']()];
    expect((await logIn(used)).status).toBe(200);
    test.clock.advance(366 * day);
    for (const account of [used, unused]) expect((await logIn(account)).status).toBe(200);
  });
});

const endsIn = (days: number) => new Date(test.clock.now().getTime() + days * day).toISOString();

it('GIVEN_PASSWORD_DAYS ends a given password that is unused for so long', async () => {
  const { id, username } = await enrolled();
  const strict = await startTestApp({ GIVEN_PASSWORD_DAYS: '14' }, { shareDatabaseWith: test });
  const asHead = await strict.signIn(ofSchool.username, ofSchool.password);
  const set = await asHead.patch(`/users/${id}`, { schoolDb, password: given });
  expect(set.data).toMatchObject({ passwordEndsAt: endsIn(14) });
  test.clock.advance(14 * day);
  expect(await logIn({ username, password: given })).toMatchObject({
    status: 401,
    reason: 'passwordEnded',
  });
});

describe('passwordState', () => {
  it('after a reset, the passwordState of one or several students is unused', async () => {
    const { id, username } = await enrolled();
    const resets = [
      () => head.post(`/users/${id}/password`, { schoolDb }),
      () => head.post('/users/passwords', { schoolDb, classId, userIds: [id] }),
    ];
    for (const reset of resets) {
      await head.patch(`/users/${id}`, { schoolDb, password: given });
      await chooseOwn({ username, password: given });
      expect((await reset()).status).toBe(200);
      expect(await stateOf({ username })).toBe('unused');
    }
  });

  it('the list of students filters by one or several values of passwordState, with the total, within the range', async () => {
    const unused = await ways['generated in a batch']();
    const shared = await ways['shared by an app']();
    const own = await ways['given later']();
    await chooseOwn(own);
    const far = { username: fresh(), password: given };
    await head.created('/users', { schoolDb, classId: school.grades[1].classes[0].id, ...far });
    const narrowed = async (states: string, by = head) => {
      const found = await listed(`passwordState=${states}&limit=500`, by);
      const usernames = found.map(({ username }) => username);
      return [unused, shared, own, far].map(({ username }) => usernames.includes(username));
    };
    expect(await narrowed('unused')).toEqual([true, false, false, true]);
    expect(await narrowed('shared,unused')).toEqual([true, true, false, true]);
    expect(await narrowed('own')).toEqual([false, false, true, false]);
    const teacher = await test.signIn(ofClass.username, ofClass.password);
    expect(await narrowed('shared,unused', teacher)).toEqual([true, true, false, false]);
    const page = await head.get(`/users?schoolDb=${schoolDb}&passwordState=shared,unused&limit=1`);
    const all = await listed('passwordState=shared,unused&limit=500');
    expect(page.headers['x-total-count']).toBe(String(all.length));
  });
});

const detailOf = ({ data }: { data: unknown }) => (data as CreatedAccounts).details[0];
const one = (more: object = {}) => ({ username: fresh(), ...more });
const password = { password: given };
const generated = { generatePassword: true };
const shared = { defaultPassword: given };
const byApp = (body: object) => office.post('/students', { classId, ...body });
const byHead = (body: object) => head.post('/users', { schoolDb, classId, ...body });

it('passwordEndsAt is the end of a generated password, and null for a given password', async () => {
  const { id } = await enrolled();
  const [end, never] = [{ passwordEndsAt: endsIn(90) }, { passwordEndsAt: null }];
  const batch = [one()];
  expect((await byApp(one())).data).toMatchObject(end);
  expect(detailOf(await byApp({ batch: [one()] }))).toMatchObject(end);
  expect(detailOf(await office.put('/students/batch', { classId, batch }))).toMatchObject(end);
  expect((await byHead(one(generated))).data).toMatchObject(end);
  expect(detailOf(await byHead({ students: [one()] }))).toMatchObject(end);
  expect((await head.post(`/users/${id}/password`, { schoolDb })).data).toMatchObject(end);
  const slips = await head.post('/users/passwords', { schoolDb, classId, userIds: [id] });
  expect((slips.data as { students: object[] }).students[0]).toMatchObject(end);

  expect((await byApp(one(password))).data).toMatchObject(never);
  expect(detailOf(await byApp({ batch: [one()], ...shared }))).toMatchObject(never);
  expect((await byHead(one(password))).data).toMatchObject(never);
  expect(detailOf(await byHead({ students: [one()], ...shared }))).toMatchObject(never);
  expect((await head.patch(`/users/${id}`, { schoolDb, ...password })).data).toMatchObject(never);
  const other = await head.patch(`/users/${id}`, { schoolDb, disabled: false });
  expect(other.data).not.toHaveProperty('passwordEndsAt');
});

describe('Shared defaultPassword of a class', () => {
  const shared: object = { defaultPassword: 'class2026' };
  const apis = {
    'of an app': async (batch: readonly { username: string }[], headers = {}, password = shared) =>
      (await office.post('/students', { classId, batch, ...password }, headers)).data as CreatedAccounts,
    'of the pages': async (students: readonly { username: string }[], headers = {}, password = shared) =>
      (await head.post('/users', { schoolDb, classId, students, ...password }, headers))
        .data as CreatedAccounts,
  };

  describe.each(Object.entries(apis))('in a batch %s', (_api, create) => {
    it('sharedPassword in the answer and its replay warns of a password that a class shares', async () => {
      const batch = [{ username: fresh() }, { username: fresh() }];
      const key = { 'idempotency-key': `shared ${batch[0]?.username}` };
      const answer = await create(batch, key);
      expect(answer.sharedPassword).toEqual({ expiresAt: null, warning: expect.any(String) });
      expect(answer.sharedPassword?.warning).toContain('can sign in as each of these students');
      test.clock.advance(1000);
      expect(await create(batch, key)).toEqual(answer);
    });

    it('sharedPassword is absent when no student got the shared password', async () => {
      const batch = [{ username: fresh() }];
      await create(batch);
      const again = await create(batch);
      expect(again).toMatchObject({ successCount: 0 });
      expect(again).not.toHaveProperty('sharedPassword');
      const generated = await create([{ username: fresh() }], {}, {});
      expect(generated).toMatchObject({ successCount: 1 });
      expect(generated).not.toHaveProperty('sharedPassword');
    });
  });
});

describe('First sign-in of a student', () => {
  it('the first sign-in of a student succeeds from several places at once', async () => {
    const { id, username, initialPassword: password } = await enrolled();
    const held = await LockedRows.ofStudent(test, id);
    const logins = [1, 2, 3].map(() => logIn({ username, password }));
    await held.waitUntilWaiting(3);
    await held.release();
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual([200, 200, 200]);
    test.clock.advance(91 * day);
    expect((await logIn({ username, password })).status).toBe(200);
  });

  it.each(['reset first', 'sign-in first'])(
    'signing in with the old password leaves the expiry of a new password set at the same time: %s',
    async (order) => {
      const { id, username, initialPassword } = await enrolled();
      const held = await LockedRows.ofStudent(test, id);
      const reset = () => head.created<CreatedAccounts>(`/users/${id}/password`, { schoolDb });
      const use = () => logIn({ username, password: initialPassword });
      const made =
        order === 'reset first'
          ? (await held.startInOrder(reset, use))[0]
          : (await held.startInOrder(use, reset))[1];
      const sessions = 'SELECT 1 FROM student_session WHERE student_id = $1';
      expect((await test.database.pool.query(sessions, [id])).rows).toEqual([]);
      test.clock.advance(90 * day);
      expect(await logIn({ username, password: made.initialPassword })).toMatchObject({
        status: 401,
        reason: 'passwordEnded',
      });
    },
  );
});

describe('Password that a student chooses', () => {
  it.each([
    [{}, 'tq7nv', undefined],
    [{}, '123456', null],
    [{}, given, 'passwordSame'],
    [{}, 'the username', 'passwordPersonal'],
    [{ strict: true }, 'password', 'passwordCommon'],
    [{ strict: true }, 'riverside1', 'passwordPersonal'],
    [{ strict: true }, 'tq7nvb', null],
  ])(
    'a chosen password with %j: %j gets the reason %s, and a rejection changes nothing',
    async (rules, typed, reason) => {
      const account = await ways['given by an app']();
      const newPassword = typed === 'the username' ? account.username : typed;
      const own = await signIn(account);
      const answer = await own.patch('/auth/student/me', { oldPassword: given, newPassword, ...rules });
      expect([answer.status, answer.reason]).toEqual(reason === null ? [200, undefined] : [400, reason]);
      const now = reason === null ? newPassword : given;
      expect((await logIn({ ...account, password: now })).status).toBe(200);
    },
  );

  it('a chosen password with the student’s name is rejected, and does not count as a failed attempt', async () => {
    const { id, username } = await enrolled();
    await head.patch(`/users/${id}`, { schoolDb, password: given, actualName: '欧阳小花' });
    const own = await signIn({ username, password: given });
    for (const newPassword of ['欧阳小花2012', `${username}!!`, ...Array(12).fill('欧阳小花欧阳小花')]) {
      const choice = { oldPassword: given, newPassword, strict: true };
      expect(await own.patch('/auth/student/me', choice)).toMatchObject({
        status: 400,
        reason: 'passwordPersonal',
      });
    }
    const change = { oldPassword: given, newPassword: '欧阳家的小花猫' };
    expect((await own.patch('/auth/student/me', change)).status).toBe(200);
  });
});

describe('Password of a new student', () => {
  it('in a batch, only the passwords of accepted entries are hashed', async () => {
    const username = fresh();
    const taken = school.grades[0].classes[0].students[0]?.username;
    const batch = [
      { username: taken },
      { username: `${username}-a`, classId: school.grades[1].classes[0].id },
      { username: `${username}-a` },
      { username: `${username}-a` },
      { username: `${username}-b` },
    ];
    const before = hashCalls.count;
    const { data } = await teacher.post('/students', { classId, defaultPassword: given, batch });
    expect((data as BulkStudents).details.map(({ code }) => code)).toEqual([40901, 40303, 0, 40901, 0]);
    expect(hashCalls.count - before).toBe(2);
  });

  it('a new student’s password is hashed once per idempotency key, even after a rename', async () => {
    const username = fresh();
    const batch = [{ username: `${username}-a` }, { username: `${username}-b` }];
    const send = () => office.post('/students', { classId, batch }, { 'idempotency-key': username });
    const first = await send();
    for (const { id } of (first.data as BulkStudents).details) {
      await office.patch(`/students/${id}`, { username: `${username}-renamed-${id}` });
    }
    const before = hashCalls.count;
    const again = await send();
    expect(again).toMatchObject({ data: first.data, headers: { 'idempotency-replayed': 'true' } });
    expect(hashCalls.count).toBe(before);
  });
});
