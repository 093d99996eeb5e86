import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { deriveExample, externalOperations, internalOperations } from '@classledger/contract';
import fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { auditRecordOf } from '../../test/audit.ts';
import { eventually } from '../../test/eventually.ts';
import { openSchool } from '../../test/test-app.ts';
import { TestImports } from '../../test/test-imports.ts';
import type { PartReaders } from '../database/page.ts';
import { encodingFor } from './compression.ts';
import { internalFailure } from './envelopes.ts';
import { WholeLists } from './whole-lists.ts';

const { test, admin, school, office } = await openSchool();
const [grade, otherGrade] = school.grades;
const [place] = grade.classes;
const [klass] = otherGrade.classes;
const batch = Array.from({ length: 30 }, (_, i) => ({ username: `more.${i}`, actualName: `李伟 ${i}` }));
await office.post('/students', { classId: klass.id, batch });
await addLongLists();
const student = await test.signInStudent(school.schoolDb, place.students[0].username);

/** Fills every list beyond the 500 entries of one read. SQL is faster than calls for long lists. */
async function addLongLists(): Promise<void> {
  const many = 1_100;
  const run = (statement: string) =>
    test.database.pool.query(
      `WITH given AS (SELECT $1::bigint AS school, $2::bigint AS grade, $3::bigint AS class,
         $4::timestamptz AS at, generate_series(1, ${many}) AS n) ${statement}`,
      [school.id, grade.id, place.id, test.clock.now().toISOString()],
    );
  await run(`INSERT INTO student (school_id, class_id, username, actual_name, password_hash, created_at, total_score,
      add_score, score_count, disabled, disabled_at) SELECT school, class, 'u' || n, 'Name ' || n % 7, '', at, n % 37, n % 37, 1,
      n % 5 = 0, CASE WHEN n % 5 = 0 THEN at END FROM given`);
  await run(`UPDATE class SET student_count = 3 + ${many}, disabled_student_count = ${many / 5}
      FROM given WHERE id = class AND n = 1`);
  await run(`INSERT INTO score_record (school_id, student_id, created_at, score_change, description)
      SELECT school, s.id, at, n % 37, '' FROM given JOIN student AS s ON s.username = 'u' || n`);
  await run("INSERT INTO grade (school_id, name, created_at) SELECT school, 'g' || n, at FROM given");
  await run(
    "INSERT INTO class (school_id, grade_id, name, created_at) SELECT school, grade, 'c' || n, at FROM given",
  );
  await run(`INSERT INTO template (school_id, name, score_change, description, created_at, updated_at)
      SELECT school, 't' || n, 1, '', at, at FROM given`);
  await run(`INSERT INTO seat (school_id, class_id, group_index, row_index, col_index)
      SELECT school, class, n % 20 + 1, n / 400 + 1, n / 20 % 20 + 1 FROM given`);
  await run(`INSERT INTO term (school_id, class_id, class_name, name, action, started_at, closed_at, closed_by_id,
      closed_by_username, student_count, record_count) SELECT school, class, 'c', 'm' || n, 'reset', at,
      at + n % 9 * interval '1 day', 1, 'admin', 0, 0 FROM given`);
  await run(`INSERT INTO application (school_name, applicant_name, contact_phone, reason, created_at)
      SELECT 's' || n, 'a', '1', 'r', at FROM given`);
  await run(`INSERT INTO announcement (title, content, type, active, created_at, updated_at)
      SELECT 't' || n, '<p>c</p>', 'info', n % 2 = 0, at, at FROM given`);
  await run("INSERT INTO school (name, created_at) SELECT 's' || n, at FROM given");
  await run(`INSERT INTO admin (username, password_hash, role, school_id, created_at)
      SELECT 'a' || n, '', 'school_admin', school, at FROM given`);
  await run(`INSERT INTO api_token (school_id, name, token_hash, prefix, scope_type, scopes, created_at, issuer_id,
      issuer_username) SELECT school, 'k' || n, decode(md5('k' || n), 'hex'), 'cls', 'school', '{students:read}', at, 1,
      'admin' FROM given`);
  // Without statistics, PostgreSQL reads the new rows in slow ways.
  await test.database.pool.query('ANALYZE');
}

const decoders = {
  br: (bytes: Buffer) => brotliDecompressSync(bytes),
  gzip: (bytes: Buffer) => gunzipSync(bytes),
  identity: (bytes: Buffer) => bytes,
};

async function send(
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' | 'POST' = 'GET',
) {
  const own = url.startsWith('/api/v1')
    ? { authorization: `Bearer ${office.token}` }
    : { cookie: admin.cookie };
  const answer = await test.app.http.inject({ method, url, headers: { ...own, ...headers } });
  const encoding = answer.headers['content-encoding'] as 'br' | 'gzip' | undefined;
  const decode = decoders[encoding ?? 'identity'];
  const text = answer.rawPayload.length === 0 ? '' : decode(answer.rawPayload).toString();
  return { ...answer, headers: answer.headers, status: answer.statusCode, encoding, text };
}
const dataIn = (text: string) => (JSON.parse(text) as { data: unknown }).data;

const quick = `/api/v1/students?classId=${klass.id}&limit=100`;
const other = '/api/v1/students?limit=100';
const users = `/api/users?schoolDb=${school.schoolDb}`;

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
])('Accept-Encoding decides the compression, also for HEAD: %j as %j', async (accepted, encoding) => {
  const headers = accepted === undefined ? undefined : { 'accept-encoding': accepted };
  for (const url of [quick, other, `${users}&classId=${klass.id}`, '/api/v1/openapi.json']) {
    const [bare, answer, head] = [
      await send(url),
      await send(url, headers),
      await send(url, headers, 'HEAD'),
    ];
    expect([head.rawPayload.length, Object.keys(head.headers)]).toEqual([0, Object.keys(answer.headers)]);
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
  '/api/v1/stats/students',
  '/api/v1/stats/classes?from=2026-01-01',
  '/api/v1/stats/days',
  `/api/v1/students/${klass.students[0].id}`,
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
  await office.give(klass.students[0].id);
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

it('a list sent in parts is compressed while it is read', async () => {
  const lists = `${await test.listen()}${users}`;
  const fetched = (encoding: string) =>
    fetch(lists, { headers: { cookie: admin.cookie, 'accept-encoding': encoding } });
  const [bare, small] = [await fetched('identity'), await fetched('br')];
  expect([bare.headers.get('content-encoding'), small.headers.get('content-encoding')]).toEqual([null, 'br']);
  const [whole, same] = [await bare.text(), await small.text()];
  expect((dataIn(whole) as unknown[]).length).toBeGreaterThan(600);
  expect(dataIn(same)).toEqual(dataIn(whole));
});

const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;
const ofSchool = `
    /users /users?sortBy=totalScore&order=desc /users?search=name&sortBy=actualName
    /users?disabled=false&sortBy=username&order=desc /stats/leaders /stats/leaders?by=improvement /stats/classes
    /grades /classes /scores/templates /seats/data /admin/terms /api-tokens /admin/list /admin/manage`;
const others = ['/schools', '/applications', '/announcements/admin', '/announcements', '/student/classmates'];

it.each([
  ...ofSchool
    .trim()
    .split(/\s+/)
    .map((path) => withQuery(path, `schoolDb=${school.schoolDb}`)),
  ...others,
])('a whole list longer than one read has the entries of its pages in order: %s', async (path) => {
  const who = path.startsWith('/student') ? student : admin;
  const whole = await who.get(path);
  expect(whole).toMatchObject({ status: 200, success: true, message: 'ok' });
  expect(whole.headers['content-type']).toBe('application/json; charset=utf-8');
  const read: unknown[] = [];
  for (let page = 1; page <= 3; page++) {
    const { headers, data } = await who.get(withQuery(path, `page=${page}&limit=500`));
    expect(headers['x-total-count']).toBe(whole.headers['x-total-count']);
    read.push(...(data as unknown[]));
  }
  expect(read.length).toBeGreaterThan(500);
  expect(whole.data).toEqual(read);
  expect(whole.headers['x-total-count']).toBe(String(read.length));
});

describe('Long lists while being sent', async () => {
  const http = fastify();
  const lists = new WholeLists();
  const turn = { schoolId: 0, name: 'somebody', isSlow: false };
  let parts: PartReaders<unknown> = [];
  http.setErrorHandler((error, _request, reply) => {
    const { status, message } = internalFailure(error);
    return reply.code(status).send({ success: false, message });
  });
  http.get('/list', async (request, reply) => {
    const { listSchools } = internalOperations;
    const list = await lists.read(listSchools, async () => parts, turn, request, reply);
    return reply.type('application/json').send(list);
  });
  const address = await http.listen({ port: 0, host: '127.0.0.1' });
  afterAll(() => http.close());

  const [entry] = deriveExample(internalOperations.listSchools.data) as [object];
  const call = () =>
    new Promise<IncomingMessage>((resolve, reject) => get(`${address}/list`, resolve).on('error', reject));
  async function textOf(response: IncomingMessage): Promise<string> {
    let text = '';
    for await (const chunk of response) text += chunk;
    return text;
  }

  it('a long list contains declared fields only', async () => {
    parts = [async () => [{ ...entry, secret: 1 }], async () => [], async () => [entry]];
    expect(JSON.parse(await textOf(await call())).data).toEqual([entry, entry]);
    parts = [async () => [], async () => []];
    expect(JSON.parse(await textOf(await call())).data).toEqual([]);
  });

  it('a late failure of a long list breaks the connection, and an early failure answers 500', async () => {
    parts = [async () => [entry], () => Promise.reject(new Error('the database is away'))];
    const response = await call();
    expect(response.statusCode).toBe(200);
    await expect(textOf(response)).rejects.toThrow('aborted');
    parts = [() => Promise.reject(new Error('the database is away'))];
    expect((await call()).statusCode).toBe(500);
  });

  it('a long list is read at the client’s pace, and a stalled client delays no other client', async () => {
    const big = Array.from({ length: 20 }, () => ({ ...entry, name: 'n'.repeat(2_000) }));
    let read = 0;
    const listOf = (count: () => void) =>
      Array.from({ length: 1_000 }, () => async () => {
        count();
        return big;
      });
    parts = listOf(() => {
      read++;
    });
    const unread = await call();
    unread.pause();
    parts = listOf(() => {});
    expect((await textOf(await call())).length).toBeGreaterThan(40_000_000);
    expect(read).toBeLessThan(500);
    unread.destroy();
  });

  it('32 long lists are sent at once and 64 wait until others end; further requests get 503', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    parts = [async () => [entry], () => held.then(() => [entry])];
    const calls = Array.from({ length: 100 }, call);
    const refused: IncomingMessage[] = [];
    for (const each of calls) void each.then((one) => one.statusCode === 503 && refused.push(one));
    await eventually('all have come', () => refused.length === 4);
    letGo();
    const texts = await Promise.all(calls.map(async (each) => textOf(await each)));
    expect(texts.filter((text) => JSON.parse(text).success)).toHaveLength(96);
    expect(JSON.parse(await textOf(await call())).data).toHaveLength(2);
  });
});
