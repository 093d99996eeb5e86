import { beforeEach, expect, it } from 'vitest';
import { codeOfStep, fromBase32 } from '../src/features/second-factor/code-app.ts';
import { openStaffWorld, setCookieOf } from './administrators.ts';
import { repeatCountedEvents } from './stored-rows.ts';
import { studentPassword } from './test-app.ts';

const minutes = 60_000;
const school = '203.0.113.7';
const home = '198.51.100.20';

const world = await openStaffWorld();
const { test } = world;

let chief = await test.signIn();

beforeEach(async () => {
  // Forgets all failures of the previous test.
  test.clock.advance(15 * minutes);
  chief = await test.signIn();
});

class Visitor {
  #cookies = new Map<string, string>();
  at: string;
  #token = '';

  constructor(at: string) {
    this.at = at;
  }

  async call(method: 'POST' | 'PATCH' | 'GET', path: string, body?: object, headers: object = {}) {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const identity = {
      ...(cookie && { cookie }),
      ...(this.#token && { authorization: `Bearer ${this.#token}` }),
    };
    const request = { method, url: `/api${path}`, remoteAddress: this.at, ...(body && { payload: body }) };
    const response = await test.app.http.inject({ ...request, headers: { ...identity, ...headers } });
    for (const which of ['session', 'device'] as const) {
      const set = setCookieOf(response.headers, which);
      if (set) this.#cookies.set(set.name, set.value);
    }
    this.#token = response.json().data?.token ?? this.#token;
    return { status: response.statusCode, headers: response.headers, data: response.json().data };
  }

  logIn = ({ username, password, code }: Person) =>
    this.call('POST', '/auth/login', { username, password, ...(code && { code }) });

  signIn = async (who: Person, password = who.password) => (await this.logIn({ ...who, password })).status;

  signInStudent = async (username: string, password = studentPassword, schoolDb?: string) =>
    (await this.call('POST', '/auth/student/login', { username, password, ...(schoolDb && { schoolDb }) }))
      .status;

  stolen(which: 'session' | 'device', at: string): Visitor {
    const thief = new Visitor(at);
    const name = `classledger_${which}`;
    thief.#cookies.set(name, this.#cookies.get(name) as string);
    return thief;
  }
}

interface Person {
  readonly username: string;
  readonly password: string;
  readonly code?: string;
}

const teacher = () => world.member('school_admin');
const wrong = 'a wrong password';

const often = (times: number, attempt: () => Promise<number>) =>
  repeatCountedEvents(test.database.pool, times, attempt);

/** Fails ten times at the school and ninety times elsewhere. */
async function failEverywhere(fail: (at: string) => Promise<number>, status = 401): Promise<void> {
  expect(await often(10, () => fail(school))).toBe(status);
  expect(await often(90, () => fail('192.0.2.1'))).toBe(status);
}

async function issueAs(visitor: Visitor, { password }: Person): Promise<number> {
  const credential = { name: 'x', scopeType: 'school', scopes: ['scores:read'] };
  const confirmed = { 'x-confirm-password': encodeURIComponent(password) };
  return (await visitor.call('POST', '/api-tokens', credential, confirmed)).status;
}

const { schoolDb } = world.school;
const accounts = {
  administrator: async () => {
    const person = await teacher();
    return {
      ...{ oldPassword: person.password, me: '/auth/me' },
      signIn: (at: Visitor, password = person.password) => at.signIn(person, password),
      reset: (password: string) => chief.patch(`/admin/manage/${person.id}`, { password }),
    };
  },
  student: async () => {
    const { id, username } = world.places.second.students[0];
    return {
      ...{ oldPassword: studentPassword, me: '/auth/student/me' },
      signIn: (at: Visitor, password = studentPassword) => at.signInStudent(username, password, schoolDb),
      reset: (password: string) => chief.patch(`/users/${id}`, { schoolDb, password }),
    };
  },
};

it.each(['administrator', 'student'] as const)(
  'after failed sign-ins by strangers, the known device of an %s signs in anywhere and changes the password, until another device or person changes it',
  async (kind) => {
    const { oldPassword, me, signIn, reset } = await accounts[kind]();
    const [own, phone] = [new Visitor(school), new Visitor(home)];
    for (const device of [own, phone]) expect(await signIn(device)).toBe(200);
    await failEverywhere((at) => signIn(new Visitor(at), wrong));
    for (const at of [school, home]) expect(await signIn(new Visitor(at))).toBe(429);
    expect(await signIn(own)).toBe(200);
    own.at = home;
    expect(await signIn(own)).toBe(200);
    const newPassword = 'a wooden lantern';
    expect((await own.call('PATCH', me, { oldPassword, newPassword })).status).toBe(200);
    expect(await signIn(own, newPassword)).toBe(200);
    expect(await signIn(phone, newPassword)).toBe(429);
    expect((await reset('set by another person')).status).toBe(200);
    expect(await signIn(own, 'set by another person')).toBe(429);
  },
);

it('a known device of an administrator is recognised for a year by a signed cookie with HttpOnly and SameSite=Lax', async () => {
  const { headers } = await new Visitor(home).logIn(await teacher());
  expect(setCookieOf(headers, 'device')).toEqual({
    name: 'classledger_device',
    value: expect.stringMatching(/^[\w.-]+$/),
    attributes: { path: '/', httponly: '', samesite: 'Lax', 'max-age': String(365 * 24 * 3600) },
  });
});

it('a known device of an administrator counts failed confirmations separately, so that a stolen session cannot lock out the owner', async () => {
  const person = await teacher();
  const own = new Visitor(school);
  await own.signIn(person);
  const change = async (visitor: Visitor, oldPassword: string) =>
    (await visitor.call('PATCH', '/auth/me', { oldPassword, newPassword: 'a wooden lantern' })).status;
  await failEverywhere((at) => change(own.stolen('session', at), wrong), 400);
  expect(await change(own.stolen('session', school), person.password)).toBe(429);
  expect(await issueAs(own.stolen('session', school), person)).toBe(429);
  expect(await issueAs(own, person)).toBe(200);
  expect(await change(own, person.password)).toBe(200);
});

const path = '/auth/second-factor/app';
const enrolment = async (own: Visitor) => {
  const made = (await own.call('POST', path, {})).data as { secret: string; enrolment: string };
  const code = () => codeOfStep(fromBase32(made.secret), Math.floor(test.clock.now().getTime() / 30_000));
  const confirm = async (visitor: Visitor, code: string) =>
    (await visitor.call('POST', `${path}/confirm`, { enrolment: made.enrolment, code })).status;
  return { code, confirm };
};

it('codes of a second factor that strangers guess wrong block neither sign-in nor enrolment of a code app on a known device', async () => {
  const person = await teacher();
  const own = new Visitor(school);
  await own.signIn(person);
  const { code, confirm } = await enrolment(own);
  expect(await often(10, () => confirm(own.stolen('session', school), '000000'))).toBe(400);
  expect(await confirm(own.stolen('session', school), code())).toBe(429);
  expect(await confirm(own, code())).toBe(200);

  // The codes of the current step are used up.
  test.clock.advance(minutes);
  const logIn = (visitor: Visitor, typed: string) => visitor.logIn({ ...person, code: typed });
  // A caller with the password has ten codes an hour, from all addresses together, and in parallel.
  const guesses = Array.from({ length: 20 }, (_, n) => logIn(new Visitor(`192.0.2.${n}`), '000000'));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
  const refused = await logIn(new Visitor(home), code());
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
  expect((await logIn(own, '000000')).status).toBe(401);
  expect((await logIn(own, code())).status).toBe(200);
  test.clock.advance(60 * minutes);
  expect((await logIn(new Visitor(home), code())).status).toBe(200);
});

it('a known device of a student shares the attempt limit of strangers where the username may also mean another student', async () => {
  // The other school has a student of this name. A student’s cookie allows no further guesses at that account.
  const { username } = world.places.first.students[0] as { username: string };
  const own = new Visitor(home);
  expect(await own.signInStudent(username, studentPassword, schoolDb)).toBe(200);
  expect(await often(5, () => own.signInStudent(username, wrong))).toBe(401);
  expect(await new Visitor(home).signInStudent(username, wrong)).toBe(429);
  expect(await own.signInStudent(username, studentPassword, schoolDb)).toBe(200);
});
