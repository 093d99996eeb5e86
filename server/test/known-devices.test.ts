import { beforeEach, describe, expect, it } from 'vitest';
import { codeOfStep, fromBase32 } from '../src/features/second-factor/code-app.ts';
import { setCookieOf } from './administrators.ts';
import { repeatCountedEvents } from './repeated-events.ts';
import { StaffedSchools } from './staffed-schools.ts';
import { studentPassword } from './test-app.ts';

const minutes = 60_000;
const school = '203.0.113.7';
const home = '198.51.100.20';

const world = await StaffedSchools.open();
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

it('failed sign-ins by strangers at a teacher’s account block neither a new sign-in on the teacher’s device nor the session open on that device', async () => {
  const person = await teacher();
  const own = new Visitor(school);
  expect(await own.signIn(person)).toBe(200);
  await failEverywhere((at) => new Visitor(at).signIn(person, wrong));
  expect(await new Visitor(school).signIn(person)).toBe(429);
  expect(await new Visitor(home).signIn(person)).toBe(429);
  expect(await issueAs(own, person)).toBe(200);
  expect(await own.signIn(person)).toBe(200);
  own.at = home;
  expect(await own.signIn(person)).toBe(200);
});

describe('a known device of an administrator', () => {
  it('is recognised for a year by a signed cookie with HttpOnly and SameSite=Lax', async () => {
    const { headers } = await new Visitor(home).logIn(await teacher());
    expect(setCookieOf(headers, 'device')).toEqual({
      name: 'classledger_device',
      value: expect.stringMatching(/^[\w.-]+$/),
      attributes: { path: '/', httponly: '', samesite: 'Lax', 'max-age': String(365 * 24 * 3600) },
    });
  });

  it('stays known after a password change on that device, and is forgotten after any other password change', async () => {
    const person = await teacher();
    const [own, phone] = [new Visitor(school), new Visitor(home)];
    await own.signIn(person);
    await phone.signIn(person);
    const newPassword = 'a newer password';
    const change = { oldPassword: person.password, newPassword };
    expect((await own.call('PATCH', '/auth/me', change)).status).toBe(200);
    await failEverywhere((at) => new Visitor(at).signIn(person, wrong));
    expect(await own.signIn(person, newPassword)).toBe(200);
    expect(await phone.signIn(person, newPassword)).toBe(429);

    const reset = { password: 'set by the chief' };
    expect((await chief.patch(`/admin/manage/${person.id}`, reset)).status).toBe(200);
    expect(await own.signIn(person, reset.password)).toBe(429);
  });

  it('counts failed confirmations separately, so that a stolen session cannot lock out the owner', async () => {
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

describe('a known device of a student', () => {
  const { schoolDb } = world.school;

  it('lets the student sign in and change the password after failures by strangers, until a teacher resets it', async () => {
    const { id, username } = world.places.second.students[0] as { id: number; username: string };
    const own = new Visitor(school);
    const signIn = (password: string) => own.signInStudent(username, password, schoolDb);
    expect(await signIn(studentPassword)).toBe(200);
    await failEverywhere((at) => new Visitor(at).signInStudent(username, wrong, schoolDb));
    expect(await new Visitor(home).signInStudent(username, studentPassword, schoolDb)).toBe(429);
    expect(await signIn(studentPassword)).toBe(200);
    const change = { oldPassword: studentPassword, newPassword: 'a wooden lantern' };
    expect((await own.call('PATCH', '/auth/student/me', change)).status).toBe(200);
    expect(await signIn('a wooden lantern')).toBe(200);
    await chief.patch(`/users/${id}`, { schoolDb, password: 'set by a teacher' });
    expect(await signIn('set by a teacher')).toBe(429);
  });

  it('shares the attempt limit of strangers where the username may also mean another student', async () => {
    // The other school has a student of this name. A student’s cookie allows no further guesses at that account.
    const { username } = world.places.first.students[0] as { username: string };
    const own = new Visitor(home);
    expect(await own.signInStudent(username, studentPassword, schoolDb)).toBe(200);
    expect(await often(5, () => own.signInStudent(username, wrong))).toBe(401);
    expect(await new Visitor(home).signInStudent(username, wrong)).toBe(429);
    expect(await own.signInStudent(username, studentPassword, schoolDb)).toBe(200);
  });
});
