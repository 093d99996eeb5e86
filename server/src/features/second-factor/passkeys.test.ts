import { expect, it } from 'vitest';
import { openStaffWorld, type Staff } from '../../../test/administrators.ts';
import {
  Authenticator,
  addPasskey,
  askForPasskey,
  cookieOf,
  type PasskeyChallenge,
  statementOfMaker,
} from '../../../test/authenticator.ts';
import type { InternalAnswer } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { removeExpired, repeatCountedEvents } from '../../../test/stored-rows.ts';

const world = await openStaffWorld();
const { chief, test } = world;
const { internal } = test.anonymous;

const newPerson = () => world.member('super_admin');

const requireOf = (...roles: string[]) => chief.patch('/second-factor-roles', { roles });

it('a super administrator requires a second factor for a role, and sees how many of its administrators lack one', async () => {
  const teacher = await world.teacher();
  await addPasskey(teacher);
  await world.teacher();
  const { data } = await requireOf('class_admin');
  const role = (data as { roles: { role: string }[] }).roles.find((each) => each.role === 'class_admin');
  expect(role).toEqual({ role: 'class_admin', isRequired: true, administrators: 3, withoutFactor: 2 });
  expect(await chief.read('/second-factor-roles')).toEqual(data);
  expect(await chief.read('/admin/activity?action=updateSecondFactorRoles')).toHaveLength(1);
  await requireOf();
});

it('until a required second factor is set up, requests outside the own account answer 403 with reason factor', async () => {
  const teacher = await world.teacher();
  const colleague = await world.gradeHead();
  const path = `/users?schoolDb=${world.school.schoolDb}`;
  expect(await teacher.get(path)).toMatchObject({ status: 200 });
  await requireOf('class_admin');
  expect(await teacher.get(path)).toMatchObject({ status: 403, reason: 'factor' });
  expect(await colleague.get(path)).toMatchObject({ status: 200 });
  const { username, password } = teacher;
  const login = await test.anonymous.internal.post('/auth/login', { username, password });
  expect(login.data).toMatchObject({ mustSetUpFactor: true });
  expect(await teacher.read('/auth/me')).toMatchObject({ mustSetUpFactor: true });
  expect(await teacher.read('/auth/second-factor')).toMatchObject({ isRequired: true });

  const { id } = await addPasskey(teacher);
  expect(await teacher.get(path)).toMatchObject({ status: 200 });
  expect(await teacher.read('/auth/me')).toMatchObject({ mustSetUpFactor: false });

  const last = { status: 409, message: expect.stringMatching(/needs a second factor/) };
  expect(await teacher.delete(`/auth/passkeys/${id}`)).toMatchObject(last);
  const another = await addPasskey(teacher);
  expect(await teacher.delete(`/auth/passkeys/${id}`)).toMatchObject({ status: 200 });
  const both = await Promise.all([
    teacher.delete(`/auth/passkeys/${another.id}`),
    teacher.delete(`/auth/passkeys/${another.id}`),
  ]);
  expect(both.map(({ status }) => status)).toEqual([409, 409]);
  await requireOf();
  expect(await teacher.delete(`/auth/passkeys/${another.id}`)).toMatchObject({ status: 200 });
});

it('a required second factor is given by sessions opened with a provider or passkey, but not with a password', async () => {
  const teacher = await world.teacher();
  await requireOf('class_admin');
  const open = 'UPDATE admin_session SET opened_with = $1 WHERE admin_id = $2';
  for (const [method, status] of [
    ['password', 403],
    ['provider', 200],
    ['passkey', 200],
  ] as const) {
    await test.database.pool.query(open, [method, teacher.id]);
    expect([method, (await teacher.get('/schools')).status]).toEqual([method, status]);
  }
  await requireOf();
});

it('an administrator of a higher role resets a lost second factor, never the own one, with a log line and the end of sessions', async () => {
  const path = (id: number) => `/admin/manage/${id}/second-factor`;
  const { ofSchool, ofGrade, ofClass } = world.staff;
  const teacher = await world.teacher();
  await addPasskey(teacher);
  expect(await ofClass.delete(path(teacher.id))).toMatchObject({ status: 403 });
  expect(await ofGrade.delete(path(ofSchool.id))).toMatchObject({ status: 403 });
  const { id, username, password } = teacher;
  expect(await ofGrade.delete(path(id))).toMatchObject({ status: 200, data: { id, username } });
  expect(await teacher.get('/auth/me')).toMatchObject({ status: 401 });
  await test.signIn(username, password);
  expect(await test.rows('SELECT * FROM recovery_code WHERE admin_id = $1', id)).toEqual([]);
  const own = await chief.get(`/admin/activity?adminId=${id}&action=secondFactorReset`);
  expect(own.data).toMatchObject([{ username, ip: null, userAgent: null }]);
  const log = await chief.get(`/admin/activity?adminId=${ofGrade.id}&action=resetSecondFactor`);
  expect(log.data).toMatchObject([{ target: { id, name: username } }]);
  expect(await ofGrade.delete(path(id))).toMatchObject({ status: 409 });
  await addPasskey(chief);
  expect(await chief.delete(path(chief.id))).toMatchObject({ status: 403 });
});

async function withPasskey(authenticator = new Authenticator()) {
  const staff = await newPerson();
  const { recoveryCodes } = await addPasskey(staff, authenticator);
  return { staff, authenticator, recoveryCodes };
}

const ask = () => askForPasskey(test);

const logIn = (body: object, cookie: string, more: Record<string, string> = {}) =>
  internal.post('/auth/login/passkey', body, { cookie, ...more });

async function signIn(authenticator: Authenticator) {
  const { asked, cookie } = await ask();
  return logIn(authenticator.answer(asked), cookie);
}

const refused = { status: 401, message: 'The passkey is not known here, or the sign-in took too long' };

it('a passkey signs in without a password, and the session shows that', async () => {
  const { staff, authenticator } = await withPasskey();
  const answer = await signIn(authenticator);
  expect(answer).toMatchObject({ status: 200, data: { id: staff.id, mustSetUpFactor: false } });
  const session = { cookie: cookieOf(answer, 'session') };
  const { data } = await internal.get('/auth/sessions', session);
  expect(data).toMatchObject([{ current: true, openedWith: 'passkey' }, {}]);
  expect(await staff.read('/auth/second-factor')).toMatchObject({
    passkeys: [{ name: 'Key of the test', host: 'localhost', lastUsedAt: test.clock.now().toISOString() }],
  });
});

it('a passkey can answer a challenge only once', async () => {
  const { authenticator } = await withPasskey();
  const { asked, cookie } = await ask();
  const body = authenticator.answer(asked);
  const twice = await Promise.all([logIn(body, cookie), logIn(body, cookie)]);
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect(await logIn(body, cookie)).toMatchObject(refused);
  expect(await logIn(authenticator.answer(asked), cookie)).toMatchObject(refused);
  // Used challenges are stored until they expire.
  test.clock.advance(300_001);
  await removeExpired(test, 'spent_challenge');
  expect(await test.rows('SELECT * FROM spent_challenge')).toEqual([]);
  expect(await logIn(body, cookie)).toMatchObject(refused);
});

it('a passkey is rejected from another origin, too late, in another browser or for another challenge', async () => {
  const { staff, authenticator } = await withPasskey();
  type Asked = Awaited<ReturnType<typeof ask>>;
  const own = authenticator;
  const evil = 'https://evil.example';
  const wrong: Record<string, (sign: Asked) => Promise<InternalAnswer>> = {
    'a page of another origin': ({ asked, cookie }) => logIn(own.answer(asked, { origin: evil }), cookie),
    'a page of another host': ({ asked, cookie }) =>
      logIn(own.answer(asked, { origin: evil, rpId: 'evil.example' }), cookie),
    'another host that the caller names': ({ asked, cookie }) => {
      const body = own.answer(asked, { origin: 'http://evil.example', rpId: 'evil.example' });
      return logIn(body, cookie, { host: 'evil.example' });
    },
    'another browser': async ({ asked }) => logIn(own.answer(asked), (await ask()).cookie),
    'no cookie': ({ asked }) => logIn(own.answer(asked), ''),
    'a challenge for something else': async () => {
      const asked = await staff.created<PasskeyChallenge>('/auth/confirm/passkey/challenge', {});
      return logIn(own.answer(asked), `classledger_challenge=${staff.cookie.split('=')[1]}`);
    },
    'a challenge of nobody': ({ cookie }) => logIn(own.answer({ challenge: 'bm9ib2R5' }), cookie),
    'nobody who shows a finger': ({ asked, cookie }) => {
      own.asksForPerson = false;
      const body = own.answer(asked);
      own.asksForPerson = true;
      return logIn(body, cookie);
    },
    'another key': ({ asked, cookie }) =>
      logIn({ ...new Authenticator().answer(asked), id: own.answer(asked).id }, cookie),
    'a passkey of nobody': ({ asked, cookie }) => logIn(new Authenticator().answer(asked), cookie),
    'the passkey of a disabled administrator': async ({ asked, cookie }) => {
      const admin = await test.signIn();
      await admin.patch(`/admin/manage/${staff.id}`, { disabled: true });
      const answer = await logIn(own.answer(asked), cookie);
      await admin.patch(`/admin/manage/${staff.id}`, { disabled: false });
      return answer;
    },
    nonsense: ({ asked, cookie }) => logIn({ ...own.answer(asked), authenticatorData: 'AAAA' }, cookie),
    'too late': ({ asked, cookie }) => {
      test.clock.advance(300_001);
      return logIn(own.answer(asked), cookie);
    },
  };
  for (const [what, attempt] of Object.entries(wrong)) {
    expect([what, await attempt(await ask())]).toMatchObject([what, refused]);
    test.clock.advance(900_000);
  }
  expect(await signIn(authenticator)).toMatchObject({ status: 200 });
});

it('an address gets 429 after 100 failed passkey logins', async () => {
  const { authenticator } = await withPasskey();
  const unknown = new Authenticator().answer({ challenge: 'bm9ib2R5' });
  const fail = async (name: string) =>
    (await logIn({ ...unknown, id: Buffer.from(name).toString('base64url') }, '')).status;
  expect(await repeatCountedEvents(test.database.pool, 99, () => fail('unknown'))).toBe(401);
  expect([await fail('another'), await fail('a third')]).toEqual([401, 429]);
  expect((await signIn(authenticator)).status).toBe(429);
  test.clock.advance(900_000);
});

it('a passkey whose counter does not increase is rejected as a possible copy, and logged', async () => {
  const authenticator = new Authenticator();
  authenticator.counter = 5;
  const { staff } = await withPasskey(authenticator);
  const copies = () => staff.read(`/admin/activity?adminId=${staff.id}&action=passkeyCloned`);
  expect(await signIn(authenticator)).toMatchObject({ status: 200 });
  authenticator.counter = 3;
  expect(await signIn(authenticator)).toMatchObject(refused);
  expect(await copies()).toHaveLength(1);
  authenticator.counter = 9;
  expect(await signIn(authenticator)).toMatchObject({ status: 200 });
  // Only its key can make a passkey look cloned.
  const { asked, cookie } = await ask();
  const { authenticatorData } = authenticator.answer(asked);
  authenticator.counter = 1;
  const { id } = authenticator.answer(asked);
  const forged = { ...new Authenticator().answer(asked), id, authenticatorData };
  expect(await logIn(forged, cookie)).toMatchObject(refused);
  expect(await copies()).toHaveLength(1);
});

it('a passkey that is removed during its sign-in opens no session and is not logged as a copy', async () => {
  const places = {
    'before it is used': 'SELECT 1 FROM passkey WHERE admin_id = $1 FOR UPDATE',
    'after it was used': 'SELECT 1 FROM admin WHERE id = $1 FOR UPDATE',
  };
  for (const [place, statement] of Object.entries(places)) {
    const { staff, authenticator } = await withPasskey();
    const { asked, cookie } = await ask();
    const removal = await LockedRows.selectedBy(test, statement, [staff.id]);
    const answer = logIn(authenticator.answer(asked), cookie);
    await removal.waitUntilWaiting(1);
    await removal.commit('DELETE FROM passkey WHERE admin_id = $1', [staff.id]);
    expect([place, await answer]).toMatchObject([place, refused]);
    const activity = await staff.read<{ action: string }[]>(`/admin/activity?adminId=${staff.id}`);
    const actions = activity.map(({ action }) => action);
    // All have the same time, so their order is undefined.
    expect([place, actions.sort()]).toEqual([place, ['addPasskey', 'signInFailed', 'signedIn']]);
  }
});

const path = '/auth/passkeys';
const cannot = { status: 400, message: 'The passkey cannot be used here; start again' };

it('adding a passkey requires this origin, this session, a recent challenge and user verification', async () => {
  const staff = await newPerson();
  const sameElsewhere = await test.signIn(staff.username, staff.password);
  const start = (as: Pick<Staff, 'created'> = staff) => as.created<PasskeyChallenge>(`${path}/challenge`, {});
  const authenticator = new Authenticator();
  const careless = new Authenticator();
  careless.asksForPerson = false;
  const wrong = {
    'another origin': authenticator.make(await start(), { origin: 'https://evil.example' }),
    'another host': authenticator.make(await start(), { rpId: 'evil.example' }),
    'another session': authenticator.make(await start(sameElsewhere)),
    'a challenge for something else': authenticator.make(
      await staff.created<PasskeyChallenge>('/auth/confirm/passkey/challenge', {}),
    ),
    'nobody asked': careless.make(await start()),
    'a certificate of the maker': authenticator.make(await start(), {}, statementOfMaker),
    nonsense: { ...authenticator.make(await start()), attestationObject: 'AAAA' },
  };
  for (const [what, body] of Object.entries(wrong)) {
    expect([what, await staff.post(path, body)]).toMatchObject([what, cannot]);
  }
  const right = authenticator.make(await start());
  expect(await staff.post(path, right)).toMatchObject({ status: 200 });
  expect(await staff.post(path, right)).toMatchObject(cannot);
  expect(await staff.post(path, authenticator.make(await start()))).toMatchObject({ status: 409 });
  const again = await newPerson();
  expect(await again.post(path, authenticator.make(await start(again)))).toMatchObject({ status: 409 });
});

it('adding a passkey excludes existing passkeys, and is possible for at most twenty passkeys', async () => {
  const { staff } = await withPasskey();
  const start = () =>
    staff.created<PasskeyChallenge & { excludeCredentials: unknown[] }>(`${path}/challenge`, {});
  expect((await start()).excludeCredentials).toHaveLength(1);
  const stored = (n: number) => ({
    ...{ admin_id: staff.id, credential_id: `key ${n}`, public_key: Buffer.from('key'), counter: 0 },
    ...{ rp_id: 'localhost', transports: [], name: `Key ${n}`, created_at: test.clock.now() },
  });
  await test.database.db
    .insertInto('passkey')
    .values(Array.from({ length: 18 }, (_, n) => stored(n)))
    .execute();
  await staff.created(path, new Authenticator().make(await start()));
  expect(await staff.post(path, new Authenticator().make(await start()))).toMatchObject({ status: 409 });
});

it('a passkey makes password logins ask for a code until its owner removes it, and nobody else may change it', async () => {
  const { staff, recoveryCodes } = await withPasskey();
  const other = await withPasskey();
  const { username, password } = staff;
  const logInWith = (code?: string) => internal.post('/auth/login', { username, password, code });
  expect(await logInWith()).toMatchObject({ status: 401, reason: 'code' });
  expect(await logInWith(recoveryCodes[0])).toMatchObject({ status: 200 });
  const { passkeys } = await staff.read<{ passkeys: [{ id: number }] }>('/auth/second-factor');
  const [{ id }] = passkeys;
  expect(await other.staff.patch(`${path}/${id}`, { name: 'Mine' })).toMatchObject({ status: 404 });
  expect(await other.staff.delete(`${path}/${id}`)).toMatchObject({ status: 404 });
  expect(await staff.patch(`${path}/${id}`, { name: 'Phone' })).toMatchObject({ data: { name: 'Phone' } });
  expect(await staff.delete(`${path}/${id}`)).toMatchObject({ status: 200 });
  expect(await logInWith()).toMatchObject({ status: 200 });
});

it('a passkey confirms only its owner’s own session, once per challenge', async () => {
  const { staff, authenticator } = await withPasskey();
  const other = await withPasskey();
  const path = '/auth/confirm/passkey';
  test.clock.advance(600_001);
  const widen = () => staff.post('/auth/second-factor/recovery-codes');
  expect(await widen()).toMatchObject({ status: 403, reason: 'confirm' });
  const start = () => staff.created<PasskeyChallenge>(`${path}/challenge`, {});
  expect(await staff.post(path, other.authenticator.answer(await start()))).toMatchObject({ status: 403 });
  const late = authenticator.answer(await start());
  test.clock.advance(300_001);
  expect(await staff.post(path, late)).toMatchObject({ status: 403 });
  expect(await widen()).toMatchObject({ status: 403, reason: 'confirm' });
  const body = authenticator.answer(await start());
  expect(await other.staff.post(path, body)).toMatchObject({ status: 403 });
  expect(await staff.post(path, body)).toMatchObject({ status: 200 });
  expect(await widen()).toMatchObject({ status: 200 });
  expect(await staff.post(path, body)).toMatchObject({ status: 403 });
});
