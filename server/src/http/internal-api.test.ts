import { limits } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { createAdmin } from '../../test/administrators.ts';
import { createSampleSchool, startTestApp } from '../../test/test-app.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const test = await startTestApp();
const admin = await test.signIn();

const json = 'application/json; charset=utf-8';
const failed = { success: false, data: null };

it('an answer of the internal API contains success, data, message and a request id of its own', async () => {
  const own = '11111111-1111-4111-8111-111111111111';
  const { status, headers, ...body } = await admin.get('/auth/me', {
    'x-request-id': own,
    'request-id': own,
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...{ success: true, data: expect.objectContaining({ username: 'admin' }), message: 'ok' },
    requestId: expect.stringMatching(uuid),
  });
  expect(body.requestId).not.toBe(own);
  expect(headers).toMatchObject({ 'x-request-id': body.requestId, 'cache-control': 'no-store' });
  expect(headers['content-type']).toBe(json);
});

it('a call with another administrator in X-Expected-Admin is rejected and does nothing', async () => {
  const { id } = await admin.read<{ id: number }>('/auth/me');
  const create = async (expected: string) =>
    (await admin.post('/schools', { name: 'Expected School' }, { 'x-expected-admin': expected })).status;
  const named = async () =>
    (await admin.read<{ name: string }[]>('/schools')).filter(({ name }) => name === 'Expected School');
  for (const other of [String(id + 1), '', '0', `0${id}`]) expect(await create(other)).toBe(401);
  expect(await named()).toHaveLength(0);
  expect(await create(String(id))).toBe(200);
  expect(await named()).toHaveLength(1);
});

it.each<[string, number, Parameters<typeof admin.call>[0], string, string?, Record<string, string>?]>([
  ['an unknown path', 404, 'GET', '/unknown'],
  ['the bare prefix', 404, 'GET', ''],
  ['the prefix with a slash', 404, 'GET', '/'],
  ['a path of another version', 404, 'GET', '/v2/students'],
  ['a path that only begins like the external one', 404, 'GET', '/v1x'],
  ['a path that cannot be decoded', 404, 'GET', '/%E0%A4%A'],
  ['a method that the path does not take', 404, 'PUT', '/schools', '{"name":"x"}'],
  ['DELETE of a list', 404, 'DELETE', '/schools'],
  ['OPTIONS', 404, 'OPTIONS', '/schools'],
  ['an id beyond the largest number', 400, 'GET', `/schools/${'9'.repeat(300)}`],
  ['no body where one is needed', 400, 'POST', '/schools'],
  ['a long unknown parameter', 400, 'POST', `/schools?${'x'.repeat(500)}=1`, '{"name":"x"}'],
  ['no session', 401, 'POST', '/schools', '{"name":"x"}', { cookie: '' }],
  ['a missing school', 404, 'GET', '/schools/999999'],
])('the internal API answers %s with %i', async (_what, expected, method, path, sent, more) => {
  const { status, headers, ...body } = await admin.call(method, path, sent, more);
  expect(status).toBe(expected);
  const requestId = expect.stringMatching(uuid);
  expect(body).toEqual({ ...failed, message: expect.stringMatching(/^.{5,150}$/), requestId });
  expect(headers).toMatchObject({ 'x-request-id': body.requestId, 'content-type': json });
});

it.each([
  ['/schools', 'name', limits.smallBodyBytesMax, '64 KiB'],
  ['/announcements/preview', 'content', limits.bodyBytesMax, '1 MiB'],
])('a body of exactly the limit of %s is accepted, a byte more gets 413', async (path, name, max, said) => {
  const body = JSON.stringify({ [name]: 'x'.repeat(max - JSON.stringify({ [name]: '' }).length) });
  expect(await admin.post(path, body)).toMatchObject({ status: 400, message: expect.stringContaining(name) });
  const message = `The body is larger than ${said}`;
  expect(await admin.post(path, `${body} `)).toMatchObject({ ...failed, status: 413, message });
});

it('an operation without a body accepts an empty JSON body', async () => {
  const session = await test.signIn();
  expect((await session.post('/auth/logout', '')).status).toBe(200);
});

it('the answer to a method that a path does not take names the methods that it takes', async () => {
  expect((await admin.get('/auth/login')).headers.allow).toBe('POST');
});

describe('Cross-origin requests of a browser', () => {
  const host = 'scores.example.org';

  const send = async (headers: Record<string, string>, app = test) => {
    const answer = await app.anonymous.internal.post(
      '/schools',
      { name: 'Founded by a browser' },
      // The names of the cookie over http and over https.
      { cookie: `${admin.cookie}; __Host-${admin.cookie}`, host, ...headers },
    );
    return answer.status;
  };

  it.each<[number, string, Record<string, string>]>([
    [200, 'no header about its origin', {}],
    [200, 'its own origin', { origin: `http://${host}` }],
    [200, 'Sec-Fetch-Site same-origin', { 'sec-fetch-site': 'same-origin', origin: `http://${host}` }],
    [200, 'Sec-Fetch-Site none', { 'sec-fetch-site': 'none' }],
    [403, 'another host', { origin: 'http://evil.example' }],
    [403, 'another port', { origin: `http://${host}:8080` }],
    [403, 'another scheme', { origin: `https://${host}` }],
    [403, 'a host that begins alike', { origin: `http://${host}.evil.example` }],
    [403, 'a subdomain', { origin: `http://www.${host}` }],
    [403, 'an opaque origin', { origin: 'null' }],
    [403, 'Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }],
    [403, 'Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }],
    [403, 'both, but its own origin', { 'sec-fetch-site': 'cross-site', origin: `http://${host}` }],
  ])('answers %i to a request with %s', async (status, _what, headers) => {
    expect(await send(headers)).toBe(status);
  });

  it('cross-origin reads are answered without CORS headers, so browsers hide the answer', async () => {
    const answer = await test.anonymous.internal.get('/schools', {
      cookie: admin.cookie,
      origin: 'http://evil.example',
      'sec-fetch-site': 'cross-site',
    });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('cross-origin requests are detected by the scheme and host that a trusted proxy forwards', async () => {
    const proxied = await startTestApp({ TRUST_PROXY: 'true' }, { shareDatabaseWith: test });
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'classes.example.org' };
    expect(await send({ ...forwarded, origin: 'https://classes.example.org' }, proxied)).toBe(200);
    expect(await send({ ...forwarded, origin: `http://${host}` }, proxied)).toBe(403);
    expect(await send({ ...forwarded, origin: 'https://classes.example.org' })).toBe(403);
  });
});

describe('schoolDb', async () => {
  const school = await createSampleSchool(admin, 'Chosen School');
  const other = await admin.created<{ id: number; schoolDb: string }>('/schools', { name: 'Other School' });
  const { schoolDb: otherKey } = other;
  const grade = await admin.created<{ id: number }>('/grades', { schoolDb: otherKey, name: 'Grade' });
  const head = await createAdmin(test, { username: 'head', role: 'school_admin', schoolId: school.id });

  const gradesOf = async (query: string) => {
    const answer = await admin.get(`/grades${query}`);
    return answer.status === 200 ? (answer.data as { id: number }[]).map((grade) => grade.id) : answer.status;
  };
  const { schoolDb: key, id } = school;

  it('that is empty or null counts as absent, but an empty one is no school for a write', async () => {
    const missing = { status: 400, message: 'schoolDb is required' };
    expect(await admin.get('/grades?schoolDb=')).toMatchObject(missing);
    expect((await admin.post('/grades?schoolDb=', { name: 'Nowhere' })).status).not.toBe(200);
    const path = `/grades/${school.grades[0].id}?schoolDb=${id}`;
    expect((await admin.patch(path, { name: 'One', schoolDb: null })).status).toBe(200);
  });

  it.each<[what: string, query: string, body: object]>([
    ['the key in the body', '', { schoolDb: key }],
    ['decimal text in the body', '', { schoolDb: String(id) }],
    ['a number in the body', '', { schoolDb: id }],
    ['the key in the query', `?schoolDb=${key}`, {}],
    ['the key in both', `?schoolDb=${key}`, { schoolDb: key }],
    ['the id in both', `?schoolDb=${id}`, { schoolDb: id }],
    ['the key in the query and the id in the body', `?schoolDb=${key}`, { schoolDb: id }],
  ])('a creation and a deletion may name the school by %s', async (what, query, body) => {
    const created = await admin.post(`/grades${query}`, { ...body, name: what });
    expect(created).toMatchObject({ status: 200, data: { schoolId: id } });
    const path = `/grades/${(created.data as { id: number }).id}${query}`;
    const { internal } = test.anonymous;
    expect((await internal.call('DELETE', path, body, { cookie: admin.cookie })).status).toBe(200);
  });

  it('answers 400 when query and body differ, and changes nothing', async () => {
    const twice = { schoolDb: otherKey, name: 'Two schools' };
    expect(await admin.post(`/grades?schoolDb=${key}`, twice)).toMatchObject({ status: 400, data: null });
    const { data } = await admin.get(`/grades?schoolDb=${otherKey}`);
    expect(JSON.stringify(data)).not.toContain('Two schools');
  });

  const unknown = ['99999999999999999999', "1' OR '1'='1"];
  it.each(unknown)('a schoolDb that names no school gets 404: %s', async (schoolDb) => {
    expect(await gradesOf(`?schoolDb=${encodeURIComponent(schoolDb)}`)).toBe(404);
    expect((await head.post('/grades', { schoolDb, name: 'Nowhere' })).status).toBe(404);
  });

  it('a super administrator may name a disabled school in schoolDb', async () => {
    await admin.patch(`/schools/${other.id}`, { disabled: 1 });
    expect(await gradesOf(`?schoolDb=${otherKey}`)).toEqual([grade.id]);
    await admin.patch(`/schools/${other.id}`, { disabled: 0 });
  });
});
