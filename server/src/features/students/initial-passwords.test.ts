import type { BulkStudents } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import { hashed } from '../../../test/cheap-argon2.ts';
import { HeldRows } from '../../../test/held-rows.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { openSchool, startTestApp } from '../../../test/test-app.ts';
import { InitialPasswords } from '../../access/initial-passwords.ts';
import { SchoolData } from '../../access/school-data.ts';
import { preparePasswords } from './create-students.ts';
import { newStudent } from './student-creation.ts';

const { test, school, office } = await openSchool();
const { schoolDb } = school;
const { ofSchool } = await createStaff(test, school);
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

interface Made {
  readonly id: number;
  readonly initialPassword: string;
  readonly details: readonly Made[];
  readonly passwordEndsAt?: string | null;
  readonly sharedPassword?: { readonly expiresAt: string | null; readonly warning: string };
}

async function enrolled(): Promise<{ id: number; username: string }> {
  const username = fresh();
  const { id } = await head.created<Made>('/users', { schoolDb, classId, username, generatePassword: true });
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
    return { username, password: (data as Made).details[0]?.initialPassword as string };
  },
  'given at the creation': async () => {
    const username = fresh();
    await head.created('/users', { schoolDb, classId, username, password: given });
    return { username, password: given };
  },
  'generated in a batch': async () => {
    const username = fresh();
    const { details } = await head.created<Made>('/users', { schoolDb, classId, students: [{ username }] });
    return { username, password: details[0]?.initialPassword as string };
  },
  'given later': async () => {
    const { id, username } = await enrolled();
    expect((await head.patch(`/users/${id}`, { schoolDb, password: given })).status).toBe(200);
    return { username, password: given };
  },
  'generated later': async () => {
    const { id, username } = await enrolled();
    const { initialPassword } = await head.created<Made>(`/users/${id}/password?schoolDb=${schoolDb}`, {});
    return { username, password: initialPassword };
  },
};

const waysOf = (kind: 'given' | 'generated') =>
  Object.entries(ways).filter(([name]) => name.startsWith(kind));

const logIn = (account: Account) =>
  test.anonymous.internal.post('/auth/student/login', { schoolDb, ...account });
const signIn = ({ username, password }: Account) => test.signInStudent(schoolDb, username, password);

describe.each(Object.entries(ways))('Password %s', (_how, way) => {
  it('must be changed by the student, after which mustChangePassword is false', async () => {
    const account = await way();
    expect((await logIn(account)).data).toMatchObject({ mustChangePassword: true });
    const own = await signIn(account);
    expect((await own.get('/auth/student/me')).data).toMatchObject({ mustChangePassword: true });
    const change = { oldPassword: account.password, newPassword: 'a wooden lantern' };
    expect((await own.patch('/auth/student/me', change)).status).toBe(200);
    expect((await own.get('/auth/student/me')).data).toMatchObject({ mustChangePassword: false });
    test.clock.advance(365 * day);
    const again = await logIn({ ...account, password: 'a wooden lantern' });
    expect(again.data).toMatchObject({ mustChangePassword: false });
  });
});

describe.each(waysOf('generated'))('Password %s', (_how, way) => {
  it('signs in for exactly 90 days when unused, then answers passwordEnded; a used one has no end', async () => {
    const [soon, late] = [await way(), await way()];
    test.clock.advance(90 * day - 1);
    expect((await logIn(soon)).status).toBe(200);
    test.clock.advance(1);
    expect(await logIn(late)).toMatchObject({
      status: 401,
      reason: 'passwordEnded',
      message: 'This password was not used in time and has ended; ask your teacher for a new one',
    });
    const { schoolDb: _, ...unnamed } = { schoolDb, ...late };
    expect(await test.anonymous.internal.post('/auth/student/login', unnamed)).toMatchObject({
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

describe.each(waysOf('given'))('Password %s', (_how, way) => {
  it('signs in a year later, used or unused', async () => {
    const [used, unused] = [await way(), await way()];
    expect((await logIn(used)).status).toBe(200);
    test.clock.advance(366 * day);
    for (const account of [used, unused]) expect((await logIn(account)).status).toBe(200);
  });

  it('ends unused after GIVEN_PASSWORD_DAYS, if set', async () => {
    const account = await way();
    const strict = await startTestApp({ GIVEN_PASSWORD_DAYS: '14' }, { shareDatabaseWith: test });
    const asHead = await strict.signIn(ofSchool.username, ofSchool.password);
    const find = `/users?schoolDb=${schoolDb}&search=${encodeURIComponent(account.username)}`;
    const [{ id }] = (await asHead.get(find)).data as [{ id: number }];
    const set = await asHead.patch(`/users/${id}`, { schoolDb, password: given });
    const end = new Date(test.clock.now().getTime() + 14 * day).toISOString();
    expect(set.data).toMatchObject({ passwordEndsAt: end });
    test.clock.advance(14 * day);
    expect(await logIn({ ...account, password: given })).toMatchObject({
      status: 401,
      reason: 'passwordEnded',
    });
  });
});

describe('passwordEndsAt', () => {
  const endsIn = (days: number) => new Date(test.clock.now().getTime() + days * day).toISOString();

  it('names the end of a generated password', async () => {
    const { id } = await enrolled();
    const end = { passwordEndsAt: endsIn(90) };
    const where = { schoolDb, classId };
    const one = () => ({ username: fresh() });
    const detail = async (answer: Promise<{ data: unknown }>) => ((await answer).data as Made).details[0];
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
    const detail = async (answer: Promise<{ data: unknown }>) => ((await answer).data as Made).details[0];
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
  const shared = 'class2026';
  const apis = {
    'of an app': async (batch: readonly { username: string }[], headers = {}) =>
      (await office.post('/students', { classId, defaultPassword: shared, batch }, headers)).data as Made,
    'of the pages': async (students: readonly { username: string }[], headers = {}) =>
      (await head.post('/users', { schoolDb, classId, defaultPassword: shared, students }, headers))
        .data as Made,
  };

  describe.each(Object.entries(apis))('in a batch %s', (_api, create) => {
    it('is flagged as sharedPassword in the answer and its replay', async () => {
      const batch = [{ username: fresh() }, { username: fresh() }];
      const key = { 'idempotency-key': `shared ${batch[0]?.username}` };
      const answer = await create(batch, key);
      expect(answer.sharedPassword).toEqual({ expiresAt: null, warning: expect.any(String) });
      expect(answer.sharedPassword?.warning).toContain('can sign in as each of these students');
      test.clock.advance(1000);
      expect(await create(batch, key)).toEqual(answer);
    });

    it('is not flagged when no student got it', async () => {
      const batch = [{ username: fresh() }];
      await create(batch);
      const again = await create(batch);
      expect(again).toMatchObject({ successCount: 0 });
      expect(again).not.toHaveProperty('sharedPassword');
    });

    it('signs in a year later, and each student must change it', async () => {
      const [used, unused] = [fresh(), fresh()];
      await create([{ username: used }, { username: unused }]);
      expect((await logIn({ username: used, password: shared })).status).toBe(200);
      test.clock.advance(366 * day);
      for (const username of [used, unused]) {
        expect(await logIn({ username, password: shared })).toMatchObject({
          status: 200,
          data: { mustChangePassword: true },
        });
      }
    });
  });

  it('ends for a student who chooses another, with the sessions of others', async () => {
    const username = fresh();
    await apis['of an app']([{ username }]);
    const [own, other] = [
      await signIn({ username, password: shared }),
      await signIn({ username, password: shared }),
    ];
    const change = { oldPassword: shared, newPassword: 'a wooden lantern' };
    expect((await own.patch('/auth/student/me', change)).status).toBe(200);
    expect((await other.get('/auth/student/me')).status).toBe(401);
    test.clock.advance(8 * day);
    expect((await logIn({ username, password: 'a wooden lantern' })).status).toBe(200);
  });

  it('is no longer valid for a student with a reset password', async () => {
    const username = fresh();
    const { details } = await apis['of the pages']([{ username }]);
    const path = `/users/${details[0]?.id}/password?schoolDb=${schoolDb}`;
    const { initialPassword: password } = await head.created<Made>(path, {});
    expect((await logIn({ username, password })).status).toBe(200);
    test.clock.advance(91 * day);
    expect((await logIn({ username, password })).status).toBe(200);
  });

  it('is not reported when everyone got a generated one', async () => {
    const batch = [{ username: fresh() }, { username: fresh() }];
    const answer = (await office.post('/students', { classId, batch })).data as BulkStudents;
    expect(answer).not.toHaveProperty('sharedPassword');
    expect(new Set(answer.details.map(({ initialPassword }) => initialPassword)).size).toBe(2);
  });
});

describe('First sign-in of a student', () => {
  it('succeeds from several places at once', async () => {
    const username = fresh();
    const { id, initialPassword: password } = await head.created<Made>('/users', {
      schoolDb,
      classId,
      username,
      generatePassword: true,
    });
    const held = await HeldRows.student(test, id);
    const logins = [1, 2, 3].map(() => logIn({ username, password }));
    await held.waiting(3);
    await held.release();
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual([200, 200, 200]);
    test.clock.advance(91 * day);
    expect((await logIn({ username, password })).status).toBe(200);
  });

  it.each(['reset first', 'sign-in first'])(
    'with the old password keeps the expiry of a concurrent new one: %s',
    async (order) => {
      const username = fresh();
      const student = { schoolDb, classId, username, generatePassword: true };
      const { id, initialPassword } = await head.created<Made>('/users', student);
      const held = await HeldRows.student(test, id);
      const steps = [
        () => head.post(`/users/${id}/password`, { schoolDb }),
        () => logIn({ username, password: initialPassword }),
      ];
      const answers = [];
      for (const step of order === 'reset first' ? steps : steps.toReversed()) {
        answers.push(step());
        await held.waiting(answers.length);
      }
      await held.release();
      const done = await Promise.all(answers);
      const reset = done[order === 'reset first' ? 0 : 1]?.data as Made;
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
    ['tq7nv', undefined],
    ['123456', null],
    ['password', null],
    ['riverside1', null],
    [given, 'passwordSame'],
    ['the username', 'passwordPersonal'],
  ])('%j gets the reason %s under default rules', async (typed, reason) => {
    const account = await (ways['given by an app'] as () => Promise<Account>)();
    const newPassword = typed === 'the username' ? account.username : typed;
    const own = await signIn(account);
    const answer = await own.patch('/auth/student/me', { oldPassword: given, newPassword });
    expect([answer.status, (answer as { reason?: string }).reason]).toEqual(
      reason === null ? [200, undefined] : [400, reason],
    );
    const now = reason === null ? newPassword : given;
    expect((await logIn({ ...account, password: now })).status).toBe(200);
  });

  it.each([
    ['tq7nv', undefined],
    ['tq7nvb', null],
    ['a\0wooden lantern', undefined],
    ['password', 'passwordCommon'],
    ['riverside1', 'passwordPersonal'],
    ['我爱你我爱你', 'passwordCommon'],
    ['我家的猫很胖', null],
    [given, 'passwordSame'],
  ])(
    '%j gets the reason %s with strict: true, and a rejection changes nothing',
    async (newPassword, reason) => {
      const account = await (ways['given by an app'] as () => Promise<Account>)();
      const own = await signIn(account);
      const answer = await own.patch('/auth/student/me', {
        oldPassword: given,
        newPassword,
        strict: true,
      });
      expect([answer.status, (answer as { reason?: string }).reason]).toEqual(
        reason === null ? [200, undefined] : [400, reason],
      );
      const now = reason === null ? newPassword : given;
      expect((await logIn({ ...account, password: now })).status).toBe(200);
    },
  );

  it('is rejected when it contains the own name, without counting as a failed attempt', async () => {
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
  it('is hashed only for accepted entries', async () => {
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
        ...newStudent({ username: name }, place),
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

  it('is hashed once per idempotency key, even after a rename', async () => {
    const username = fresh();
    const batch = [{ username: `${username}-a` }, { username: `${username}-b` }];
    const send = () => office.post('/students', { classId, batch }, { 'idempotency-key': username });
    const first = await send();
    for (const { id } of (first.data as BulkStudents).details) {
      await office.patch(`/students/${id}`, { username: `${username}-renamed-${id}` });
    }
    const before = hashed.count;
    const again = await send();
    expect(again).toMatchObject({ data: first.data, headers: { 'idempotency-replayed': 'true' } });
    expect(hashed.count).toBe(before);
  });
});
