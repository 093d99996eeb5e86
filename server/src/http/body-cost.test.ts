import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { auditRecords } from '../../test/audit.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { exchange } from '../../test/raw-connection.ts';
import { createSampleSchool, startTestApp } from '../../test/test-app.ts';
import type { AppError } from '../errors/app-error.ts';
import { BodyMemory } from './body-memory.ts';

const test = await startTestApp();
const admin = await test.signIn();
const office = await (await createSampleSchool(admin)).issue({});

async function answerToHead(method: string, path: string, headers: readonly string[] = []): Promise<number> {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    'Content-Length: 60000',
    ...headers,
    '\r\n',
  ];
  const { port } = new URL(await test.listen());
  const { answers } = await exchange(Number(port), [head.join('\r\n')], { expect: 1 });
  return answers[0]?.status ?? 0;
}

describe('Server without waiting for the body', () => {
  it.each([
    ['POST', '/api/users', 401],
    ['PATCH', '/api/auth/student/me', 401],
    ['POST', '/api/unknown', 404],
    ['POST', '/unknown', 404],
    ['POST', '/docs', 404],
    ['POST', '/api/v1/students', 401],
    ['POST', '/api/v1/unknown', 401],
  ])(
    'the server answers an unauthenticated %s %s with %i before the body arrives',
    async (method, path, status) => {
      expect(await answerToHead(method, path)).toBe(status);
    },
  );

  it('the server answers 403 to another origin or without the permission before the body arrives', async () => {
    expect(await answerToHead('POST', '/api/auth/login', ['Origin: http://evil.example'])).toBe(403);
    const reader = await (await createSampleSchool(admin, 'Read School')).issue({ scopes: ['stats:read'] });
    expect(await answerToHead('POST', '/api/v1/students', [`Authorization: Bearer ${reader.token}`])).toBe(
      403,
    );
  });
});

it('a call whose sender disconnects during authentication ends and is audited with 400, although the body had arrived', async () => {
  const school = await createSampleSchool(admin, 'Left School');
  const { token } = await school.issue({});
  const body = '{"name":"A grade"}';
  const head = [
    'POST /api/v1/grades HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Authorization: Bearer ${token}`,
    `Content-Length: ${body.length}`,
    '\r\n',
  ].join('\r\n');
  const { port } = new URL(await test.listen());
  const held = await LockedRows.selectedBy(test, 'LOCK TABLE api_token IN ACCESS EXCLUSIVE MODE');
  const over = exchange(Number(port), [head, body]);
  try {
    await held.waitUntilWaiting(1);
    await over;
  } finally {
    await held.release();
  }
  const calls = async () =>
    (await auditRecords(admin)).filter(
      ({ path, schoolId }) => path.endsWith('/grades') && schoolId === school.id,
    );
  await expect.poll(async () => (await calls()).map(({ statusCode }) => statusCode)).toEqual([400]);
});

describe('JSON body with too many or too deep parts', () => {
  const fields = (count: number) =>
    `{${Array.from({ length: count }, (_, i) => `"field${i}":${i}`).join(',')}}`;
  const nested = (depth: number) => `{"name":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const many = 'The body holds more than 10000 values';
  const deep = 'The body is nested deeper than 20 levels';

  it.each([
    ['10,001 fields', fields(10_001), many],
    ['a list of 10,000 numbers', `{"name":[${'1,'.repeat(9_999)}1]}`, many],
    ['one field 10,001 times', `{${'"name":"x",'.repeat(10_000)}"name":"x"}`, many],
    ['fields in __proto__', `{"__proto__":${fields(10_000)}}`, many],
    ['20 lists in one another', nested(21), deep],
    ['30,000 lists in one another', nested(30_000), deep],
    ['objects in one another', `${'{"name":'.repeat(21)}1${'}'.repeat(21)}`, deep],
  ])('a JSON body is rejected before parsing: %s', async (_what, body, message) => {
    const headers = { 'content-type': 'application/json', cookie: admin.cookie };
    const asked = await test.app.http.inject({ method: 'POST', url: '/api/schools', payload: body, headers });
    if (body.length <= 65_536) expect(asked.json()).toMatchObject({ success: false, message });
    else expect(asked.statusCode).toBe(413);
    expect(await office.post('/grades', body)).toMatchObject({ status: 400, code: 40002, message });
  });

  it('a JSON body just within the limits is rejected for its first unknown field', async () => {
    for (const body of [fields(9_000), fields(1)]) {
      const message = '"field0" is not a field of this request';
      expect(await office.post('/grades', body)).toMatchObject({ status: 400, code: 40002, message });
    }
    const message = expect.stringContaining('name');
    expect(await office.post('/grades', nested(20))).toMatchObject({ code: 40002, message });
  });

  it('brackets and commas in the text of a JSON body do not count', async () => {
    const name = `${'['.repeat(30)}${',{'.repeat(10)}\\" ]`;
    expect(await office.post('/grades', { name })).toMatchObject({ code: 0, data: { name } });
    const long = await office.post('/grades', { name: '[,'.repeat(20_000) });
    expect(long).toMatchObject({ code: 40002, message: expect.stringContaining('name') });
  });
});

const post = (chunks: string) =>
  `POST /api/v1/grades HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${office.token}\r\nConnection: close\r\n` +
  `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`;
const inBytes = (text: string) => Array.from(text, (byte) => `1\r\n${byte}\r\n`).join('');

it('a body in too many tiny chunks is cut off, and a body in a few tiny chunks is read', async () => {
  const port = Number(new URL(await test.listen()).port);
  const few = inBytes(JSON.stringify({ name: 'Byte by byte', ignored: 'x'.repeat(4_000) }));
  const { answers } = await exchange(port, [post(`${few}0\r\n\r\n`)], { expect: 1 });
  expect(answers[0]?.body).toContain('"ignored\\" is not a field');
  const head = post('').replace('Host: x', 'Host: x\r\nUser-Agent: many chunks');
  const many = await exchange(port, [head, inBytes('x'.repeat(30_000))], { expect: 1 });
  expect(many).toEqual({ answers: [], rest: '' });
  await expect
    .poll(async () => (await auditRecords(admin)).find(({ userAgent }) => userAgent === 'many chunks'))
    .toMatchObject({ statusCode: 400, errorMessage: 'The request cannot be read' });
});

describe('Memory for bodies', () => {
  it('the memory for a body is released after every kind of request', async () => {
    // More bytes in total than the memory for unauthenticated callers.
    const body = 'x'.repeat(65_536);
    for (let i = 0; i < 300; i++) {
      const sent =
        i % 3 === 0 ? `${body}x` : i % 3 === 1 ? body : JSON.stringify({ username: body.slice(20) });
      const answer = await test.app.http.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers: { 'content-type': 'application/json' },
        payload: sent,
      });
      expect(answer.statusCode).toBe(i % 3 === 0 ? 413 : 400);
    }
  });

  it('when the memory for bodies is full, new bodies are refused, and slow uploads are aborted', () => {
    let now = 0;
    const memory = new BodyMemory(100, () => now);
    const [slow, quick] = [new IncomingMessage(new Socket()), new IncomingMessage(new Socket())];
    const refused = () => {
      try {
        memory.reserve(60);
      } catch (error) {
        return (error as AppError).kind;
      }
      return null;
    };
    const slowArrival = memory.startUpload(slow);
    memory.reserve(60);
    now = 1_900;
    const quickArrival = memory.startUpload(quick);
    expect([refused(), slow.destroyed]).toEqual(['unavailable', false]);
    now = 2_100;
    expect([refused(), slow.destroyed]).toEqual(['unavailable', true]);
    memory.endUpload(slowArrival);
    memory.release(60);
    expect([refused(), quick.destroyed]).toEqual([null, false]);
    now = 5_000;
    memory.endUpload(quickArrival);
    expect([refused(), quick.destroyed]).toEqual(['unavailable', false]);
  });
});
