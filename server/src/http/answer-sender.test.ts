import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { externalOperations, internalOperations } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { auditRecordOf } from '../../test/audit.ts';
import { openSchool, studentPassword } from '../../test/test-app.ts';
import { TestImports } from '../../test/test-imports.ts';
import { encodingFor } from './compression.ts';

const { test, admin, school, office } = await openSchool({ RATE_LIMIT_TOTAL_PER_MINUTE: '100000' });
const [klass] = school.grades[0].classes;
const batch = Array.from({ length: 30 }, (_, i) => ({ username: `more.${i}`, actualName: `李伟 ${i}` }));
await office.post('/students', { classId: klass.id, defaultPassword: studentPassword, batch });

const plain = { decode: (bytes: Buffer) => bytes };
const encodings = {
  br: { decode: (bytes: Buffer) => brotliDecompressSync(bytes) },
  gzip: { decode: (bytes: Buffer) => gunzipSync(bytes) },
} as const;

async function send(
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' | 'POST' = 'GET',
) {
  const own = url.startsWith('/api/v1')
    ? { authorization: `Bearer ${office.token}` }
    : { cookie: admin.cookie };
  const answer = await test.app.http.inject({ method, url, headers: { ...own, ...headers } });
  const encoding = answer.headers['content-encoding'] as keyof typeof encodings | undefined;
  const { decode } = encoding ? encodings[encoding] : plain;
  const text = answer.rawPayload.length === 0 ? '' : decode(answer.rawPayload).toString();
  return { ...answer, headers: answer.headers, status: answer.statusCode, encoding, text };
}
const dataIn = (text: string) => (JSON.parse(text) as { data: unknown }).data;

const quick = `/api/v1/students?classId=${klass.id}&limit=100`;
const other = '/api/v1/students?limit=100';
const pages = `/api/users?schoolDb=${school.schoolDb}`;

describe('Answer to a read', () => {
  it.each([
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=1.0, br;q=0', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['identity, gzip;q=0.5', null],
    ['gzip;q=0', null],
    ['identity', null],
    ['', null],
    [undefined, null],
  ])('an answer has an encoding that Accept-Encoding allows: %j as %j', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding);
  });

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    [undefined, null],
  ])('an answer is compressed as Accept-Encoding asks: %j as %j', async (accepted, encoding) => {
    for (const url of [quick, other, pages, '/api/v1/openapi.json']) {
      const bare = await send(url);
      const answer = await send(url, accepted === undefined ? {} : { 'accept-encoding': accepted });
      expect([answer.status, answer.encoding ?? null, answer.headers.vary]).toEqual([
        200,
        encoding,
        'accept-encoding',
      ]);
      expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
      if (encoding) expect(answer.rawPayload.length).toBeLessThan(bare.rawPayload.length / 2);
      if (url.endsWith('json')) expect(answer.text).toBe(bare.text);
      else expect(dataIn(answer.text)).toEqual(dataIn(bare.text));
    }
  });

  it('HEAD returns the same headers as GET', async () => {
    const encoded = { 'accept-encoding': 'gzip' };
    const [got, head] = [await send(other, encoded), await send(other, encoded, 'HEAD')];
    expect(head.rawPayload.length).toBe(0);
    expect(Object.keys(head.headers)).toEqual(Object.keys(got.headers));
  });

  it('an answer is not compressed when it is short, failed or the answer to a write', async () => {
    const encoded = { 'accept-encoding': 'br' };
    for (const url of ['/api/v1/ping', '/api/v1/students/0', `/api/v1/students/${'9'.repeat(3_000)}`]) {
      expect((await send(url, encoded)).encoding).toBeUndefined();
    }
    const many = Array.from({ length: 20 }, (_, i) => ({ username: `late.${i}` }));
    const made = await office.call('POST', '/students', { classId: klass.id, batch: many }, encoded);
    expect(made).toMatchObject({ code: 0, data: { successCount: 20 } });
    expect(made.headers).not.toHaveProperty('content-encoding');
  });

  it('an answer with a secret is never compressed, because the length could reveal the secret', async () => {
    const operations = [...Object.values(externalOperations), ...Object.values(internalOperations)];
    const secret =
      /"\w*(password|token|secret|plaintext|code|codes)":\{[^{}]*"type":("string"|"array"|\["string)/i;
    const reads = operations.filter(({ method }) => method === 'GET');
    const telling = reads.filter(({ data }) => secret.test(JSON.stringify(data)));
    expect(telling.filter((one) => !('secret' in one)).map(({ id }) => id)).toEqual([]);
    expect(JSON.stringify(internalOperations.studentLogin.data)).toMatch(secret);
    const imported = Array.from({ length: 20 }, (_, i) => ({ username: `in.${i}`, classId: klass.id }));
    const { id } = await new TestImports(test, school.schoolDb, admin).run(imported);
    const rows = `/api/imports/${id}/rows?schoolDb=${school.schoolDb}`;
    const answer = await send(rows, { 'accept-encoding': 'br' });
    expect([answer.status, answer.encoding]).toEqual([200, undefined]);
    expect(answer.text).toContain('initialPassword');
  });

  it.each([
    quick,
    other,
    '/api/v1/grades',
    '/api/v1/stats/overview',
    `/api/v1/students/${klass.students[0]?.id}`,
  ])('a matching ETag gets 304, and the call is still audited and counted: %s', async (url) => {
    const first = await send(url, { 'if-none-match': '""' });
    const etag = String(first.headers.etag);
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{22}"$/)]);
    expect((await send(url, { 'accept-encoding': 'br' })).headers.etag).toBe(etag);
    for (const [method, known] of [
      ['GET', etag],
      ['GET', etag.slice(2)],
      ['HEAD', `"x", ${etag}`],
      ['HEAD', '*'],
    ] as const) {
      const again = await send(url, { 'if-none-match': known, 'accept-encoding': 'br' }, method);
      expect([again.status, again.rawPayload.length, again.headers.etag]).toEqual([304, 0, etag]);
      expect(again.headers).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'no-store' });
      expect(Number(again.headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
      expect(again.headers).not.toHaveProperty('content-type');
      const record = await auditRecordOf(admin, String(again.headers['x-request-id']));
      expect(record).toMatchObject({ method, statusCode: 304, tokenId: office.id });
    }
    await office.give(klass.students[0]?.id as number);
    await office.post('/grades', { name: `Grade of ${url}` });
    const changed = await send(url, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
  });

  it('answers have an ETag by default, except in the fastest operations', async () => {
    expect((await send(other)).headers.etag).toBeDefined();
    expect((await send(quick)).headers.etag).toBeUndefined();
    expect((await send('/api/v1/students/0')).headers.etag).toBeUndefined();
  });
});

it('a list sent in parts is compressed while it is read, and stops when the client disconnects', async () => {
  const origin = await test.listen();
  for (let i = 0; i < 3; i++) {
    const items = Array.from({ length: 200 }, (_, n) => ({ username: `crowd.${i}.${n}` }));
    const made = await office.post('/students', {
      classId: klass.id,
      defaultPassword: studentPassword,
      batch: items,
    });
    expect(made.data).toMatchObject({ failedCount: 0 });
  }
  const headers = { cookie: admin.cookie };
  const bare = await fetch(origin + pages, { headers: { ...headers, 'accept-encoding': 'identity' } });
  const small = await fetch(origin + pages, { headers: { ...headers, 'accept-encoding': 'br' } });
  expect([bare.headers.get('content-encoding'), small.headers.get('content-encoding')]).toEqual([null, 'br']);
  const [whole, same] = [await bare.text(), await small.text()];
  expect((dataIn(whole) as unknown[]).length).toBeGreaterThan(600);
  expect(dataIn(same)).toEqual(dataIn(whole));
});
