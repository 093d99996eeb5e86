import { expect, it } from 'vitest';
import type { CredentialClient } from './identities.ts';
import { startTestApp, superAdmin, type TestApp } from './test-app.ts';

/**
 * Limits hold for an installation of several processes (docs/contract.md, Throttles and Rate limits).
 * rate-limiter.test.ts and counters.test.ts test every rule; here the limits reach through the whole server.
 */

const limits = { RATE_LIMIT_TOTAL_PER_MINUTE: '600', RATE_LIMIT_WRITE_PER_MINUTE: '120' };
const test = await startTestApp(limits);
const another = () => startTestApp(limits, { shareDatabaseWith: test });
const processes = [test, await another(), await another()];
const admin = await test.signIn();
const { schoolDb } = await admin.created<{ schoolDb: string }>('/schools', { name: 'Riverside School' });

const processOf = (n: number) => processes[n % processes.length] as TestApp;
const read = (by: CredentialClient) => by.get('/ping');

/** Sends 150 calls at a time to all processes; a busy machine may answer 50301, and such a call does not count. */
async function countPassed(credential: CredentialClient, count: number, call = read): Promise<number> {
  const codes: number[] = [];
  for (let from = 0; from < count; from += 150) {
    const some = Array.from({ length: 150 }, (_, n) => call(processOf(n).with(credential)));
    codes.push(...(await Promise.all(some)).map(({ code }) => code));
  }
  return codes.filter((code) => code !== 42901 && code !== 50301).length;
}

it('three processes together let 120 writes and 600 calls a minute through, and a restart changes nothing', async () => {
  const credential = await admin.issue(schoolDb);
  expect(await countPassed(credential, 450, (by) => by.delete('/scores/999999999'))).toBe(120);
  const before = await another();
  for (let n = 0; n < 30; n++) await read(before.with(credential));
  await before.stop();
  expect(await countPassed(credential, 750)).toBe(450);
  const { headers } = await read((await another()).with(credential));
  expect(headers).toMatchObject({ 'retry-after': '60', 'x-ratelimit-remaining': '0' });
  test.clock.advance(60_000);
  expect(await countPassed(credential, 900)).toBe(600);
});

it('a call that cannot be counted gets 50301 and does not count', async () => {
  const credential = await admin.issue(schoolDb);
  const holder = await test.database.pool.connect();
  await holder.query('BEGIN; LOCK TABLE rate_limit_window');
  const call = read(credential);
  const endWaiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await expect.poll(async () => (await holder.query(endWaiting)).rows.length).toBe(1);
  expect(await call).toMatchObject({ status: 503, code: 50301, headers: { 'retry-after': '1' } });
  await holder.query('ROLLBACK');
  holder.release();
  expect((await read(credential)).headers['x-ratelimit-remaining']).toBe('599');
});

it('three processes together check ten of 45 passwords for one username, then refuse the right one after a restart too', async () => {
  const logIn = async (at: TestApp, login: object) => {
    const request = { method: 'POST', url: '/api/auth/login', payload: login } as const;
    return (await at.app.http.inject(request)).statusCode;
  };
  const wrong = { username: superAdmin.username, password: 'a wrong password' };
  const statuses = await Promise.all(Array.from({ length: 45 }, (_, n) => logIn(processOf(n), wrong)));
  expect(statuses.toSorted()).toEqual([...Array(10).fill(401), ...Array(35).fill(429)]);
  for (const at of [...processes, await another()]) expect(await logIn(at, superAdmin)).toBe(429);
  test.clock.advance(900_000);
  expect(await logIn(processOf(1), superAdmin)).toBe(200);
});
