import type { BulkStudents, ListedStudent } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import { hashCalls } from '../../../test/cheap-argon2.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { openSchool, startTestApp } from '../../../test/test-app.ts';
import { InitialPasswords } from '../../access/initial-passwords.ts';
import { SchoolData } from '../../access/school-data.ts';
import { preparePasswords } from './create-students.ts';
import { withStudentDefaults } from './student-creation.ts';

const { test, school, office } = await openSchool();
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
  readonly initialPassword: string;
  readonly details: readonly CreatedAccounts[];
  readonly passwordEndsAt?: string | null;
  readonly sharedPassword?: { readonly expiresAt: string | null; readonly warning: string };
}

async function enrolled(): Promise<{ id: number; username: string }> {
  const username = fresh();
  const { id } = await head.created<CreatedAccounts>('/users', {
    schoolDb,
    classId,
    username,
    generatePassword: true,
  });
  return { username, id };
}

const ways: Readonly<Record<string, () => Promise<Account>>> = {
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
    const username = fresh();
    await head.created('/users', { schoolDb, classId, username, password: given });
    return { username, password: given };
  },
  'generated in a batch': async () => {
    const username = fresh();
    const { details } = await head.created<CreatedAccounts>('/users', {
      schoolDb,
      classId,
      students: [{ username }],
    });
    return { username, password: details[0]?.initialPassword as string };
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
    const { initialPassword } = await head.created<CreatedAccounts>(
      `/users/${id}/password?schoolDb=${schoolDb}`,
      {},
    );
    return { username, password: initialPassword };
  },
};

const wayOf = (name: string) => ways[name] as () => Promise<Account>;

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
  return own;
}

describe.each(Object.entries(ways))('Password %s', (how, way) => {
  const isShared = how.startsWith('shared');

  it('the student must change an initial password, and passwordState and mustChangePassword show when', async () => {
    const account = await way();
    expect(await stateOf(account)).toBe(isShared ? 'shared' : 'unused');
    expect((await logIn(account)).data).toMatchObject({ mustChangePassword: true });
    expect(await stateOf(account)).toBe(isShared ? 'shared' : 'initial');
    expect((await (await signIn(account)).get('/auth/student/me')).data).toMatchObject({
      mustChangePassword: true,
    });
    const own = await chooseOwn(account);
    expect((await own.get('/auth/student/me')).data).toMatchObject({ mustChangePassword: false });
    expect(await stateOf(account)).toBe('own');
    test.clock.advance(365 * day);
    const again = await logIn({ ...account, password: 'a wooden lantern' });
    expect(again.data).toMatchObject({ mustChangePassword: false });
  });
});

describe('Generated password', () => {
  const way = wayOf('generated later');

  it('an unused generated password works for exactly 90 days, then login answers passwordEnded; a used one has no end', async () => {
    const [soon, late] = [await way(), await way()];
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
});

describe('Given password', () => {
  const way = wayOf('given later');

  it('a given password works a year later, used or unused', async () => {
    const [used, unused] = [await way(), await way()];
    expect((await logIn(used)).status).toBe(200);
    test.clock.advance(366 * day);
    for (const account of [used, unused]) expect((await logIn(account)).status).toBe(200);
  });
});

const endsIn = (days: number) => new Date(test.clock.now().getTime() + days * day).toISOString();

describe('GIVEN_PASSWORD_DAYS', () => {
  it('ends a given password that is unused for so long', async () => {
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
    const unused = await wayOf('generated in a batch')();
    const shared = await wayOf('shared by an app')();
    const own = await wayOf('given later')();
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

describe('passwordEndsAt', () => {
  it('is the end of a generated password', async () => {
    const { id } = await enrolled();
    const end = { passwordEndsAt: endsIn(90) };
    const where = { schoolDb, classId };
    const one = () => ({ username: fresh() });
    const detail = async (answer: Promise<{ data: unknown }>) =>
      ((await answer).data as CreatedAccounts).details[0];
    expect((await office.post('/students', { ...one(), classId })).data).toMatchObject(end);
    expect(await detail(office.post('/students', { classId, batch: [one()] }))).toMatchObject(end);
    expect(await detail(office.put('/students/batch', { classId, batch: [one()] }))).toMatchObject(end);
    expect((await head.post('/users', { ...where, ...one(), generatePassword: true })).data).toMatchObject(
      end,
    );
    expect(await detail(head.post('/users', { ...where, students: [one()] }))).toMatchObject(end);
    expect((await head.post(`/users/${id}/password`, { schoolDb })).data).toMatchObject(end);
    const slips = await head.post('/users/passwords', { ...where, userIds: [id] });
    expect((slips.data as { students: object[] }).students[0]).toMatchObject(end);
  });

  it('is null for a given password', async () => {
    const { id } = await enrolled();
    const end = { passwordEndsAt: null };
    const where = { schoolDb, classId };
    const one = () => ({ username: fresh() });
    const shared = { defaultPassword: given };
    const detail = async (answer: Promise<{ data: unknown }>) =>
      ((await answer).data as CreatedAccounts).details[0];
    expect((await office.post('/students', { ...one(), classId, password: given })).data).toMatchObject(end);
    expect(await detail(office.post('/students', { classId, batch: [one()], ...shared }))).toMatchObject(end);
    expect((await head.post('/users', { ...where, ...one(), password: given })).data).toMatchObject(end);
    expect(await detail(head.post('/users', { ...where, students: [one()], ...shared }))).toMatchObject(end);
    expect((await head.patch(`/users/${id}`, { schoolDb, password: given })).data).toMatchObject(end);
    expect((await head.patch(`/users/${id}`, { schoolDb, disabled: false })).data).not.toHaveProperty(
      'passwordEndsAt',
    );
  });
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
    const username = fresh();
    const { id, initialPassword: password } = await head.created<CreatedAccounts>('/users', {
      schoolDb,
      classId,
      username,
      generatePassword: true,
    });
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
      const username = fresh();
      const student = { schoolDb, classId, username, generatePassword: true };
      const { id, initialPassword } = await head.created<CreatedAccounts>('/users', student);
      const held = await LockedRows.ofStudent(test, id);
      const steps = [
        () => head.post(`/users/${id}/password`, { schoolDb }),
        () => logIn({ username, password: initialPassword }),
      ];
      const answers = [];
      for (const step of order === 'reset first' ? steps : steps.toReversed()) {
        answers.push(step());
        await held.waitUntilWaiting(answers.length);
      }
      await held.release();
      const done = await Promise.all(answers);
      const reset = done[order === 'reset first' ? 0 : 1]?.data as CreatedAccounts;
      const { rows } = await test.database.pool.query('SELECT 1 FROM student_session WHERE student_id = $1', [
        id,
      ]);
      expect(rows).toEqual([]);
      test.clock.advance(90 * day);
      expect(await logIn({ username, password: reset.initialPassword })).toMatchObject({
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
      const account = await wayOf('given by an app')();
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
    const outsideClassId = school.grades[1].classes[0].id;
    const data = new SchoolData(test.database.db, { schoolId: school.id, gradeId: null, classId });
    const takenName = school.grades[0].classes[0].students[0]?.username as string;
    const names: [string, number][] = [
      [takenName, classId],
      [`${username}-a`, outsideClassId],
      [`${username}-a`, classId],
      [`${username}-a`, classId],
      [`${username}-b`, classId],
    ];
    const prepared = await preparePasswords(
      new InitialPasswords({ generated: 90, given: 0 }),
      data,
      names.map(([name, place]) => ({
        ...withStudentDefaults({ username: name }, place),
        password: given,
        passwordSource: 'shared',
      })),
      test.clock.now(),
    );
    const shown = prepared.map(({ stored, fault }) => [stored !== null, fault?.kind ?? null]);
    expect(shown).toEqual([
      [false, 'conflict'],
      [false, 'out_of_range'],
      [true, null],
      [false, 'conflict'],
      [true, null],
    ]);
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
