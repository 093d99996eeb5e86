import type { Credential } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { CredentialClient } from '../../test/identities.ts';
import { openSchool, startTestApp } from '../../test/test-app.ts';

const { test, admin, school } = await openSchool();
const other = await startTestApp({}, { shareDatabaseWith: test });
const adminThere = await other.signIn();

async function reportedUses({ id }: CredentialClient) {
  const answers = await Promise.all([admin, adminThere].map((by) => by.get('/api-tokens')));
  return answers.map(({ data }) => {
    const found = (data as Credential[]).find((one) => one.id === id) as Credential;
    return { callCount: found.callCount, lastUsedAt: found.lastUsedAt, lastUsedIp: found.lastUsedIp };
  });
}

const callFrom = async (ip: string, at: typeof test, { token }: CredentialClient) => {
  const headers = { authorization: `Bearer ${token}` };
  const url = '/api/v1/students?limit=1';
  const { statusCode } = await at.app.http.inject({ url, headers, remoteAddress: ip });
  expect(statusCode).toBe(200);
};

describe('Use counts of several processes', () => {
  it('use counts include each call to any process once, and all processes soon report the same count', async () => {
    const one = await school.issue({});
    for (let calls = 0; calls < 30; calls++) await callFrom('203.0.113.1', calls % 3 ? test : other, one);
    const use = { lastUsedAt: test.clock.now().toISOString(), lastUsedIp: '203.0.113.1' };
    await expect
      .poll(() => reportedUses(one))
      .toEqual([
        { callCount: 30, ...use },
        { callCount: 30, ...use },
      ]);
    // The answer contains the count of the calls before it.
    for (const at of [one, other.with(one)]) {
      const { data } = await at.get('/ping');
      expect((data as { token: { callCount: number } }).token.callCount).toBeGreaterThanOrEqual(30);
    }
    await expect
      .poll(async () => (await reportedUses(one)).map(({ callCount }) => callCount))
      .toEqual([32, 32]);
  });

  it('use counts never shrink and never exceed the calls that were made', async () => {
    const one = await school.issue({});
    let [sent, least] = [0, 0];
    const call = async (at: typeof test) => {
      for (let calls = 0; calls < 100; calls++) {
        sent++;
        await callFrom('203.0.113.1', at, one);
      }
    };
    let stopped = false;
    const observe = async () => {
      while (!stopped) {
        const [first] = await reportedUses(one);
        expect(first?.callCount).toBeGreaterThanOrEqual(least);
        expect(first?.callCount).toBeLessThanOrEqual(sent);
        least = first?.callCount ?? 0;
      }
    };
    const observing = observe();
    await Promise.all([test, test, other].map(call)).finally(() => {
      stopped = true;
    });
    await observing;
    await expect
      .poll(async () => (await reportedUses(one)).map(({ callCount }) => callCount))
      .toEqual([300, 300]);
  });

  it('a credential shows the address of the latest call, even if an earlier call is stored later', async () => {
    const one = await school.issue({});
    const last = test.clock.now().toISOString();
    await callFrom('203.0.113.2', other, one);
    await expect
      .poll(async () => (await reportedUses(one)).map(({ callCount }) => callCount))
      .toEqual([1, 1]);
    // An earlier use that is stored later.
    test.clock.set('2026-09-15T09:59:59.000Z');
    await callFrom('203.0.113.1', test, one);
    await expect
      .poll(() => reportedUses(one))
      .toEqual(
        Array.from({ length: 2 }, () => ({ callCount: 2, lastUsedAt: last, lastUsedIp: '203.0.113.2' })),
      );
  });
});
