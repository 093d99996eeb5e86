import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffedSchool, setCookieOf } from '../../../test/administrators.ts';
import {
  type AdminClient,
  type InternalAnswer,
  type StudentClient,
  studentClient,
} from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';

const minutes = 60_000;
const days = 24 * 60 * minutes;
const refused = {
  success: false,
  data: null,
  message: 'This code cannot be used, or not any more; sign in with your password',
};

const { test, school, other, office, staff, ...opened } = await openStaffedSchool({ TRUST_PROXY: 'true' });
let { admin } = opened;
const { schoolDb } = school;
const [{ id: classId }, nextClass] = school.grades[0].classes;

interface Slip {
  readonly id: number;
  readonly username: string;
  readonly initialPassword: string;
  readonly signInCode: string;
}

let count = 0;
const newName = () => `pupil ${++count}`;

const enrol = () =>
  admin.created<Slip>('/users', { schoolDb, classId, username: newName(), generatePassword: true });

const enrolMany = async (...usernames: string[]) => {
  const students = usernames.map((username) => ({ username }));
  return (await admin.created<{ details: Slip[] }>('/users', { schoolDb, classId, students })).details;
};

const idsOf = (slips: readonly { id: number }[]) => slips.map(({ id }) => id);
const renew = (by: AdminClient, userIds: number[], more: object = {}) =>
  by.post(`/users/passwords?schoolDb=${schoolDb}`, { classId, userIds, ...more });
const signIn = ({ username, initialPassword }: Slip) =>
  test.signInStudent(schoolDb, username, initialPassword);
const reset = ({ id }: { id: number }) => admin.created<Slip>(`/users/${id}/password`, { schoolDb });

const chosen = 'chosen by the pupil';
const choiceOf = ({ initialPassword }: Slip) => ({ oldPassword: initialPassword, newPassword: chosen });

const use = (code: string, ip = '127.0.0.1') =>
  test.anonymous.internal.post('/auth/student/code', { code }, { 'x-forwarded-for': ip });

const statusOf = async (code: string) => (await use(code)).status;

async function comeByCode() {
  const slip = await enrol();
  const { token } = (await use(slip.signInCode)).data as { token: string };
  return { slip, pupil: studentClient(test.app.http, token, slip.id) };
}

beforeEach(async () => {
  // Lets the failures of the previous test expire; sessions from long ago expire too.
  test.clock.advance(15 * minutes);
  admin = await test.signIn();
});

describe('POST /users/passwords', () => {
  beforeEach(() => Promise.all([staff.ofClass.confirm(), staff.ofSchool.confirm()]));

  it('gives each student a new password and code, ends their sessions, and invalidates the old password and code', async () => {
    const old = await enrolMany(newName(), newName(), newName());
    const [one] = old as [Slip];
    const session = await signIn(one);
    const { students } = (await renew(staff.ofClass, idsOf(old))).data as { students: Slip[] };
    expect(students).toMatchObject(old.map(({ id, username }) => ({ id, username })));
    expect(new Set(students.map(({ initialPassword }) => initialPassword)).size).toBe(3);
    expect((await session.get('/auth/student/me')).status).toBe(401);
    for (const slip of old) {
      await expect(signIn(slip)).rejects.toThrow('401');
      expect(await statusOf(slip.signInCode)).toBe(401);
    }
    for (const slip of students) {
      expect(await (await signIn(slip)).read('/auth/student/me')).toMatchObject({ mustChangePassword: true });
      expect(await statusOf(slip.signInCode)).toBe(200);
    }
  });

  it('skips students with a chosen password when onlyInitial is set', async () => {
    const [chooser, waiting] = [await enrol(), await enrol()];
    await (await signIn(chooser)).patch('/auth/student/me', choiceOf(chooser));
    const { data } = await renew(staff.ofClass, idsOf([chooser, waiting]), { onlyInitial: true });
    expect((data as { students: Slip[] }).students.map(({ id }) => id)).toEqual([waiting.id]);
    await test.signInStudent(schoolDb, chooser.username, chosen);
    const all = await renew(staff.ofClass, idsOf([chooser, waiting]));
    expect((all.data as { students: Slip[] }).students).toHaveLength(2);
    await expect(test.signInStudent(schoolDb, chooser.username, chosen)).rejects.toThrow('401');
  });

  it('skips a student who chooses a password at the same moment', async () => {
    const chooser = await enrol();
    const pupil = await signIn(chooser);
    const held = await LockedRows.ofStudent(test, chooser.id);
    const [choosing, renewing] = await held.startInOrder(
      () => pupil.patch('/auth/student/me', choiceOf(chooser)),
      () => renew(staff.ofClass, [chooser.id], { onlyInitial: true }),
    );
    expect(choosing.status).toBe(200);
    expect(renewing.data).toEqual({ students: [] });
    await test.signInStudent(schoolDb, chooser.username, chosen);
  });

  it('changes the passwords of all named students or none', async () => {
    const pupil = await enrol();
    const outside = nextClass.students[0].id;
    const foreign = other.grades[0].classes[0].students[0].id;
    expect(await renew(staff.ofSchool, [pupil.id, outside])).toMatchObject({ status: 404 });
    const elsewhere = { classId: nextClass.id };
    expect(await renew(staff.ofClass, [outside], elsewhere)).toMatchObject({ status: 403 });
    expect(await renew(staff.ofSchool, [pupil.id], elsewhere)).toMatchObject({ status: 404 });
    expect(await renew(staff.ofSchool, [pupil.id, foreign])).toMatchObject({ status: 404 });
    expect(await renew(staff.ofClass, [])).toMatchObject({ status: 400 });
    const tooMany = Array.from({ length: 201 }, (_, n) => n + 1);
    expect(await renew(staff.ofClass, tooMany)).toMatchObject({ status: 400 });
    await signIn(pupil);
  });
});

it('a sign-in code comes with every generated password of the pages, and signs in once like that password', async () => {
  const one = await enrol();
  const [first, taken] = await enrolMany(newName(), one.username);
  expect(taken).not.toHaveProperty('signInCode');
  for (const { id, username, initialPassword, signInCode } of [first, await reset(one)] as Slip[]) {
    expect(signInCode).toMatch(new RegExp(`^${school.id}\\.[\\w-]{22}$`));
    const { status, data: signedIn, headers } = await use(signInCode);
    expect([status, setCookieOf(headers)]).toEqual([200, null]);
    const { token, openedWith, ...profile } = signedIn as { token: string; openedWith: string; id: number };
    expect([profile.id, openedWith]).toEqual([id, 'code']);
    const login = { schoolDb, username, password: initialPassword };
    const { data } = await test.anonymous.internal.post('/auth/student/login', login);
    expect(data).toEqual({ ...profile, token: expect.any(String) });
    const pupil = studentClient(test.app.http, token, id);
    expect(await pupil.read('/auth/student/me')).toEqual(profile);
    expect(await use(signInCode)).toMatchObject({ status: 401, ...refused });
  }
  const given = { schoolDb, classId, password: 'secret-password', username: newName() };
  expect(await admin.created('/users', given)).not.toHaveProperty('signInCode');
  const shared = { defaultPassword: 'secret-password', students: [{ username: newName() }] };
  const made = await admin.created<{ details: Slip[] }>('/users', { schoolDb, classId, ...shared });
  expect(made.details[0]).not.toHaveProperty('signInCode');
  const byApi = await office.post('/students', { classId, username: newName() });
  expect(byApi.data).toHaveProperty('initialPassword');
  expect(byApi.data).not.toHaveProperty('signInCode');
});

it('a sign-in code is stored only as a hash', async () => {
  const { signInCode } = await enrol();
  const secret = signInCode.split('.')[1] as string;
  const rows = await test.rows('SELECT c::text AS stored FROM sign_in_code c');
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ stored }) => stored.includes(secret))).toEqual([]);
});

it('a sign-in code ends when the student or an administrator changes the password', async () => {
  const slip = await enrol();
  const pupil = await signIn(slip);
  expect(await pupil.patch('/auth/student/me', choiceOf(slip))).toMatchObject({ status: 200 });
  expect(await statusOf(slip.signInCode)).toBe(401);

  const opened = await comeByCode();
  const newer = await reset(opened.slip);
  expect((await opened.pupil.get('/auth/student/me')).status).toBe(401);
  await admin.patch(`/users/${newer.id}`, { schoolDb, password: 'typed by a teacher' });
  expect(await statusOf(newer.signInCode)).toBe(401);
});

it('a sign-in code ends after the days of an initial password, and is deleted then', async () => {
  const [early, late] = [await enrol(), await enrol()];
  test.clock.advance(90 * days - 1);
  expect(await statusOf(early.signInCode)).toBe(200);
  test.clock.advance(1);
  expect(await use(late.signInCode)).toMatchObject({ status: 401, ...refused });
  test.clock.advance(1);
  admin = await test.signIn();
  const kept = await enrol();
  await test.app.housekeep();
  const stored = await test.database.db.selectFrom('sign_in_code').select('student_id').execute();
  expect(stored).toEqual([{ student_id: kept.id }]);
});

it('a sign-in code gets one answer when wrong, malformed, foreign, or of a disabled student or school', async () => {
  const disabled = await enrol();
  await admin.patch(`/users/${disabled.id}`, { schoolDb, disabled: true });
  const place = { schoolDb: other.schoolDb, classId: other.grades[0].classes[0].id };
  const person = { username: 'of the other school', generatePassword: true };
  const elsewhere = await admin.created<Slip>('/users', { ...place, ...person });
  await admin.patch(`/schools/${other.id}`, { disabled: 1 });
  const { signInCode } = await enrol();
  const [, secret] = signInCode.split('.') as [string, string];
  const wrong = [
    disabled.signInCode,
    elsewhere.signInCode,
    `${other.id}.${secret}`,
    `999999999.${secret}`,
    `${school.id}.${secret.slice(1)}A`,
    `${signInCode}A`,
    ` ${signInCode}`,
    secret,
    '',
    '\0',
  ];
  for (const code of wrong) {
    expect([code, await use(code)]).toMatchObject([code, { status: 401, ...refused }]);
  }
  await admin.patch(`/schools/${other.id}`, { disabled: 0 });
  expect(await statusOf(elsewhere.signInCode)).toBe(200);
  // Disabling ended that student's code for good and left the other student's code alone.
  await admin.patch(`/users/${disabled.id}`, { schoolDb, disabled: false });
  expect(await statusOf(disabled.signInCode)).toBe(401);
  expect(await statusOf(signInCode)).toBe(200);
});

it('a wrong sign-in code counts as a failed login of its address, and other addresses are not limited', async () => {
  const { signInCode } = await enrol();
  const guesser = '192.0.2.1';
  const statuses = [];
  for (let n = 0; n < 101; n++) {
    const code = `${school.id}.${String(n).padStart(22, 'A')}`;
    statuses.push((await use(code, guesser)).status);
  }
  expect(statuses).toEqual([...Array(100).fill(401), 429]);
  expect((await use(signInCode, guesser)).headers).toHaveProperty('retry-after');
  expect((await use(signInCode, '192.0.2.2')).status).toBe(200);
});

const choose = (pupil: StudentClient, newPassword = chosen) =>
  pupil.patch('/auth/student/me', { newPassword });
const needed = { status: 400, message: 'oldPassword is required' };

it('within ten minutes of a sign-in by code, one choice of a password needs no old one, and ends other sessions', async () => {
  const [{ slip, pupil }, late] = [await comeByCode(), await comeByCode()];
  const other = await signIn(slip);
  test.clock.advance(10 * minutes);
  const data = { id: slip.id, username: slip.username };
  expect(await choose(pupil)).toMatchObject({ status: 200, data });
  expect(await pupil.read('/auth/student/me')).toMatchObject({ mustChangePassword: false });
  expect((await other.get('/auth/student/me')).status).toBe(401);
  await expect(signIn(slip)).rejects.toThrow('401');
  await test.signInStudent(schoolDb, slip.username, chosen);
  expect(await choose(pupil, 'another one')).toMatchObject(needed);
  test.clock.advance(1);
  expect(await choose(late.pupil)).toMatchObject(needed);
  expect((await late.pupil.patch('/auth/student/me', choiceOf(late.slip))).status).toBe(200);
});

it('only the session that the code opened may choose a password without the old one', async () => {
  const { slip, pupil } = await comeByCode();
  const byPassword = await signIn(slip);
  // These refusals reveal nothing about the password, so the throttle ignores them.
  for (let n = 0; n < 12; n++) expect(await choose(byPassword)).toMatchObject(needed);
  expect(await choose(await signIn(await enrol()))).toMatchObject(needed);
  expect((await choose(pupil)).status).toBe(200);
});

it('choosing a password without the old one happens once when sent twice at once', async () => {
  const { slip, pupil } = await comeByCode();
  const answers = await Promise.all(['first choice', 'second choice'].map((one) => choose(pupil, one)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const won = answers[0]?.status === 200 ? 'first choice' : 'second choice';
  await test.signInStudent(schoolDb, slip.username, won);
});

it('choosing a password fails with 400 when the password is reset at the same moment', async () => {
  const { slip, pupil } = await comeByCode();
  const held = await LockedRows.ofStudent(test, slip.id);
  const [{ initialPassword }, choosing] = await held.startInOrder(
    () => reset(slip),
    () => choose(pupil),
  );
  expect(choosing.status).toBe(400);
  await test.signInStudent(schoolDb, slip.username, initialPassword);
});

it('several requests at once with one sign-in code sign in once', async () => {
  const { id, signInCode } = await enrol();
  const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(signInCode)));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(401)]);
  expect(await test.rows('SELECT 1 FROM student_session WHERE student_id = $1', id)).toHaveLength(1);
});

it.each(['use', 'reset'])(
  'a sign-in code used during a password reset leaves no session: %s first',
  async (first) => {
    const slip = await enrol();
    const held = await LockedRows.ofStudent(test, slip.id);
    const using = () => use(slip.signInCode);
    const resetting = () => reset(slip);
    const [used, renewed] =
      first === 'use'
        ? await held.startInOrder(using, resetting)
        : ((await held.startInOrder(resetting, using)).toReversed() as [InternalAnswer, Slip]);
    const { token = '' } = (used.data ?? {}) as { token?: string };
    expect((await studentClient(test.app.http, token, 0).get('/auth/student/me')).status).toBe(401);
    expect(await statusOf(slip.signInCode)).toBe(401);
    expect(await statusOf(renewed.signInCode)).toBe(200);
  },
);
