import { createHash } from 'node:crypto';
import type { Session } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffWorld, setCookieOf } from './administrators.ts';
import { verifyCalls } from './cheap-argon2.ts';
import type { AdminClient, InternalAnswer } from './identities.ts';
import { LockedRows } from './locked-rows.ts';
import { repeatCountedEvents } from './stored-rows.ts';
import { createSampleSchool, type SampleSchool, studentPassword, superAdmin } from './test-app.ts';

/** Sign-ins, sessions and passwords that follow the same rules for students and administrators. */

const minutes = 60_000;
const chosen = 'battery staple';

const world = await openStaffWorld({ TRUST_PROXY: 'true' });
const { test, other } = world;
const { internal } = test.anonymous;
const placeIn = ({ schoolDb, grades: [{ classes }] }: SampleSchool) => ({ schoolDb, classId: classes[0].id });
const place = placeIn(world.school);
const { schoolDb } = place;
let chief: AdminClient = world.chief;

type Headers = Record<string, string>;

interface Account {
  readonly username: string;
  readonly password: string;
}

interface Person extends Account {
  readonly id: number;
}

const student = {
  who: 'a student',
  table: 'student',
  login: '/auth/student/login',
  logout: '/auth/student/logout',
  named: { schoolDb },
  me: '/auth/student/me',
  sessions: '/auth/student/sessions',
  eventsOf: (_: Person) => '/auth/student/events',
  touchAfterMs: 10 * minutes,
  sharedMs: 8 * 60 * minutes,
  create: (account: Account & typeof place) => chief.created<{ id: number }>('/users', account),
  change: ({ id }: Person, body: object) => chief.patch(`/users/${id}`, { schoolDb, ...body }),
  unknown: [
    { schoolDb: other.schoolDb },
    { schoolDb: 'school_999999' },
    { schoolDb: 'no school' },
    { ...superAdmin, schoolDb: undefined },
  ],
  tokenIn: ({ data }: InternalAnswer) => (data as { token: string }).token,
  headersOf: (token: string): Headers => ({ authorization: `Bearer ${token}` }),
  lockSessions: ({ id }: Person) => LockedRows.inTable(test, 'student_session', id, 'student_id'),
};

const administrator = {
  who: 'an administrator',
  table: 'admin',
  login: '/auth/login',
  logout: '/auth/logout',
  named: {},
  me: '/auth/me',
  sessions: '/auth/sessions',
  eventsOf: ({ id }: Person) => `/admin/activity?adminId=${id}`,
  touchAfterMs: minutes,
  sharedMs: 30 * minutes,
  create: (account: Account & typeof place) =>
    chief.created<{ id: number }>('/admin/manage', { role: 'class_admin', ...account }),
  change: ({ id }: Person, body: object) => chief.patch(`/admin/manage/${id}`, body),
  unknown: [{ username: world.places.first.students[0].username, password: studentPassword }],
  tokenIn: ({ headers }: InternalAnswer) => setCookieOf(headers)?.value ?? '',
  headersOf: (token: string): Headers => ({ cookie: `classledger_session=${token}` }),
  lockSessions: ({ id }: Person) =>
    LockedRows.selectedBy(test, 'SELECT 1 FROM admin_session WHERE admin_id = $1 FOR UPDATE', [id]),
};

type Kind = typeof student | typeof administrator;

const logIn = (kind: Kind, { username, password }: Account, headers: Headers = {}, more = {}) =>
  internal.post(kind.login, { ...kind.named, username, password, ...more }, headers);

/** Signs in, and returns a client with the new session. */
async function signIn(kind: Kind, person: Person, headers: Headers = {}, more = {}) {
  const answer = await logIn(kind, person, headers, more);
  expect(answer.status).toBe(200);
  const token = kind.tokenIn(answer);
  const identity = { ...headers, ...kind.headersOf(token) };
  const get = (path: string, headers: Headers = {}) => internal.get(path, { ...identity, ...headers });
  return {
    ...{ token, identity, get },
    list: async () => (await get(kind.sessions)).data as Session[],
    status: async () => (await get(kind.me)).status,
    end: (id: number) => internal.delete(`${kind.sessions}/${id}`, identity),
    endOthers: () => internal.delete(kind.sessions, identity),
    change: (oldPassword: string, newPassword: string, rules = {}) =>
      internal.patch(kind.me, { oldPassword, newPassword, ...rules }, identity),
  };
}

type OwnSession = Awaited<ReturnType<typeof signIn>>;
const statusesOf = (...all: readonly OwnSession[]) => Promise.all(all.map((one) => one.status()));
const idOf = async (session: OwnSession) =>
  (await session.list()).find(({ current }) => current)?.id as number;

async function create(kind: Kind, at = place): Promise<Person> {
  const account = { username: world.newName(kind.table), password: `password of ${kind.table}` };
  return { ...account, id: (await kind.create({ ...account, ...at })).id };
}

beforeEach(async () => {
  // Failures and sessions of the previous test expire.
  test.clock.advance(15 * minutes);
  chief = await test.signIn(world.chief.username, world.chief.password);
});

describe.each([student, administrator])('Sessions of $who', (kind) => {
  let person: Person;
  let own: OwnSession;

  beforeEach(async () => {
    person = await create(kind);
    own = await signIn(kind, person);
  });

  it('are listed until they expire, by last use, which is updated after a while with address and device', async () => {
    const at = () => test.clock.now().toISOString();
    const opened = { id: expect.any(Number), openedWith: 'password', createdAt: at(), lastUsedAt: at() };
    const tablet = { ...opened, current: false, shared: false, ip: '192.0.2.7', userAgent: 'A tablet' };
    const pc = { ...opened, current: false, shared: true, ip: '127.0.0.1', userAgent: 'A PC' };
    const first = { ...opened, current: false, shared: false, ip: '127.0.0.1', userAgent: 'lightMyRequest' };
    const onTablet = await signIn(kind, person, { 'user-agent': 'A tablet', 'x-forwarded-for': '192.0.2.7' });
    const onPc = await signIn(kind, person, { 'user-agent': 'A PC' }, { sharedComputer: true });
    const moved = { 'user-agent': 'A tablet, newer', 'x-forwarded-for': '192.0.2.9' };
    test.clock.advance(kind.touchAfterMs);
    await onTablet.get(kind.me, moved);
    expect(await onPc.list()).toEqual([{ ...pc, current: true }, tablet, first]);
    test.clock.advance(1);
    await onTablet.get(kind.me, moved);
    const newer = { ip: '192.0.2.9', userAgent: 'A tablet, newer', current: true, lastUsedAt: at() };
    expect(await onTablet.list()).toEqual([{ ...tablet, ...newer }, pc, first]);
    const page = await onTablet.get(`${kind.sessions}?page=2&limit=1`);
    expect([page.headers['x-total-count'], page.data]).toMatchObject(['3', [pc]]);
    test.clock.advance(kind.sharedMs);
    expect((await own.list()).map(({ shared }) => shared)).toEqual([false, false]);
  });

  it('end one by one, or all except the current one, and for nobody else', async () => {
    const [second, third] = [await signIn(kind, person), await signIn(kind, person)];
    const mate = await signIn(kind, await create(kind));
    const id = await idOf(own);
    // Not even a higher role sees or ends them.
    const strangers = kind === administrator ? [mate, await signIn(kind, world.chief)] : [mate];
    for (const stranger of strangers) {
      expect((await stranger.list()).map((one) => one.id)).not.toContain(id);
      expect((await stranger.end(id)).status).toBe(404);
    }
    // A student’s session can have the same id as an administrator’s.
    await (await signIn(student, await create(student))).end(id);
    expect(await statusesOf(own, second, third)).toEqual([200, 200, 200]);
    expect((await second.end(id)).data).toEqual({ id });
    expect((await second.end(id)).status).toBe(404);
    expect(await statusesOf(own, second, third)).toEqual([401, 200, 200]);
    for (const ended of [1, 0]) expect((await second.endOthers()).data).toEqual({ ended });
    expect(await statusesOf(second, third, mate)).toEqual([200, 401, 200]);
    const events = (await second.get(kind.eventsOf(person))).data as { kind?: string; action?: string }[];
    const signedIn = ['signedIn', 'signedIn', 'signedIn'];
    const expected = ['otherSessionsEnded', 'sessionEnded', ...signedIn];
    expect(events.map(({ kind, action }) => kind ?? action)).toEqual(expected);
  });

  it.each(['alone', 'with all others'])(
    'that are used while they are being ended %s stay ended',
    async (how) => {
      const other = await signIn(kind, person);
      const [id, ownId] = [await idOf(other), await idOf(own)];
      test.clock.advance(kind.touchAfterMs + 1);
      // This request records the use of its session, which needs its lock.
      await own.status();
      const held = await kind.lockSessions(person);
      const [ended, used] = await held.startInOrder(
        () => (how === 'alone' ? own.end(id) : own.endOthers()),
        () => other.get(kind.me),
      );
      expect([ended.status, used.status]).toEqual([200, 200]);
      expect(await statusesOf(own, other)).toEqual([200, 401]);
      expect(await own.list()).toMatchObject([{ id: ownId, current: true }]);
    },
  );

  it('end when their browser signs in again, even as somebody else; a failed sign-in ends none', async () => {
    const elsewhere = await signIn(kind, person);
    const failed = await logIn(kind, { ...person, password: 'a guess' }, own.identity);
    expect([failed.status, await own.status()]).toEqual([401, 200]);
    const next = await signIn(kind, await create(kind), own.identity);
    expect(await statusesOf(own, elsewhere, next)).toEqual([401, 200, 200]);
  });

  it('end at a sign-out, which ends no other session', async () => {
    const elsewhere = await signIn(kind, person);
    expect((await internal.post(kind.logout, undefined, own.identity)).status).toBe(200);
    expect(await statusesOf(own, elsewhere)).toEqual([401, 200]);
  });

  it('are stored only as hashes', async () => {
    const rows = await test.rows(
      `SELECT s::text AS row, token_hash FROM ${kind.table}_session s WHERE ${kind.table}_id = $1`,
      person.id,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toContain(own.token);
    expect(rows[0].token_hash).toEqual(createHash('sha256').update(own.token).digest());
  });

  it('end when their owner changes the password, except the session that changed it', async () => {
    const [second, mate] = [await signIn(kind, person), await signIn(kind, await create(kind))];
    const wrong = { status: 400, message: 'The old password is wrong' };
    expect(await own.change('not it', chosen)).toMatchObject(wrong);
    const { id, username } = person;
    expect((await own.change(person.password, chosen)).data).toMatchObject({ id, username });
    expect(await statusesOf(own, second, mate)).toEqual([200, 401, 200]);
    expect((await logIn(kind, person)).status).toBe(401);
    await signIn(kind, { ...person, password: chosen });
  });

  const lockSchool = () =>
    LockedRows.selectedBy(test, 'SELECT 1 FROM school WHERE id = $1 FOR UPDATE', [world.school.id]);
  const lockAccount = () => LockedRows.inTable(test, kind.table, person.id);
  const setPassword = (isSet: boolean) => kind.change(person, { password: isSet ? chosen : person.password });

  it.each<[string, () => Promise<LockedRows>, (isSet: boolean) => Promise<InternalAnswer>]>([
    ['the account is disabled', lockAccount, (disabled) => kind.change(person, { disabled })],
    ['somebody else sets the password', lockAccount, setPassword],
    [
      'the school is disabled',
      lockSchool,
      (to) => chief.patch(`/schools/${world.school.id}`, { disabled: Number(to) }),
    ],
  ])(
    'end for good when %s, also those of a sign-in just before; a sign-in just after is refused',
    async (_what, lock, set) => {
      for (const isSignInFirst of [true, false]) {
        const earlier = await signIn(kind, person);
        const held = await lock();
        const [change, use] = [() => set(true), () => logIn(kind, person)];
        const answers = await held.startInOrder(...(isSignInFirst ? [use, change] : [change, use]));
        expect(answers.map(({ status }) => status)).toEqual([200, isSignInFirst ? 200 : 401]);
        const sessions = `SELECT 1 FROM ${kind.table}_session WHERE ${kind.table}_id = $1`;
        expect(await test.rows(sessions, person.id)).toEqual([]);
        expect((await set(false)).status).toBe(200);
        expect(await earlier.status()).toBe(401);
      }
    },
  );

  it('change no password when somebody else sets it just before', async () => {
    const held = await lockAccount();
    const [reset, changed] = await held.startInOrder(
      () => kind.change(person, { password: 'set by staff' }),
      () => own.change(person.password, chosen),
    );
    expect(reset.status).toBe(200);
    expect(changed).toMatchObject({ status: 400, message: 'The old password is wrong' });
    expect((await logIn(kind, { ...person, password: chosen })).status).toBe(401);
    await signIn(kind, { ...person, password: 'set by staff' });
  });

  it('change a password from two at once: one succeeds, and that password works', async () => {
    const second = await signIn(kind, person);
    const answers = await Promise.all([
      own.change(person.password, 'password one'),
      second.change(person.password, 'password two'),
    ]);
    const [first, other] = answers.map(({ status }) => status === 200);
    expect([first, other].sort()).toEqual([false, true]);
    expect(await statusesOf(own, second)).toEqual(first ? [200, 401] : [401, 200]);
    await signIn(kind, { ...person, password: first ? 'password one' : 'password two' });
  });

  it.each<[string, object, (own: Person) => string, number, string?]>([
    ['5 characters', {}, () => 'tq7nv', 400],
    ['6 digits', {}, () => '123456', 200],
    ['a common word with the usual signs', {}, () => 'Passw0rd!', 200],
    ['the old password', {}, ({ password }) => password, 400, 'passwordSame'],
    ['the username', {}, ({ username }) => username, 400, 'passwordPersonal'],
    ['128 characters outside the basic plane', { strict: true }, () => '😀🦊'.repeat(64), 200],
    ['a common word', { strict: true }, () => 'password1', 400, 'passwordCommon'],
    ['the name of the school', { strict: true }, () => 'schoolofthestaff1', 400, 'passwordPersonal'],
  ])(
    'an own password of %s with the rules %j gets the expected status and reason, and a rejection changes nothing',
    async (_what, rules, choose, status, reason) => {
      const typed = choose(person);
      const answer = await own.change(person.password, typed, rules);
      expect([answer.status, answer.reason]).toEqual([status, reason]);
      await signIn(kind, { ...person, password: status === 200 ? typed : person.password });
    },
  );

  it('wrong old passwords are limited like failed sign-ins, but counted separately', async () => {
    const at = { 'x-forwarded-for': '192.0.2.50' };
    const here = await signIn(kind, person, at);
    const guess = { ...person, password: 'a guess' };
    for (let n = 0; n < 10; n++) expect((await logIn(kind, guess, at)).status).toBe(401);
    // As many failures as the address may have.
    await repeatCountedEvents(test.database.pool, 90, () => logIn(kind, { ...guess, username: 'x' }, at));
    for (const one of [person, await create(kind)]) expect((await logIn(kind, one, at)).status).toBe(429);
    for (let n = 0; n < 10; n++) expect((await here.change('wrong', chosen)).status).toBe(400);
    const refused = await here.change(person.password, chosen);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
    test.clock.advance(15 * minutes);
    expect((await here.change(person.password, chosen)).status).toBe(200);
  });
});

describe.each([student, administrator])('A sign-in of $who', (kind) => {
  it.each(['a known person', 'an unknown name'])(
    'gets 429 for 15 minutes after 10 failures of %s from one address, even with the right password',
    async (who) => {
      const isKnown = who === 'a known person';
      const person = isKnown ? await create(kind) : { username: 'nobody at all', password: 'any password' };
      const from = (address: string, { username, password }: Account = person) =>
        logIn(kind, { username, password }, { 'x-forwarded-for': address });
      const guess = { ...person, password: 'a guess' };
      const failures = await Promise.all(Array.from({ length: 10 }, () => from('192.0.2.1', guess)));
      expect(failures.map(({ status }) => status)).toEqual(Array(10).fill(401));
      const refused = await from('192.0.2.1');
      expect(refused).toMatchObject({
        ...{ status: 429, success: false, data: null, message: expect.stringContaining('900 s') },
        headers: { 'retry-after': '900' },
      });
      expect(refused.headers).not.toHaveProperty('set-cookie');
      const right = isKnown ? 200 : 401;
      expect((await from('192.0.2.2')).status).toBe(right);
      expect((await from('192.0.2.1', await create(kind))).status).toBe(200);
      test.clock.advance(15 * minutes);
      expect((await from('192.0.2.1')).status).toBe(right);
    },
  );

  it('gets one answer to a wrong name, password or school, and for a disabled person or school', async () => {
    const [person, leaver] = [await create(kind), await create(kind)];
    const closed = await createSampleSchool(chief, world.newName('closed'));
    const closedOut = { ...(await create(kind, placeIn(closed))), schoolDb: undefined };
    await chief.patch(`/schools/${closed.id}`, { disabled: 1 });
    expect((await kind.change(leaver, { disabled: true })).status).toBe(200);
    for (const { id: _, ...attempt } of [
      { ...person, username: 'nobody' },
      { ...person, username: person.username.toUpperCase() },
      { ...person, password: 'not the password' },
      { ...person, password: ` ${person.password}` },
      { ...person, username: 'x'.repeat(500), password: '' },
      { ...person, username: 'nul\0 and \ud800' },
      leaver,
      { ...leaver, schoolDb: undefined },
      closedOut,
      ...(kind === student ? [{ ...closedOut, schoolDb: closed.schoolDb }] : []),
      ...kind.unknown.map((unknown) => ({ ...person, ...unknown })),
    ]) {
      const { status, headers, ...body } = await internal.post(kind.login, { ...kind.named, ...attempt });
      const wrong = { success: false, data: null, message: 'Wrong username or password' };
      const expected = { ...wrong, requestId: headers['x-request-id'] };
      expect([attempt, status, body]).toEqual([attempt, 401, expected]);
      expect(headers).not.toHaveProperty('set-cookie');
    }
    expect((await logIn(kind, { ...person, username: ` ${person.username}\t` })).status).toBe(200);
  });

  it('verifies one password for an unknown user or school too, so all answers take equally long', async () => {
    const person = await create(kind);
    const attempts = [{}, { schoolDb: undefined }, { username: 'unknown' }, ...kind.unknown];
    for (const attempt of attempts) {
      const { id: _, ...body } = { ...person, ...attempt, password: 'a wrong password' };
      const before = verifyCalls.count;
      expect((await internal.post(kind.login, { ...kind.named, ...body })).status).toBe(401);
      expect(verifyCalls.count - before, JSON.stringify(attempt)).toBe(1);
    }
  });
});
