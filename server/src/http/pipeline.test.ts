import { randomUUID } from 'node:crypto';
import { type Credential, type ExternalOperation, externalOperations, limits } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { createAdmin } from '../../test/administrators.ts';
import { auditRecordOf, auditRecords } from '../../test/audit.ts';
import { eventually } from '../../test/eventually.ts';
import { openSchool, startTestApp } from '../../test/test-app.ts';
import { generateToken } from '../access/token.ts';

const { test, admin, school, office, gradeHead } = await openSchool();
const operations: readonly ExternalOperation[] = Object.values(externalOperations);

const studentOf = (grade: 0 | 1, index: 0 | 1) => school.grades[grade].classes[index].students[0].id;

const ping = (headers: Record<string, string>) => test.anonymous.external.get('/ping', headers);

describe('Authentication', () => {
  const { token } = office;

  it.each([
    ['Authorization: Bearer', { authorization: `Bearer ${token}` }],
    ['Authorization: bearer in lower case', { authorization: `bearer ${token}` }],
    ['X-API-Token', { 'x-api-token': token }],
    [
      'X-API-Token beside another scheme of Authorization',
      { 'x-api-token': token, authorization: 'Basic YTpi' },
    ],
  ])('accepts the token from %s', async (_name, headers) => {
    const data = { token: { prefix: expect.any(String) } };
    expect(await ping(headers as Record<string, string>)).toMatchObject({ status: 200, code: 0, data });
  });

  const changedAt = (at: number) =>
    token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1);
  it.each<[number, string, Record<string, string>]>([
    [40101, 'no header at all', {}],
    [40101, 'an empty X-API-Token', { 'x-api-token': '' }],
    [40101, 'another scheme', { authorization: 'Basic YTpi' }],
    [40101, 'Bearer without a token', { authorization: 'Bearer ' }],
    [40101, 'a session cookie', { cookie: admin.cookie }],
    [40102, 'an unknown token', { 'x-api-token': generateToken('cls') }],
    [40102, 'a token with another prefix', { 'x-api-token': changedAt(0) }],
    [40102, 'a token with another character', { 'x-api-token': changedAt(20) }],
    [40102, 'a token with a wrong checksum', { 'x-api-token': changedAt(44) }],
    [40102, 'a token of one letter', { 'x-api-token': 'x' }],
    [40102, 'a token beyond ASCII', { 'x-api-token': '€' }],
  ])('answers %i to %s, and audits the call without a caller', async (code, _what, headers) => {
    const answer = await ping(headers);
    expect(answer).toMatchObject({ status: 401, code, data: null });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(await auditRecordOf(admin, answer.requestId)).toMatchObject({
      ...{ tokenId: null, tokenPrefix: null, schoolId: null },
      ...{ path: '/api/v1/ping', statusCode: 401, errorMessage: answer.message },
    });
  });

  /** In the order in which a refusal names them. */
  const reasons = [
    ['a revoked credential', 40103, 'api_token', 'revoked_at = now()'],
    ['a disabled credential', 40103, 'api_token', 'disabled = true'],
    ['an expired credential', 40104, 'api_token', "expires_at = '2026-01-01'"],
    ['a disabled school', 40301, 'school', 'disabled = true'],
    ['a disabled issuer', 40105, 'admin', 'disabled = true'],
  ] as const;
  it.each(reasons)('of several reasons, %s is named with %i before all later ones', async (what, code) => {
    const own = await admin.created<{ id: number; schoolDb: string }>('/schools', { name: what });
    const issuer = await createAdmin(test, { username: what, role: 'school_admin', schoolId: own.id });
    const credential = await issuer.issue(own.schoolDb);
    const ids = { api_token: credential.id, school: own.id, admin: issuer.id };
    const later = reasons.slice(reasons.findIndex(([each]) => each === what));
    const changes = later.map(([, , table, set]) => `UPDATE ${table} SET ${set} WHERE id = ${ids[table]}`);
    // One transaction, whose changes are announced together.
    await test.database.pool.query(changes.join(';'));
    await eventually('it is refused', async () => (await credential.get('/ping')).code !== 0);
    expect(await credential.get('/ping')).toMatchObject({ code, data: null });
  });

  it('a credential counts every authenticated call, even a refused one, but no call that fails authentication', async () => {
    const credential = await school.issue({});
    const setDisabled = (disabled: boolean) => admin.patch(`/api-tokens/${credential.id}`, { disabled });
    const listed = async () => {
      const all = (await admin.get(`/api-tokens?schoolDb=${school.schoolDb}`)).data as Credential[];
      return all.find(({ id }) => id === credential.id);
    };
    const uses = (callCount: number) => ({
      ...{ callCount, lastUsedAt: test.clock.now().toISOString(), lastUsedIp: '127.0.0.1' },
    });
    expect(await listed()).toMatchObject({ callCount: 0, lastUsedAt: null, lastUsedIp: null });
    await credential.get('/ping');
    test.clock.advance(60_000);
    expect((await credential.get('/students/0')).code).toBe(40002);
    expect((await credential.get('/nothing')).code).toBe(40401);
    expect((await credential.post('/students', '{')).code).toBe(40001);
    await expect.poll(listed).toMatchObject(uses(4));
    expect((await credential.get('/ping')).data).toMatchObject({ token: { callCount: 4 } });

    test.clock.advance(60_000);
    await setDisabled(true);
    const refused = await credential.get('/ping');
    await setDisabled(false);
    await ping({ 'x-api-token': `${credential.token}x` });
    await ping({});
    await credential.get('/ping');
    await expect.poll(listed).toMatchObject(uses(6));
    expect(await listed()).toMatchObject(uses(6));

    const shown = JSON.stringify([refused, await credential.get('/ping'), await auditRecords(admin)]);
    expect(shown).not.toContain(credential.token.slice(-20));
  });
});

describe('Audit record', () => {
  it('an audit record is written for every method and path below the prefix, without the query', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const answer = await office.call(method, '/no/such/path?token=hidden&x=%00');
      expect(answer).toMatchObject({ status: 404, code: 40401, data: null });
      expect(await auditRecordOf(admin, answer.requestId)).toMatchObject({
        method,
        path: '/api/v1/no/such/path',
        tokenId: office.id,
        statusCode: 404,
      });
    }
  });

  it('an audit record is written for HEAD, which is answered like GET without the body', async () => {
    for (const [path, statusCode] of [
      ['/students?limit=3', 200],
      ['/students/0', 400],
      ['/students/999999999', 404],
      ['/nothing', 404],
    ] as const) {
      const head = { url: `/api/v1${path}`, headers: { 'x-api-token': office.token } };
      const got = await test.app.http.inject(head);
      const response = await test.app.http.inject({ ...head, method: 'HEAD' });
      expect([response.statusCode, response.body]).toEqual([statusCode, '']);
      expect(Object.keys(response.headers)).toEqual(Object.keys(got.headers));
      expect(response.headers['content-length']).toBe(got.headers['content-length']);
      const id = String(response.headers['x-request-id']);
      expect(await auditRecordOf(admin, id)).toMatchObject({ method: 'HEAD', statusCode });
    }
  });

  it('an audit record contains the address of the connection, or the address that a trusted proxy forwards', async () => {
    const forwarded = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' };
    const direct = await office.get('/ping', forwarded);
    expect(await auditRecordOf(admin, direct.requestId)).toMatchObject({ ip: '127.0.0.1' });
    const proxied = await startTestApp({ TRUST_PROXY: 'true' }, { shareDatabaseWith: test });
    const headers = { 'x-api-token': office.token };
    const behind = await proxied.anonymous.external.get('/ping', { ...headers, ...forwarded });
    const bare = await proxied.anonymous.external.get('/ping', headers);
    const there = await proxied.signIn();
    expect(await auditRecordOf(there, behind.requestId)).toMatchObject({ ip: '203.0.113.9' });
    expect(await auditRecordOf(there, bare.requestId)).toMatchObject({ ip: '127.0.0.1' });
  });

  it('an audit record has at most 500 characters of path and user agent, and accepts characters that cannot be stored', async () => {
    const answer = await office.get(`/${'a'.repeat(5_000)}`, {
      'user-agent': `\u00ff${'b'.repeat(5_000)}`,
    });
    const record = await auditRecordOf(admin, answer.requestId);
    expect([record.path.length, record.userAgent?.length]).toEqual([500, 500]);
    const odd = await office.get('/%00%ed%a0%80/%zz');
    expect(odd).toMatchObject({ status: 404, code: 40401 });
    expect((await auditRecordOf(admin, odd.requestId)).statusCode).toBe(404);
  });
});

describe('Unknown path or method', () => {
  it.each([
    ['GET', '', undefined],
    ['GET', '/', undefined],
    ['GET', '/nothing', undefined],
    ['GET', '/PING', undefined],
    ['GET', '/students/1/scores', undefined],
    ['PUT', '/students/1', 'GET, HEAD, PATCH, DELETE'],
    ['PUT', '/grades/1', 'PATCH, DELETE'],
    ['DELETE', '/students', 'GET, HEAD, POST'],
    ['DELETE', '/grades/', 'GET, HEAD, POST'],
    ['OPTIONS', '/students', 'GET, HEAD, POST'],
    ['POST', '/ping?x=1', 'GET, HEAD'],
  ] as const)(
    'an unknown %s %s answers 40401 with the header Allow: %s, and 40101 without a credential',
    async (method, path, allow) => {
      const known = await office.call(method, path);
      expect(known).toMatchObject({ status: 404, code: 40401, data: null });
      expect(known.headers.allow).toBe(allow);
      const stranger = await test.anonymous.external.call(method, path);
      expect(stranger).toMatchObject({ status: 401, code: 40101, data: null });
      expect(stranger.headers.allow).toBeUndefined();
    },
  );

  it('a slash at the end of a path reaches the same endpoint, also for idempotency keys and the call log', async () => {
    expect((await admin.get(`/users/?schoolDb=${school.schoolDb}&limit=1`)).data).toHaveLength(1);
    expect((await office.get('/students//')).status).toBe(400);
    const key = { 'idempotency-key': randomUUID() };
    const body = { userId: studentOf(0, 0), scoreChange: 1 };
    const first = await office.post('/scores', body, key);
    const again = await office.post('/scores/', body, key);
    expect([again.data, again.headers['idempotency-replayed']]).toEqual([first.data, 'true']);
    for (const { requestId } of [first, again]) {
      expect(await auditRecordOf(admin, requestId)).toMatchObject({ path: '/api/v1/scores' });
    }
  });

  it('an unknown path outside the prefix and the OpenAPI document need no credential, and get no envelope of the external API and no audit record', async () => {
    const before = await auditRecords(admin);
    const other = await test.app.http.inject({
      url: '/api/v10/ping',
      headers: { 'x-api-token': office.token },
    });
    expect(other.statusCode).toBe(404);
    expect(other.json()).not.toHaveProperty('code');
    const document = await test.app.http.inject({ url: '/api/v1/openapi.json' });
    expect(document.statusCode).toBe(200);
    expect(document.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) });
    expect(await auditRecords(admin)).toEqual(before);
  });
});

const outside = `/students/${studentOf(1, 0)}`;
const taken = { username: school.grades[0].classes[0].students[0].username, password: 'secret-password' };
const [inside, beyond] = school.grades.map(({ classes }) => classes[0].id);
it.each([
  [40002, 'PATCH', outside, { unknown: 1 }],
  [40001, 'PATCH', outside, {}],
  [40303, 'PATCH', outside, { disabled: true }],
  [40303, 'PATCH', outside, { username: taken.username }],
  [40303, 'POST', '/students', { ...taken, classId: beyond }],
  [40901, 'POST', '/students', { ...taken, classId: inside }],
] as const)(
  'checks shape, range and then the operation: %i to %s %s %j',
  async (code, method, path, body) => {
    expect((await gradeHead.call(method, path, body)).code).toBe(code);
  },
);

async function send(method: 'POST' | 'DELETE', url: string, payload: Buffer | string, type: string | null) {
  const authorization = `Bearer ${office.token}`;
  const headers = { authorization, ...(type === null ? {} : { 'content-type': type }) };
  const answer = await test.app.http.inject({ method, url: `/api/v1${url}`, headers, payload });
  return { ...answer.json(), status: answer.statusCode };
}
const answerOf = (code: number) =>
  code === 0 ? { code } : { status: Math.floor(code / 100), code, data: null };

const json = 'application/json';
const ofLength = (length: number) => JSON.stringify({ name: `Grade of ${length}` }).padEnd(length);

describe('A body', () => {
  it.each<[number, string, Buffer | string, string | null]>([
    [40001, 'malformed JSON', '{"name":', json],
    [40001, 'a comma too many', '{"name":"x",}', json],
    [40001, 'JSON with something after it', '{} {}', json],
    [40001, 'a comment in JSON', '{/* */}', json],
    [40001, 'a byte order mark', '\ufeff{}', json],
    [40001, 'no body', '', json],
    [40001, 'white space alone', '  ', json],
    [40001, 'null', 'null', json],
    [40001, 'a list', '[]', json],
    [40001, 'invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json],
    [40001, 'UTF-16', Buffer.from('{"name":"x"}', 'utf16le'), json],
    [40001, 'a form', 'name=x', 'application/x-www-form-urlencoded'],
    [40001, 'plain text', '{"name":"x"}', 'text/plain'],
    [40001, 'another JSON type', '{"name":"x"}', 'application/problem+json'],
    [40001, 'no content type', '{"name":"x"}', null],
    [40001, 'an invalid content type', '{"name":"x"}', 'json'],
    [0, 'JSON with a charset', '{"name":"Charset"}', 'Application/JSON; charset=utf-8'],
    [0, 'exactly 1 MiB', ofLength(limits.bodyBytesMax), json],
    [40001, '1 MiB and one byte', ofLength(limits.bodyBytesMax + 1), json],
  ])('answers %i if it is %s', async (code, _what, bytes, type) => {
    expect(await send('POST', '/grades', bytes, type)).toMatchObject(answerOf(code));
  });

  it.each([
    ['', null, 40401],
    ['', json, 40401],
    ['{}', json, 40401],
    ['{}', null, 40001],
    ['{"reason":"x"}', json, 40002],
    ['[1]', json, 40001],
    ['{', json, 40001],
  ])('of a DELETE, %j of type %s, answers %i', async (bytes, type, code) => {
    expect(await send('DELETE', '/templates/999999999', bytes, type)).toMatchObject(answerOf(code));
  });
});

it('null removes an external id and a card number', async () => {
  const path = `/students/${studentOf(0, 0)}`;
  await office.patch(path, { externalId: 'E-1', cardNumber: 'C-1' });
  const changed = await office.patch(path, { externalId: null, cardNumber: null });
  expect(changed.data).toMatchObject({ externalId: null, cardNumber: null });
});

it.each([
  '/students?keyword=%00',
  '/scores?username=%00',
  '/students?classId=%EF%BC%91',
  '/students/%00',
  // An empty position in the change feed is no position.
  '/changes?after=',
])('a query or path is decoded before it is checked: %s answers 40002', async (path) => {
  expect((await office.get(path)).code).toBe(40002);
});

const withIds = operations.filter(({ path }) => path.includes(':'));
it.each(withIds)('the largest possible id answers 40401: $method $path', async (operation) => {
  const path = operation.path.replace(/:\w+/, String(Number.MAX_SAFE_INTEGER));
  const [body] = Object.values(operation.examples.body ?? {});
  const url = operation.destructive ? `${path}?confirm=true` : path;
  expect(await office.call(operation.method, url, body)).toMatchObject({ status: 404, code: 40401 });
});

const lists = operations.filter(({ id }) => id.startsWith('list'));
it.each(lists)('a page past the end of a list is empty, with the total: $path', async ({ path }) => {
  const { total } = await office.read<{ total: number }>(path);
  const page = Number.MAX_SAFE_INTEGER;
  const answer = await office.get(`${path}?page=${page}&limit=30`);
  expect(answer).toMatchObject({ status: 200, data: { list: [], total, page, limit: 30 } });
});
