import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, openStaffedSchool, setCookieOf } from '../../../test/administrators.ts';
import { verifyCalls } from '../../../test/cheap-argon2.ts';
import { startTestApp, superAdmin } from '../../../test/test-app.ts';

const wrong = { success: false, data: null, message: 'Wrong username or password' };

const minutes = 60_000;
const { test, school, staff } = await openStaffedSchool();
const user = await createAdmin(test, { username: 'user', role: 'super_admin', schoolId: null });

beforeEach(() => {
  // Lets the failures of earlier tests expire.
  test.clock.advance(15 * minutes);
});

describe('POST /auth/login', () => {
  const login = (body: unknown, headers: Record<string, string> = {}) =>
    test.anonymous.internal.post('/auth/login', body, headers);

  it('a login returns role, school, grade and class', async () => {
    const [grade] = school.grades;
    const nowhere = { schoolId: null, gradeId: null, classId: null };
    const place = { schoolId: school.id, gradeId: grade.id, classId: grade.classes[0].id };
    for (const [{ username, password }, role, affiliation] of [
      [superAdmin, 'super_admin', nowhere],
      [staff.ofSchool, 'school_admin', { ...nowhere, schoolId: school.id }],
      [staff.ofGrade, 'grade_admin', { ...place, classId: null }],
      [staff.ofClass, 'class_admin', place],
    ] as const) {
      const identity = { id: expect.any(Number), username, role, ...affiliation };
      const answer = await login({ username, password });
      expect(answer).toMatchObject({ status: 200, success: true, message: 'ok' });
      expect(answer.data).toEqual({ ...identity, mustChangePassword: false, mustSetUpFactor: false });
    }
  });

  it('a login sets an HttpOnly SameSite=Lax cookie', async () => {
    const cookie = setCookieOf((await login(superAdmin)).headers);
    expect(cookie).toEqual({
      name: 'classledger_session',
      value: expect.stringMatching(/^[\w-]{40,}$/),
      attributes: { path: '/', httponly: '', samesite: 'Lax', 'max-age': String(7 * 24 * 3600) },
    });
  });

  it('the server stores only a hash of the session token, and returns the token only in the cookie', async () => {
    const answer = await login(superAdmin);
    const value = setCookieOf(answer.headers)?.value ?? '';
    expect(JSON.stringify(answer.data)).not.toContain(value);
    const { rows } = await test.database.pool.query('SELECT s::text AS row, token_hash FROM admin_session s');
    expect(rows.map((row) => row.row).join()).not.toContain(value);
    const hash = createHash('sha256').update(value).digest();
    expect(rows.some((row) => row.token_hash.equals(hash))).toBe(true);
  });

  it('a login trims the username, compares it case-sensitively, and takes the password exactly as sent', async () => {
    const spacious = { username: 'Spacious', role: 'super_admin', schoolId: null } as const;
    await createAdmin(test, { ...spacious, password: ' inner outer ' });
    const attempt = async (username: string, password: string) =>
      (await login({ username, password })).status;
    expect(await attempt('  Spacious\t', ' inner outer ')).toBe(200);
    expect(await attempt('Spacious', 'inner outer')).toBe(401);
    expect(await attempt('spacious', ' inner outer ')).toBe(401);
  });

  it('a login gives the same answer for unknown user, wrong password, disabled administrator and disabled school', async () => {
    const chief = await test.signIn();
    const gone = await chief.created<{ id: number }>('/schools', { name: 'Closed School' });
    const head = await createAdmin(test, { username: 'closed', role: 'school_admin', schoolId: gone.id });
    const leaver = await createAdmin(test, { username: 'leaver', role: 'super_admin', schoolId: null });
    await chief.patch(`/schools/${gone.id}`, { disabled: 1 });
    await test.database.db.updateTable('admin').set({ disabled: true }).where('id', '=', leaver.id).execute();
    for (const [username, password] of [
      ['nobody', superAdmin.password],
      [superAdmin.username, 'not the password'],
      [leaver.username, leaver.password],
      [head.username, head.password],
      ['x'.repeat(500), ''],
      ['nul\0 and \ud800', 'any password'],
    ]) {
      const { status, headers, ...body } = await login({ username, password });
      expect(status).toBe(401);
      expect(body).toEqual({ ...wrong, requestId: headers['x-request-id'] });
      expect(headers).not.toHaveProperty('set-cookie');
    }
  });

  it('a login verifies one password for an unknown user too, so both answers take equally long', async () => {
    await createAdmin(test, { username: 'known', role: 'super_admin', schoolId: null });
    for (const username of ['known', 'unknown', 'known', 'unknown']) {
      const before = verifyCalls.count;
      expect((await login({ username, password: 'a wrong password' })).status).toBe(401);
      expect(verifyCalls.count - before, username).toBe(1);
    }
  });
});

async function loginFrom(username: string, password: string, remoteAddress: string) {
  const response = await test.app.http.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password },
    remoteAddress,
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

const fail = async (username: string, address: string) =>
  (await loginFrom(username, 'a wrong password', address)).status;

async function failTimes(times: number, username: (n: number) => string, address: (n: number) => string) {
  const statuses = await Promise.all(Array.from({ length: times }, (_, n) => fail(username(n), address(n))));
  expect(statuses).toEqual(Array(times).fill(401));
}

const always = (text: string) => () => text;

describe('Failed logins', () => {
  it('10 failed logins of one username from one address lead to 429, even with the right password', async () => {
    await failTimes(10, always('user'), always('10.0.0.1'));
    const refused = await loginFrom('user', user.password, '10.0.0.1');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
    expect(refused.body).toMatchObject({ data: null, message: expect.stringContaining('900 s') });
    expect(refused.headers).not.toHaveProperty('set-cookie');
    expect((await loginFrom('user', user.password, '10.0.0.2')).status).toBe(200);
    expect((await loginFrom(superAdmin.username, superAdmin.password, '10.0.0.1')).status).toBe(200);
  });

  it('100 failed logins from one address lead to 429, despite successful logins', async () => {
    await failTimes(99, (n) => `guess ${n}`, always('10.2.0.1'));
    expect((await loginFrom('user', user.password, '10.2.0.1')).status).toBe(200);
    await failTimes(1, always('guess'), always('10.2.0.1'));
    expect(await loginFrom('user', user.password, '10.2.0.1')).toMatchObject({
      status: 429,
      headers: { 'retry-after': '900' },
    });
    expect((await loginFrom('user', user.password, '10.2.0.2')).status).toBe(200);
  });

  it('failed logins of unknown users have the same limits', async () => {
    await failTimes(10, always('nobody at all'), always('10.5.0.1'));
    expect(await fail('nobody at all', '10.5.0.1')).toBe(429);
  });

  it('failed logins count for the address that a trusted proxy forwards', async () => {
    const proxied = await startTestApp({ TRUST_PROXY: 'true' }, { shareDatabaseWith: test });
    const attempt = async (forwarded: string) => {
      const body = { username: 'user', password: 'a wrong password' };
      const headers = { 'x-forwarded-for': forwarded };
      return (await proxied.anonymous.internal.post('/auth/login', body, headers)).status;
    };
    for (let n = 0; n < 10; n++) expect(await attempt('192.0.2.1')).toBe(401);
    expect(await attempt('192.0.2.1')).toBe(429);
    expect(await attempt('192.0.2.2')).toBe(401);
  });
});

it('wrong old passwords are limited like logins, but counted separately', async () => {
  const change = (oldPassword: string) =>
    user.patch('/auth/me', { oldPassword, newPassword: 'a wooden lantern' });
  await failTimes(10, always('user'), always('127.0.0.1'));
  for (let n = 0; n < 10; n++) expect((await change('a wrong password')).status).toBe(400);
  expect(await change(user.password)).toMatchObject({
    status: 429,
    success: false,
    headers: { 'retry-after': '900' },
  });
  test.clock.advance(15 * minutes);
  expect((await change(user.password)).status).toBe(200);
});
