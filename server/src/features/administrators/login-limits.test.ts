import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin } from '../../../test/administrators.ts';
import { startTestApp, superAdmin } from '../../../test/test-app.ts';

const minutes = 60_000;

const test = await startTestApp();
const user = await createAdmin(test, { username: 'user', role: 'super_admin', schoolId: null });

beforeEach(() => {
  // Lets the failures of earlier tests expire.
  test.clock.advance(15 * minutes);
});

async function login(username: string, password: string, remoteAddress: string) {
  const response = await test.app.http.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password },
    remoteAddress,
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

const fail = async (username: string, address: string) =>
  (await login(username, 'a wrong password', address)).status;

async function failTimes(times: number, username: (n: number) => string, address: (n: number) => string) {
  const statuses = await Promise.all(Array.from({ length: times }, (_, n) => fail(username(n), address(n))));
  expect(statuses).toEqual(Array(times).fill(401));
}

const always = (text: string) => () => text;

describe('Failed logins', () => {
  it('10 failed logins of one username from one address lead to 429, even with the right password', async () => {
    await failTimes(10, always('user'), always('10.0.0.1'));
    const refused = await login('user', user.password, '10.0.0.1');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
    expect(refused.body).toEqual({
      success: false,
      data: null,
      message: expect.stringContaining('900 s'),
      requestId: refused.headers['x-request-id'],
    });
    expect(refused.headers).not.toHaveProperty('set-cookie');
    expect((await login('user', user.password, '10.0.0.2')).status).toBe(200);
    expect((await login(superAdmin.username, superAdmin.password, '10.0.0.1')).status).toBe(200);
  });

  it('100 failed logins from one address lead to 429, despite successful logins', async () => {
    await failTimes(99, (n) => `guess ${n}`, always('10.2.0.1'));
    expect((await login('user', user.password, '10.2.0.1')).status).toBe(200);
    await failTimes(1, always('guess'), always('10.2.0.1'));
    expect(await login('user', user.password, '10.2.0.1')).toMatchObject({
      status: 429,
      headers: { 'retry-after': '900' },
    });
    expect((await login('user', user.password, '10.2.0.2')).status).toBe(200);
  });

  it('failed logins of unknown users have the same limits', async () => {
    await failTimes(10, always('nobody at all'), always('10.5.0.1'));
    expect(await fail('nobody at all', '10.5.0.1')).toBe(429);
  });

  it('failed logins count for the address that a trusted proxy forwards', async () => {
    const proxied = await startTestApp({ TRUST_PROXY: 'true' }, { shareDatabaseWith: test });
    const attempt = async (forwarded: string) => {
      const body = { username: 'user', password: 'a wrong password' };
      return (await proxied.anonymous.internal.post('/auth/login', body, { 'x-forwarded-for': forwarded }))
        .status;
    };
    for (let n = 0; n < 10; n++) expect(await attempt('192.0.2.1')).toBe(401);
    expect(await attempt('192.0.2.1')).toBe(429);
    expect(await attempt('192.0.2.2')).toBe(401);
  });
});

describe('Wrong old passwords', () => {
  it('are limited like logins, but counted separately', async () => {
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
});
