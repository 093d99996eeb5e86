import { describe, expect, it } from 'vitest';
import { auditRecordOf, auditRecords } from '../../test/audit.ts';
import { openSchool, startTestApp } from '../../test/test-app.ts';

const { test, admin, school, office, gradeHead } = await openSchool();

const studentOf = (grade: 0 | 1, index: 0 | 1) => school.grades[grade].classes[index].students[0]?.id;

describe('Envelope', () => {
  it('the external API ignores a request id of the caller', async () => {
    const own = '11111111-1111-4111-8111-111111111111';
    const answer = await office.get('/ping', { 'x-request-id': own, 'request-id': own });
    expect(answer.requestId).not.toBe(own);
  });

  it('answers of the external API are never cached', async () => {
    const answers = [
      await office.get('/ping'),
      await office.get('/nothing'),
      await test.anonymous.external.get('/ping'),
    ];
    expect(answers.map((answer) => answer.headers['cache-control'])).toEqual(answers.map(() => 'no-store'));
  });

  it('a server failure answers 50001 without details, and is audited', async () => {
    const { db } = test.database;
    await db.schema.alterTable('template').renameTo('template_away').execute();
    const answer = await office.get('/templates');
    await db.schema.alterTable('template_away').renameTo('template').execute();
    expect(answer).toMatchObject({ status: 500, code: 50001, data: null, message: 'Internal error' });
    expect(await auditRecordOf(admin, answer.requestId)).toMatchObject({
      statusCode: 500,
      errorMessage: 'Internal error',
    });
    expect((await office.get('/templates')).code).toBe(0);
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
  const unknown: ['GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS', string][] = [
    ['GET', ''],
    ['GET', '/'],
    ['GET', '/nothing'],
    ['GET', '/PING'],
    ['GET', '/students/1/scores'],
    ['PUT', '/students/1'],
    ['POST', '/students/1'],
    ['DELETE', '/students'],
    ['OPTIONS', '/students'],
    ['POST', '/ping'],
  ];

  it.each(unknown)(
    'an unknown %s %s answers 40401 with a credential, and 40101 without a credential',
    async (method, path) => {
      const [known, stranger] = [office, test.anonymous.external];
      expect(await known.call(method, path)).toMatchObject({ status: 404, code: 40401, data: null });
      expect(await stranger.call(method, path)).toMatchObject({ status: 401, code: 40101, data: null });
    },
  );

  it.each([
    ['PUT', '/grades/1', 'PATCH, DELETE'],
    ['POST', '/ping?x=1', 'GET, HEAD'],
    ['OPTIONS', '/grades', 'GET, HEAD, POST'],
    ['GET', '/nothing', undefined],
  ] as const)('an unknown method %s %s answers the Allow header %s', async (method, path, allow) => {
    const answer = await office.call(method, path);
    expect(answer).toMatchObject({ status: 404, code: 40401 });
    expect(answer.headers.allow).toBe(allow);
    const stranger = await test.anonymous.external.call(method, path);
    expect(stranger.headers.allow).toBeUndefined();
    const inside = await admin.get(`/auth/login`);
    expect([inside.status, inside.headers.allow]).toEqual([404, 'POST']);
  });

  it('an unknown path answers 40401 with any body', async () => {
    for (const [body, type] of [
      ['{', 'application/json'],
      ['a=b', 'application/x-www-form-urlencoded'],
      ['x'.repeat(1_100_000), 'application/json'],
    ] as const) {
      const answer = await office.post('/nothing', body, { 'content-type': type });
      expect(answer).toMatchObject({ status: 404, code: 40401 });
    }
  });

  it('an unknown path outside the prefix gets no envelope of the external API and no audit record', async () => {
    const before = await auditRecords(admin);
    const response = await test.app.http.inject({
      url: '/api/v10/ping',
      headers: { 'x-api-token': office.token },
    });
    expect(response.statusCode).toBe(404);
    expect(response.json()).not.toHaveProperty('code');
    expect(await auditRecords(admin)).toEqual(before);
  });
});

describe('Order of checks', () => {
  it('a request is checked for the shape before the range', async () => {
    const outside = studentOf(1, 0);
    expect((await gradeHead.patch(`/students/${outside}`, { unknown: 1 })).code).toBe(40002);
    expect((await gradeHead.patch(`/students/${outside}`, {})).code).toBe(40001);
    expect((await gradeHead.patch(`/students/${outside}`, { disabled: true })).code).toBe(40303);
  });

  it('a request is checked for the range before the operation itself', async () => {
    const taken = school.grades[0].classes[0].students[0]?.username;
    const outsideClass = school.grades[1].classes[0].id;
    const password = 'secret-password';
    const body = { username: taken, password };
    expect((await gradeHead.post('/students', { ...body, classId: outsideClass })).code).toBe(40303);
    const inside = { ...body, classId: school.grades[0].classes[0].id };
    expect((await gradeHead.post('/students', inside)).code).toBe(40901);
    expect((await gradeHead.patch(`/students/${studentOf(1, 0)}`, { username: taken })).code).toBe(40303);
  });
});

it('serves the OpenAPI document without credential, envelope and audit record', async () => {
  const before = await auditRecords(admin);
  const response = await test.app.http.inject({ url: '/api/v1/openapi.json' });
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) });
  expect(await auditRecords(admin)).toEqual(before);
});
