import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffWorld, type Staff } from './administrators.ts';
import {
  Authenticator,
  addPasskey,
  askForPasskey,
  cookieOf,
  type PasskeyChallenge,
} from './authenticator.ts';
import { AdminClient, type InternalAnswer } from './identities.ts';
import { LockedRows } from './locked-rows.ts';
import { createSampleSchool, startTestApp } from './test-app.ts';

/**
 * Tests which sessions ask for confirmations and what confirms (docs/contract.md, Confirmation), and attacks with an
 * open or stolen session, without the password (docs/security.md, A stolen session). `internal-access.test.ts` proves
 * that every declared operation asks.
 */

const minutes = 60_000;
const world = await openStaffWorld();
const { test, chief, school } = world;
const { internal } = test.anonymous;
const { schoolDb } = school;
const student = world.places.first.students[0];

// Forgets failures and confirmations of the previous test.
beforeEach(() => test.clock.advance(15 * minutes + 1));

const header = (password: string) => ({ 'x-confirm-password': encodeURIComponent(password) });
const asked = [403, 'confirm'];
const statusAndReason = ({ status, reason }: InternalAnswer) => [status, reason];
const isAsked = async (session: Pick<AdminClient, 'delete'>) => {
  const { status, reason } = await session.delete('/admin/manage/999999999');
  expect([403, 404]).toContain(status);
  return reason === 'confirm';
};
const stateOf = async (session: AdminClient) => (await session.get('/auth/me')).status;
const confirmIn = (session: AdminClient, password: string) => session.post('/auth/confirm', { password });
const signIn = ({ username, password }: Staff, more: object = { confirmations: true }) =>
  AdminClient.signIn(test.app.http, username, password, more);
const newAdmin = (role = 'super_admin') => ({
  username: world.newName(),
  password: 'kindle42 kindle42',
  role,
  schoolId: role === 'super_admin' ? undefined : school.id,
});
const tooLate = () => test.clock.advance(10 * minutes + 1);

/** Returns a session whose sign-in is too old to count as a confirmation. */
async function stolen(role: 'super_admin' | 'school_admin' = 'super_admin'): Promise<Staff> {
  const victim = await world.member(role);
  tooLate();
  return victim;
}

const password = 'password of the thief';
const card = { schoolDb, name: 'Card', scopeType: 'school', scopes: ['students:read'] };

it('narrowing a credential and daily work need no confirmation', async () => {
  const thief = await stolen();
  const { id } = await school.issue({ name: 'To be narrowed' });
  for (const [path, body] of [
    [`/api-tokens/${id}`, { name: 'Narrowed' }],
    [`/api-tokens/${id}`, { disabled: true }],
    [`/users/${student.id}?schoolDb=${schoolDb}`, { actualName: 'Li Wei' }],
    [`/users/${student.id}?schoolDb=${schoolDb}`, { classId: world.places.second.id, disabled: true }],
  ] as const) {
    expect([path, (await thief.patch(path, body)).status]).toEqual([path, 200]);
  }
});

describe('a session that signed in without confirmations: true', () => {
  it('needs no confirmation for the specified calls six hours after its sign-in', async () => {
    const session = await signIn(chief, {});
    await chief.confirm();
    const doomed = await createSampleSchool(chief, world.newName('doomed'));
    const { id: tokenId } = await doomed.issue({ scopes: ['students:read'], expiresInDays: 30 });
    const pupil = doomed.grades[0].classes[0].students[0];
    test.clock.advance(6 * 60 * minutes);
    const person = { ...newAdmin('school_admin'), schoolId: doomed.id };
    const { id } = await session.created<{ id: number }>('/admin/manage', person);
    const changed = { username: world.newName(), password: 'a new password' };
    const answers = [
      await session.patch(`/admin/manage/${id}`, { role: 'super_admin' }),
      await session.delete(`/admin/manage/${id}`),
      await session.patch(`/users/${pupil?.id}?schoolDb=${doomed.schoolDb}`, changed),
      await session.patch(`/api-tokens/${tokenId}`, { scopes: ['scores:read'], expiresInDays: 60 }),
      await session.patch(`/api-tokens/${tokenId}`, { disabled: true }),
      await session.patch(`/api-tokens/${tokenId}`, { disabled: false }),
      await session.delete(`/schools/${doomed.id}`),
    ];
    expect(answers.map(statusAndReason)).toEqual(answers.map(() => [200, undefined]));
  });

  it('results from a sign-in with confirmations false or absent; an invalid value gets 400', async () => {
    for (const more of [{}, { confirmations: false }]) {
      const session = await signIn(await world.member('super_admin'), more);
      tooLate();
      expect(await isAsked(session)).toBe(false);
    }
    const { username, password } = chief;
    for (const confirmations of ['true', 2, 'yes']) {
      const answer = await internal.post('/auth/login', { username, password, confirmations });
      expect(answer).toMatchObject({ status: 400, message: expect.stringContaining('confirmations') });
    }
  });

  it('still needs the own password to change the password and to issue or revoke a credential', async () => {
    const person = await world.member('super_admin');
    const session = await signIn(person, {});
    expect((await session.patch(`/admin/manage/${person.id}`, { password: 'another word' })).status).toBe(
      403,
    );
    const { id: tokenId } = await session.issue(schoolDb);
    expect((await session.delete(`/api-tokens/${tokenId}`)).status).toBe(400);
    expect((await session.delete(`/api-tokens/${tokenId}`, header('a guess'))).status).toBe(403);
  });
});

it('a session that asks for confirmations accepts the own password in x-confirm-password for one call only, as the error says', async () => {
  const { message } = await chief.delete('/admin/manage/999999999');
  expect(message).toMatch(
    /x-confirm-password.*POST \/api\/auth\/confirm|POST \/api\/auth\/confirm.*x-confirm-password/,
  );
  const right = header(chief.password);
  const { id } = (await chief.post('/admin/manage', newAdmin(), right)).data as { id: number };
  expect(await isAsked(chief)).toBe(true);
  expect((await chief.patch(`/admin/manage/${id}`, { role: 'super_admin' }, right)).status).toBe(200);
  const unencoded = { 'x-confirm-password': chief.password };
  expect((await chief.delete(`/admin/manage/${id}`, unencoded)).status).toBe(200);
  expect(await isAsked(chief)).toBe(true);
});

it.each<[string, (session: AdminClient, password: string) => Promise<InternalAnswer>]>([
  ['POST /auth/confirm', confirmIn],
  ['x-confirm-password', (by, password) => by.delete('/admin/manage/999999999', header(password))],
  ['issuing a credential', (by, password) => by.post('/api-tokens', card, header(password))],
])(
  'a session that asks for confirmations answers 403 to ten wrong passwords, then for 15 minutes 429 to every confirmation, and then accepts the newest password: %s',
  async (_, confirm) => {
    const thief = await stolen();
    for (const wrong of [chief.password, ...Array.from({ length: 9 }, (_, n) => `guess ${n}`)]) {
      const answer = await confirm(thief, wrong);
      expect(answer).toMatchObject({
        status: 403,
        data: null,
        message: expect.stringMatching(/^The password.* is wrong$/),
      });
      expect(answer.reason).toBeUndefined();
    }
    const change = () =>
      thief.patch('/auth/me', { oldPassword: thief.password, newPassword: 'a newer password' });
    for (const late of [await confirm(thief, thief.password), await change()]) {
      expect(late).toMatchObject({ status: 429, data: null, headers: { 'retry-after': '900' } });
    }
    expect(await isAsked(thief)).toBe(true);
    // Sign-ins stay possible, because they have counters of their own.
    expect(await stateOf(await signIn(thief))).toBe(200);
    const { data } = await chief.get(`/admin/activity?adminId=${thief.id}&action=confirmationFailed`);
    expect(data).toHaveLength(10);
    test.clock.advance(15 * minutes);
    expect((await change()).status).toBe(200);
    tooLate();
    expect((await confirm(thief, thief.password)).status).toBe(403);
    expect([200, 404]).toContain((await confirm(thief, 'a newer password')).status);
  },
);

it('a session that asks for confirmations is confirmed by a change of the own password, and asks again later, also after a sign-in elsewhere', async () => {
  const person = await stolen();
  const change = { oldPassword: person.password, newPassword: 'battery staple horse' };
  expect((await person.patch('/auth/me', change)).status).toBe(200);
  expect(await isAsked(person)).toBe(false);
  await AdminClient.signIn(test.app.http, person.username, 'battery staple horse', {});
  tooLate();
  expect(await isAsked(person)).toBe(true);
});

it('a session that asks for confirmations results from every sign-in if REQUIRE_CONFIRMATIONS is set', async () => {
  const strict = await startTestApp({ REQUIRE_CONFIRMATIONS: 'true' }, { shareDatabaseWith: test });
  for (const more of [{}, { confirmations: false }, { confirmations: true }]) {
    const session = await AdminClient.signIn(strict.app.http, chief.username, chief.password, more);
    expect(await isAsked(session)).toBe(false);
    tooLate();
    expect(await isAsked(session)).toBe(true);
  }
});

it('a stolen session cannot set a new password without the old password', async () => {
  const thief = await stolen();
  expect(statusAndReason(await thief.patch(`/admin/manage/${thief.id}`, { password }))).toEqual(asked);
  expect((await thief.patch('/auth/me', { oldPassword: 'a guess', newPassword: password })).status).toBe(400);
  // Even a fresh sign-in does not replace the old password.
  const answer = await (await signIn(thief)).patch(`/admin/manage/${thief.id}`, { password });
  expect(answer).toMatchObject({ status: 403, message: expect.stringContaining('PATCH /api/auth/me') });
  await expect(test.signIn(thief.username, password)).rejects.toThrow('Wrong');
  expect(await stateOf(await signIn(thief))).toBe(200);
});

it('a stolen session cannot change accounts, passwords, addresses or rights', async () => {
  const lower = await world.teacher();
  const issued = await school.issue({ name: 'Card', scopes: ['students:read'], expiresInDays: 3 });
  const [thief, ofSchool] = [await stolen(), await stolen('school_admin')];
  const accomplice = { ...newAdmin('school_admin'), username: 'accomplice', password };
  const [account, credential] = [`/admin/manage/${lower.id}`, `/api-tokens/${issued.id}`];
  const pupil = `/users/${student.id}?schoolDb=${schoolDb}`;
  const answers = [
    await thief.post('/admin/manage', accomplice),
    await thief.patch(account, { password }),
    await thief.patch(account, { role: 'super_admin' }),
    await thief.patch(account, { disabled: false }),
    await thief.delete(account),
    await thief.patch(credential, { scopes: ['students:read', 'scores:write'] }),
    await thief.patch(credential, { expiresInDays: null }),
    await thief.patch(credential, { expiresInDays: 300 }),
    await thief.patch(credential, { disabled: false }),
    await thief.patch(credential, { name: 'Harmless', disabled: false }),
    await ofSchool.post(`/users/${student.id}/password?schoolDb=${schoolDb}`),
    await ofSchool.patch(pupil, { password }),
    // A provider finds an account by username or address.
    await ofSchool.patch(pupil, { username: 'the thief' }),
    await ofSchool.patch(pupil, { email: 'the.thief@school.example' }),
    await ofSchool.patch(pupil, { actualName: 'Li Wei', email: null }),
  ];
  expect(answers.map(statusAndReason)).toEqual(answers.map(() => asked));
  for (const username of ['accomplice', lower.username]) {
    await expect(test.signIn(username, password)).rejects.toThrow('Wrong');
  }
  await signIn(lower);
});

it('a stolen session stays unconfirmed when it is used, names the password in a header, or its owner confirms elsewhere', async () => {
  const thief = await stolen();
  expect(await stateOf(thief)).toBe(200);
  await thief.issue(schoolDb);
  const owner = await signIn(thief);
  expect([await isAsked(owner), await isAsked(thief)]).toEqual([false, true]);
  tooLate();
  expect(await isAsked(owner)).toBe(true);
  await owner.confirm();
  expect([await isAsked(owner), await isAsked(thief)]).toEqual([false, true]);
});

it('a confirmation allows the rejected operations in its session for ten minutes', async () => {
  const admin = await stolen();
  const body = newAdmin();
  expect(statusAndReason(await admin.post('/admin/manage', body))).toEqual(asked);
  const until = new Date(test.clock.now().getTime() + 10 * minutes).toISOString();
  const confirmed = await confirmIn(admin, admin.password);
  expect(confirmed).toMatchObject({ status: 200, data: { confirmedUntil: until } });
  expect((await admin.post('/admin/manage', body)).status).toBe(200);
  test.clock.advance(10 * minutes);
  expect(await isAsked(admin)).toBe(false);
  test.clock.advance(1);
  expect(await isAsked(admin)).toBe(true);
});

it('a confirmation does not count after the clock was set back by a day, and can be repeated then', async () => {
  const admin = await world.member('super_admin');
  const now = test.clock.now();
  const at = (ms: number) => test.clock.set(new Date(now.getTime() + ms).toISOString());
  // Clocks of several processes differ a little.
  at(-30_000);
  expect(await isAsked(admin)).toBe(false);
  at(-24 * 60 * minutes);
  expect([await stateOf(admin), await isAsked(admin)]).toEqual([200, true]);
  await admin.confirm();
  expect(await isAsked(admin)).toBe(false);
  at(0);
  expect([await stateOf(admin), await isAsked(admin)]).toEqual([200, true]);
});

it.each([
  ['before a sign-out succeeds, but does not revive the session', [200, 200]],
  ['after a sign-out fails with 401', [200, 401]],
  ['after another person’s reset of the password fails with 401', [200, 401]],
])('a confirmation at the same moment, %s', async (what, statuses) => {
  const admin = await world.member('school_admin');
  const session = 'SELECT 1 FROM admin_session WHERE admin_id = $1 FOR UPDATE';
  const held = await LockedRows.selectedBy(test, session, [admin.id]);
  await chief.confirm();
  const confirm = () => confirmIn(admin, admin.password);
  const end = what.includes('reset')
    ? () => chief.patch(`/admin/manage/${admin.id}`, { password: 'another password' })
    : () => admin.post('/auth/logout');
  const [first, second] = what.startsWith('before') ? [confirm, end] : [end, confirm];
  expect((await held.startInOrder(first, second)).map(({ status }) => status)).toEqual(statuses);
  expect(await stateOf(admin)).toBe(401);
});

const withPasskey = async (role: 'super_admin' | 'school_admin') => {
  const person = await world.member(role);
  const key = new Authenticator();
  await addPasskey(person, key);
  const confirm = async () => {
    const options = await person.created<PasskeyChallenge>('/auth/confirm/passkey/challenge', {});
    expect((await person.post('/auth/confirm/passkey', key.answer(options))).status).toBe(200);
  };
  return { person, key, confirm };
};

it.each([
  [{ confirmations: true }, true],
  [{ confirmations: false }, false],
  [{}, false],
])(
  'a passkey that signs in with %j opens a session that asks for confirmations: %s',
  async (more, isToAsk) => {
    const { key } = await withPasskey('super_admin');
    const { asked, cookie } = await askForPasskey(test);
    const body = { ...key.answer(asked), ...more };
    const answer = await internal.post('/auth/login/passkey', body, { cookie });
    expect(answer.status).toBe(200);
    tooLate();
    const headers = { cookie: cookieOf(answer, 'session') };
    expect(await isAsked({ delete: (path) => internal.delete(path, headers) })).toBe(isToAsk);
  },
);

it('a passkey replaces the password for issuing and revoking credentials, for ten minutes and in one session', async () => {
  const { person, confirm } = await withPasskey('school_admin');
  const other = await signIn(chief);
  expect((await person.post('/api-tokens', card)).status).toBe(400);
  await person.confirm();
  expect((await person.post('/api-tokens', card)).status).toBe(400);
  await confirm();
  const { id } = await person.created<{ id: number }>('/api-tokens', card);
  expect((await person.delete(`/api-tokens/${id}`, header('a guess'))).status).toBe(403);
  expect((await other.delete(`/api-tokens/${id}?schoolDb=${schoolDb}`)).status).toBe(400);
  tooLate();
  const late = await person.delete(`/api-tokens/${id}`);
  expect(late).toMatchObject({ status: 400, message: expect.stringContaining('passkey') });
  await confirm();
  expect((await person.delete(`/api-tokens/${id}`)).status).toBe(200);
});
