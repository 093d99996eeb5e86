import { beforeEach, describe, expect, it } from 'vitest';
import type { CredentialClient, ExternalAnswer } from './identities.ts';
import { startTestApp, superAdmin, type TestApp } from './test-app.ts';

/** Limits hold for an installation of several processes (docs/contract.md, Throttles and Rate limits). */

const limits = { RATE_LIMIT_TOTAL_PER_MINUTE: '600', RATE_LIMIT_WRITE_PER_MINUTE: '120' };
const test = await startTestApp(limits);
const another = () => startTestApp(limits, { shareDatabaseWith: test });
const processes = [test, await another(), await another()];
const admin = await test.signIn();
const { schoolDb } = await admin.created<{ schoolDb: string }>('/schools', { name: 'Riverside School' });

const met = (n: number) => processes[n % processes.length] as TestApp;

describe('the rate limit of three processes', () => {
  let credential: CredentialClient;

  beforeEach(async () => {
    credential = await admin.issue(schoolDb);
  });

  const read = (by: CredentialClient) => by.get('/ping');
  const write = (by: CredentialClient) => by.delete('/scores/999999999');

  const answers = async (count: number, call: (by: CredentialClient) => Promise<ExternalAnswer>) => {
    const all: ExternalAnswer[] = [];
    for (let from = 0; from < count; from += 150) {
      const some = Array.from({ length: 150 }, (_, n) => call(met(from + n).with(credential)));
      all.push(...(await Promise.all(some)));
    }
    return all;
  };
  /** A busy machine may answer 50301, and such a call does not count. */
  const passed = (all: readonly ExternalAnswer[]) =>
    all.filter(({ code }) => code !== 42901 && code !== 50301).length;

  it('lets 600 of 1,800 calls through, and 600 more a minute later', async () => {
    const first = await answers(1_800, read);
    expect(passed(first)).toBe(600);
    for (const { headers } of first.filter(({ code }) => code === 42901)) {
      expect(headers).toMatchObject({ 'retry-after': '60', 'x-ratelimit-remaining': '0' });
    }
    test.clock.advance(60_000);
    const second = await answers(900, read);
    expect(passed(second)).toBe(600);
  });

  it('lets 120 of 450 writes through, then 480 of 750 reads', async () => {
    const writes = await answers(450, write);
    expect(passed(writes)).toBe(120);
    const reads = await answers(750, read);
    expect(passed(reads)).toBe(480);
  });

  it('starts the minute with the first call at any process', async () => {
    await read(met(0).with(credential));
    test.clock.advance(45_000);
    expect((await read(met(1).with(credential))).headers['x-ratelimit-reset']).toBe('15');
    await answers(900, read);
    expect((await read(met(2).with(credential))).headers['retry-after']).toBe('15');
    test.clock.advance(15_000);
    for (const n of [0, 1, 2]) {
      expect(await read(met(n).with(credential))).toMatchObject({
        code: 0,
        headers: { 'x-ratelimit-reset': '60' },
      });
    }
  });

  it('survives a restart: 30 calls before it leave 570 after it', async () => {
    const before = await another();
    for (let n = 0; n < 30; n++) await read(before.with(credential));
    await before.stop();
    const after = (await another()).with(credential);
    const all: ExternalAnswer[] = [];
    for (let n = 0; n < 4; n++)
      all.push(...(await Promise.all(Array.from({ length: 150 }, () => read(after)))));
    expect(passed(all)).toBe(570);
  });

  it('answers 50301 to a call that it cannot count, and does not count it', async () => {
    const holder = await test.database.pool.connect();
    await holder.query('BEGIN; LOCK TABLE rate_limit_window');
    const call = read(credential);
    await expect
      .poll(async () => {
        const { rows } = await holder.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        );
        return rows.length;
      })
      .toBe(1);
    expect(await call).toMatchObject({ status: 503, code: 50301, headers: { 'retry-after': '1' } });
    await holder.query('ROLLBACK');
    holder.release();
    expect((await read(credential)).headers['x-ratelimit-remaining']).toBe('599');
  });
});

describe('the throttles of three processes', () => {
  beforeEach(() => {
    // Forgets all failures of the previous test.
    test.clock.advance(3_600_000);
  });

  const logIn = async (n: number, username: string, address: string, more: object = {}) => {
    const response = await met(n).app.http.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username, password: 'a wrong password', ...more },
      remoteAddress: address,
    });
    return response.statusCode;
  };
  /** Returns how many of `count` parallel sign-ins were checked rather than throttled. */
  const tried = async (
    count: number,
    username: (n: number) => string,
    address: (n: number) => string,
    more?: object,
  ) => {
    const all = Array.from({ length: count }, (_, n) => logIn(n, username(n), address(n), more));
    const statuses = await Promise.all(all);
    expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
    return statuses.filter((status) => status === 401).length;
  };
  const always = (text: string) => () => text;

  it('check ten of 45 passwords for a username from one address, then refuse the right one', async () => {
    expect(await tried(45, always('admin'), always('10.0.0.1'))).toBe(10);
    for (const n of [0, 1, 2]) expect(await logIn(n, 'admin', '10.0.0.1', superAdmin)).toBe(429);
    test.clock.advance(900_000);
    expect(await logIn(1, 'admin', '10.0.0.1', superAdmin)).toBe(200);
  });

  it('check a hundred passwords per username and a hundred per address', async () => {
    expect(await tried(150, always('admin'), (n) => `10.1.0.${n}`)).toBe(100);
    expect(await tried(150, (n) => `guess ${n}`, always('10.2.0.1'))).toBe(100);
  });

  it('survive a restart', async () => {
    const before = processes.push(await another()) - 1;
    for (let n = 0; n < 10; n++) expect(await logIn(before, 'admin', '10.3.0.1')).toBe(401);
    await processes.pop()?.stop();
    processes.push(await another());
    expect(await logIn(before, 'admin', '10.3.0.1')).toBe(429);
    await processes.pop()?.stop();
  });

  it('accept 60 applications an hour from one address', async () => {
    const apply = (n: number) =>
      met(n).app.http.inject({
        method: 'POST',
        url: '/api/applications',
        payload: { schoolName: 'Riverside School', applicantName: 'Lee', contactPhone: '1', reason: 'x' },
        remoteAddress: '10.4.0.1',
      });
    const statuses = (await Promise.all(Array.from({ length: 70 }, (_, n) => apply(n)))).map(
      ({ statusCode }) => statusCode,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });
});
