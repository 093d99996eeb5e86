import { beforeEach, expect, it } from 'vitest';
import { Authenticator } from '../../../test/authenticator.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { addPasskey, askForPasskey, cookieOf } from '../../../test/passkeys.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';
import { startTestApp } from '../../../test/test-app.ts';

const world = await StaffedSchools.open();
const { test, chief, staff } = world;
const day = 24 * 3_600_000;
const given = 'kindle42';
const path = (id: number) => `/admin/manage/${id}`;

let office: AdminClient;

beforeEach(async () => {
  office = await test.signIn(staff.ofSchool.username, staff.ofSchool.password);
});

interface Account {
  readonly id: number;
  readonly username: string;
  readonly password: string;
}

const passwordSources = {
  'given at the creation': () => createTeacher({ password: given }),
  'generated at the creation': () => createTeacher({ generatePassword: true }),
  'given later': async () => {
    const { id, username } = await world.teacher();
    expect((await office.patch(path(id), { password: given })).status).toBe(200);
    return { id, username, password: given };
  },
  'generated later': async () => {
    const { id } = await world.teacher();
    const { username, initialPassword } = await office.created<Generated>(`${path(id)}/password`, {});
    return { id, username, password: initialPassword };
  },
} satisfies Record<string, () => Promise<Account>>;

interface Generated {
  readonly id: number;
  readonly username: string;
  readonly initialPassword: string;
}

async function createTeacher(body: { password?: string; generatePassword?: true }): Promise<Account> {
  const teacher = { username: world.newName(), role: 'class_admin', classId: world.places.first.id, ...body };
  const { id, username, initialPassword } = await office.created<Generated>('/admin/manage', teacher);
  return { id, username, password: body.password ?? initialPassword };
}

const logIn = ({ username, password }: Omit<Account, 'id'>) =>
  test.anonymous.internal.post('/auth/login', { username, password });

it.each(Object.entries(passwordSources))(
  'a password %s works forever once used, but its owner must change it until mustChangePassword is false',
  async (_how, createAccount) => {
    const account = await createAccount();
    expect((await logIn(account)).data).toMatchObject({ mustChangePassword: true });
    test.clock.advance(365 * day);
    const own = await test.signIn(account.username, account.password);
    expect((await own.get('/auth/me')).data).toMatchObject({ mustChangePassword: true });
    expect((await own.get(`/users?schoolDb=${world.school.schoolDb}`)).status).toBe(200);
    const change = { oldPassword: account.password, newPassword: 'a wooden lantern' };
    expect((await own.patch('/auth/me', change)).status).toBe(200);
    expect((await own.get('/auth/me')).data).toMatchObject({ mustChangePassword: false });
    const again = await logIn({ ...account, password: 'a wooden lantern' });
    expect(again.data).toMatchObject({ mustChangePassword: false });
  },
);

it('an unused generated password works for exactly 90 days, then login answers passwordEnded; a typed password stays', async () => {
  const way = passwordSources['generated later'];
  const [soon, late, typed] = [await way(), await way(), await createTeacher({ password: given })];
  test.clock.advance(90 * day - 1);
  expect((await logIn(soon)).status).toBe(200);
  test.clock.advance(1);
  expect(await logIn(late)).toMatchObject({
    status: 401,
    reason: 'passwordEnded',
    message:
      'This password was not used in time and has ended; ask the administrator who gave it to you for a new one',
  });
  const wrong = await logIn({ ...late, password: 'wrong' });
  expect(wrong).toMatchObject({ status: 401, message: 'Wrong username or password' });
  expect(wrong).not.toHaveProperty('reason');
  test.clock.advance(276 * day);
  expect((await logIn(typed)).status).toBe(200);
});

it('login gives a disabled administrator no reason, and counts each use of an expired password as a failed login', async () => {
  const way = passwordSources['generated later'];
  const [disabled, late] = [await way(), await way()];
  await office.patch(path(disabled.id), { disabled: true });
  test.clock.advance(90 * day);
  expect(await logIn(disabled)).not.toHaveProperty('reason');
  for (let n = 0; n < 10; n++) expect((await logIn(late)).status).toBe(401);
  expect((await logIn(late)).status).toBe(429);
});

it('every answer that sets an administrator’s password contains passwordEndsAt', async () => {
  const { schoolDb } = world.school;
  const place = { role: 'class_admin', classId: world.places.first.id };
  const made = (body: object) =>
    office.post('/admin/manage', { ...place, username: world.newName(), ...body });
  const { id } = await world.teacher();
  const never = { passwordEndsAt: null };
  const later = { passwordEndsAt: new Date(test.clock.now().getTime() + 90 * day).toISOString() };
  expect((await made({ password: given })).data).toMatchObject(never);
  expect((await made({ generatePassword: true })).data).toMatchObject(later);
  expect((await office.patch(path(id), { password: given })).data).toMatchObject(never);
  expect((await office.patch(path(id), { disabled: false })).data).not.toHaveProperty('passwordEndsAt');
  expect((await office.post(`${path(id)}/password`)).data).toMatchObject(later);
  const teachers = [{ username: world.newName(), classId: place.classId }];
  const many = await office.post('/admin/manage/class-teachers', { schoolDb, teachers });
  expect((many.data as { details: object[] }).details[0]).toMatchObject(later);
});

it('an expired initial password confirms nothing in another session, and its owner cannot change it', async () => {
  const own = await world.teacher();
  const authenticator = new Authenticator();
  await addPasskey(own, authenticator);
  const { initialPassword } = await office.created<Generated>(`${path(own.id)}/password`, {});
  test.clock.advance(90 * day);
  const { internal } = test.anonymous;
  const { asked, cookie: challenge } = await askForPasskey(test);
  const signedIn = await internal.post('/auth/login/passkey', authenticator.answer(asked), {
    cookie: challenge,
  });
  const cookie = cookieOf(signedIn, 'session');
  const confirmed = await internal.post('/auth/confirm', { password: initialPassword }, { cookie });
  expect(confirmed).toMatchObject({ status: 403, message: 'The password is wrong' });
  const change = { oldPassword: initialPassword, newPassword: 'a wooden lantern' };
  expect((await internal.patch('/auth/me', change, { cookie })).status).toBe(400);
});

it('INITIAL_PASSWORD_DAYS sets the days after which an unused initial password expires', async () => {
  const brief = await startTestApp({ INITIAL_PASSWORD_DAYS: '1' }, { shareDatabaseWith: test });
  const admin = await brief.signIn(chief.username, chief.password);
  const teacher = { username: world.newName(), role: 'super_admin', generatePassword: true };
  const account = await admin.created<Generated>('/admin/manage', teacher);
  test.clock.advance(day);
  expect((await logIn({ ...account, password: account.initialPassword })).status).toBe(401);
});

it('a generated password is returned once, to the administrator who requested it, and differs each time', async () => {
  const { id } = await world.teacher();
  const reset = () => office.created<Generated>(`${path(id)}/password`, {});
  const [first, second] = [await reset(), await reset()];
  expect(first.initialPassword).toMatch(/^[0-9A-Za-z]{10}$/);
  expect(second.initialPassword).not.toBe(first.initialPassword);
  expect((await logIn({ ...first, password: first.initialPassword })).status).toBe(401);
  expect(JSON.stringify((await office.get(path(id))).data)).not.toContain(second.initialPassword);
  expect((await createTeacher({ password: given })).password).toBe(given);
});

const heldAdmin = (id: number) =>
  LockedRows.selectedBy(test, 'SELECT 1 FROM admin WHERE id = $1 FOR UPDATE', [id]);

it('the first sign-in with a generated password succeeds from several places at once', async () => {
  const account = await createTeacher({ generatePassword: true });
  const held = await heldAdmin(account.id);
  const logins = [logIn(account), logIn(account), logIn(account)];
  await held.waitUntilWaiting(3);
  await held.release();
  expect((await Promise.all(logins)).map(({ status }) => status)).toEqual([200, 200, 200]);
  test.clock.advance(91 * day);
  expect((await logIn(account)).status).toBe(200);
});

it.each(['reset first', 'sign-in first'])(
  'signing in with the old password leaves the expiry of a new password set at the same time: %s',
  async (order) => {
    const account = await createTeacher({ generatePassword: true });
    const held = await heldAdmin(account.id);
    const renew = () => office.post(`${path(account.id)}/password`);
    const use = () => logIn(account);
    const isResetFirst = order === 'reset first';
    const answers = await held.startInOrder(...(isResetFirst ? [renew, use] : [use, renew]));
    const made = answers[isResetFirst ? 0 : 1]?.data as Generated;
    test.clock.advance(90 * day);
    expect(await logIn({ ...account, password: made.initialPassword })).toMatchObject({
      status: 401,
      reason: 'passwordEnded',
    });
    const sessions = 'SELECT 1 FROM admin_session WHERE admin_id = $1';
    expect((await test.database.pool.query(sessions, [account.id])).rows).toEqual([]);
  },
);

it('a sign-in that began before the password expired succeeds even if it is checked later', async () => {
  const account = await createTeacher({ generatePassword: true });
  test.clock.advance(90 * day - 1);
  const held = await heldAdmin(account.id);
  const login = logIn(account);
  await held.waitUntilWaiting(1);
  test.clock.advance(1);
  await held.release();
  // The login began before the expiry.
  expect((await login).status).toBe(200);
  expect((await logIn(account)).status).toBe(200);
});
