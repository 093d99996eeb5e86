import { beforeEach, describe, expect, it } from 'vitest';
import { auditRecordOf } from '../../test/audit.ts';
import type { CredentialClient, ExternalAnswer } from '../../test/identities.ts';
import { startTestApp } from '../../test/test-app.ts';

const total = 6;
const writes = 3;

const test = await startTestApp({
  RATE_LIMIT_TOTAL_PER_MINUTE: String(total),
  RATE_LIMIT_WRITE_PER_MINUTE: String(writes),
});
const admin = await test.signIn();
const { schoolDb } = await admin.created<{ schoolDb: string }>('/schools', { name: 'Riverside School' });

describe('Rate limit', () => {
  let credential: CredentialClient;

  beforeEach(async () => {
    credential = await admin.issue(schoolDb);
  });

  const read = (by = credential) => by.get('/ping');
  /** Counts as a write although it does nothing. */
  const write = (by = credential) => by.delete('/scores/999999999');
  const seen = ({ headers }: ExternalAnswer) => ({
    limit: headers['x-ratelimit-limit'],
    remaining: headers['x-ratelimit-remaining'],
    reset: headers['x-ratelimit-reset'],
  });

  it('allows the total of a minute, and answers 42901 to further requests, even when the machine’s clock is set', async () => {
    for (let i = 0; i < total; i++) expect((await read()).code).toBe(0);
    const refused = await read();
    expect(refused).toMatchObject({ status: 429, code: 42901, data: null });
    expect(refused.headers['retry-after']).toBe('60');
    expect(seen(refused)).toEqual({ limit: '6', remaining: '0', reset: '60' });
    const asItWas = test.clock.now().toISOString();
    for (const instant of ['2026-09-15T08:00:00.000Z', '2026-09-16T08:00:00.000Z', asItWas]) {
      test.clock.set(instant);
      expect(await read()).toMatchObject({ code: 42901, headers: { 'retry-after': '60' } });
    }
    expect(await auditRecordOf(admin, refused.requestId)).toMatchObject({
      statusCode: 429,
      tokenId: credential.id,
      errorMessage: refused.message,
    });
    test.clock.advance(60_000);
    expect((await read()).code).toBe(0);
  });

  it('counts POST, PUT, PATCH and DELETE as writes, on any path, and no other method', async () => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const answer = await credential.call(method, '/nothing');
      expect(answer.headers.ratelimit).not.toContain('write');
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      test.clock.advance(60_000);
      const { headers } = await credential.call(method, '/nothing');
      expect(headers.ratelimit).toContain(`"write";r=${writes - 1}`);
    }
  });

  it('reports the remaining requests of the tighter limit with every authenticated answer', async () => {
    const policy = '"total";q=6;w=60, "write";q=3;w=60';
    const first = await read();
    expect(seen(first)).toEqual({ limit: '6', remaining: '5', reset: '60' });
    expect(first.headers).toMatchObject({ ratelimit: '"total";r=5;t=60', 'ratelimit-policy': policy });
    test.clock.advance(10_500);
    const second = await write();
    expect(seen(second)).toEqual({ limit: '3', remaining: '2', reset: '60' });
    expect(second.headers).toMatchObject({
      ratelimit: '"total";r=4;t=50, "write";r=2;t=60',
      'ratelimit-policy': policy,
    });
    for (const answer of [await credential.get('/nothing'), await credential.get('/students/0')]) {
      expect(seen(answer)).toMatchObject({ limit: '6', reset: '50' });
      expect(answer.headers['retry-after']).toBeUndefined();
    }
    await read();
    const last = await credential.post('/students', 'not json');
    expect(seen(last)).toEqual({ limit: '6', remaining: '0', reset: '50' });
  });

  it('gives Retry-After for the limit that stays full longest', async () => {
    for (let i = 0; i < total - writes; i++) await read();
    test.clock.advance(20_000);
    for (let i = 0; i < writes; i++) await write();
    expect(await read()).toMatchObject({ code: 42901, headers: { 'retry-after': '40' } });
    expect(await write()).toMatchObject({
      code: 42901,
      headers: { 'retry-after': '60', 'x-ratelimit-limit': '3' },
    });
  });

  it('ignores requests that fail authentication', async () => {
    await admin.patch(`/api-tokens/${credential.id}`, { disabled: true });
    for (let i = 0; i < 3 * total; i++) {
      const refused = await read();
      expect(refused).toMatchObject({ status: 401, code: 40103 });
      expect(Object.keys(refused.headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
      expect((await test.anonymous.external.get('/ping')).code).toBe(40101);
    }
    await admin.confirm();
    await admin.patch(`/api-tokens/${credential.id}`, { disabled: false });
    expect(seen(await read())).toMatchObject({ remaining: String(total - 1) });
  });

  it('is consumed by refused permissions, invalid requests and unknown paths', async () => {
    const narrow = await admin.issue(schoolDb, { scopes: ['stats:read'] });
    expect((await narrow.get('/students')).code).toBe(40302);
    expect((await narrow.get('/stats/overview?startDate=x')).code).toBe(40002);
    expect((await narrow.get('/nothing')).code).toBe(40401);
    expect(seen(await read(narrow))).toMatchObject({ remaining: String(total - 4) });
    for (let i = 4; i < total; i++) await read(narrow);
    expect((await narrow.get('/students')).code).toBe(42901);
  });
});
