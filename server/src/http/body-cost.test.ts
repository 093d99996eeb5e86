import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { limits } from '@classledger/contract';
import { expect, it } from 'vitest';
import { createAdmin } from '../../test/administrators.ts';
import { auditRecords } from '../../test/audit.ts';
import type { CredentialClient, StudentClient } from '../../test/identities.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { exchange } from '../../test/raw-connection.ts';
import { createSampleSchool, openSchool, studentPassword } from '../../test/test-app.ts';
import { BodyMemory } from './body-memory.ts';

const { test, admin, school: shared, office } = await openSchool();
const port = Number(new URL(await test.listen()).port);

const reader = await shared.issue({ scopes: ['stats:read'] });

/** Returns the start of a request with a JSON body, as bytes. */
const headOf = (start: string, bodyBytes: number, header = 'Accept: */*') =>
  [
    ...[`${start} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', header],
    ...[`Content-Length: ${bodyBytes}`, '\r\n'],
  ].join('\r\n');

it.each<[string, number, (string | undefined)?, number?]>([
  ['POST /api/users', 401],
  ['POST /api/auth/login', 413, undefined, limits.smallBodyBytesMax + 1],
  ['POST /api/auth/login', 403, 'Origin: http://evil.example'],
  ['PATCH /api/auth/student/me', 401],
  ['PATCH /api/auth/student/me', 403, 'Origin: http://evil.example'],
  ['POST /api/unknown', 404],
  ['POST /unknown', 404],
  ['POST /docs', 404],
  ['POST /api/v1/students', 401],
  ['POST /api/v1/students', 403, `Authorization: Bearer ${reader.token}`],
  ['POST /api/v1/unknown', 401],
])('the server answers %s with %i before the body arrives', async (start, status, header, bytes = 60_000) => {
  const { answers } = await exchange(port, [headOf(start, bytes, header)], { expect: 1 });
  expect(answers).toMatchObject([{ status }]);
});

it('a call whose sender disconnects during authentication ends and is audited with 400, although the body had arrived', async () => {
  const { id, token } = await shared.issue({});
  const body = '{"name":"A grade"}';
  const head = headOf('POST /api/v1/grades', body.length, `Authorization: Bearer ${token}`);
  const held = await LockedRows.selectedBy(test, 'LOCK TABLE api_token IN ACCESS EXCLUSIVE MODE');
  const over = exchange(port, [head, body]);
  try {
    await held.waitUntilWaiting(1);
    await over;
  } finally {
    await held.release();
  }
  const calls = async () => (await auditRecords(admin)).filter(({ tokenId }) => tokenId === id);
  await expect.poll(async () => (await calls()).map(({ statusCode }) => statusCode)).toEqual([400]);
});

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
  const isSmall = body.length <= limits.smallBodyBytesMax;
  const refusal = isSmall ? { success: false, message } : { status: 413 };
  expect(await admin.post('/schools', body)).toMatchObject(refusal);
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

const post = (chunks: string) =>
  `POST /api/v1/grades HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${office.token}\r\nConnection: close\r\n` +
  `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`;
const inBytes = (text: string) => Array.from(text, (byte) => `1\r\n${byte}\r\n`).join('');

it('a body in too many tiny chunks is cut off, and a body in a few tiny chunks is read', async () => {
  const few = inBytes(JSON.stringify({ name: 'Byte by byte', ignored: 'x'.repeat(9_000) }));
  const { answers } = await exchange(port, [post(`${few}0\r\n\r\n`)], { expect: 1 });
  expect(answers[0]?.body).toContain('"ignored\\" is not a field');
  const head = post('').replace('Host: x', 'Host: x\r\nUser-Agent: many chunks');
  const many = await exchange(port, [head, inBytes('x'.repeat(30_000))], { expect: 1 });
  expect(many).toEqual({ answers: [], rest: '' });
  await expect
    .poll(async () => (await auditRecords(admin)).find(({ userAgent }) => userAgent === 'many chunks'))
    .toMatchObject({ statusCode: 400, errorMessage: 'The request cannot be read' });
});

it('the memory for a body is released after every kind of request', async () => {
  const body = 'x'.repeat(65_536);
  // More bytes in total than the memory for unauthenticated callers.
  for (let i = 0; i < 100; i++) {
    for (const [sent, status] of [
      [`${body}x`, 413],
      [body, 400],
      [JSON.stringify({ username: body.slice(20) }), 400],
    ] as const) {
      expect((await test.anonymous.internal.post('/auth/login', sent)).status).toBe(status);
    }
  }
});

it('when the memory for bodies is full, new bodies are refused, and slow uploads are aborted', () => {
  let now = 0;
  const memory = new BodyMemory(100, () => now);
  const [slow, quick] = [new IncomingMessage(new Socket()), new IncomingMessage(new Socket())];
  const reserve = () => memory.reserve(60);
  const refusal = expect.objectContaining({ kind: 'unavailable' });
  const slowArrival = memory.startUpload(slow);
  reserve();
  now = 1_900;
  const quickArrival = memory.startUpload(quick);
  expect(reserve).toThrow(refusal);
  expect(slow.destroyed).toBe(false);
  now = 2_100;
  expect(reserve).toThrow(refusal);
  expect(slow.destroyed).toBe(true);
  memory.endUpload(slowArrival);
  memory.release(60);
  reserve();
  now = 5_000;
  memory.endUpload(quickArrival);
  expect(reserve).toThrow(refusal);
  expect(quick.destroyed).toBe(false);
});

const withPassword = { 'x-confirm-password': admin.password };
let worlds = 0;

async function openWorld(school = shared) {
  const [{ id: gradeId, classes }] = school.grades;
  const [home, other] = classes;
  const username = `late ${++worlds}`;
  const token = await school.issue({});
  const newPupil = { username, classId: home.id, password: studentPassword };
  const pupil = await token.created<{ id: number }>('/students', newPupil);
  const place = { schoolId: school.id, gradeId, classId: home.id };
  return {
    school,
    other,
    pupil,
    token,
    teacher: await createAdmin(test, { username, role: 'class_admin', ...place }),
    student: await test.signInStudent(school.schoolDb, username),
  };
}
type World = Awaited<ReturnType<typeof openWorld>>;

const byToken = ({ token }: CredentialClient | StudentClient) => ({ authorization: `Bearer ${token}` });
function callsOf({ school: { schoolDb }, pupil, token, teacher, student }: World) {
  const points = { userId: pupil.id, scoreChange: 5 };
  const webhook = { url: 'https://receiver.example/', events: ['student.created'] };
  const passwords = { oldPassword: studentPassword, newPassword: 'a password for later' };
  const late = { actualName: 'Renamed too late' };
  return {
    score: ['POST', '/api/v1/scores', byToken(token), points],
    student: ['PATCH', `/api/v1/students/${pupil.id}`, byToken(token), late],
    webhook: ['POST', '/api/v1/webhooks', byToken(token), webhook],
    point: ['POST', '/api/scores/add', { cookie: teacher.cookie }, { schoolDb, ...points }],
    'own password': ['PATCH', '/api/auth/student/me', byToken(student), passwords],
  } as const;
}
type Calls = ReturnType<typeof callsOf>;

/** Runs `meanwhile` while the server waits for the body of the call. */
async function answerAfter(
  meanwhile: () => Promise<{ status: number }>,
  [method, url, caller, body]: Calls[keyof Calls],
) {
  const payload = new Readable({
    async read() {
      expect((await meanwhile()).status).toBe(200);
      this.push(JSON.stringify(body));
      this.push(null);
    },
  });
  const headers = { 'content-type': 'application/json', ...caller };
  const answer = await test.app.http.inject({ method, url, headers, payload });
  return { status: answer.statusCode, code: answer.json().code };
}

const revoke = ({ token }: World) => admin.delete(`/api-tokens/${token.id}`, withPassword);
const changeToken = (body: object) => (w: World) => admin.patch(`/api-tokens/${w.token.id}`, body);
const changeTeacher = (body: object) => (w: World) => admin.patch(`/admin/manage/${w.teacher.id}`, body);
const moveTeacher = (world: World) => changeTeacher({ classId: world.other.id })(world);
const disableSchool = ({ school }: World) => admin.patch(`/schools/${school.id}`, { disabled: 1 });
const disablePupil = ({ pupil, school: { schoolDb } }: World) =>
  admin.patch(`/users/${pupil.id}`, { schoolDb, disabled: true });

it.each<[keyof Calls, string, (world: World) => Promise<{ status: number }>, object]>([
  ['score', 'credential revoked', revoke, { status: 401, code: 40103 }],
  ['score', 'permission taken away', changeToken({ scopes: ['scores:read'] }), { code: 40302 }],
  ['score', 'school disabled', disableSchool, { status: 403, code: 40301 }],
  ['student', 'credential disabled', changeToken({ disabled: true }), { status: 401, code: 40103 }],
  ['webhook', 'credential revoked', revoke, { status: 401, code: 40103 }],
  ['point', 'teacher signed out', ({ teacher }) => teacher.post('/auth/logout'), { status: 401 }],
  ['point', 'teacher disabled', changeTeacher({ disabled: true }), { status: 401 }],
  ['point', 'teacher moved to another class', moveTeacher, { status: 403 }],
  ['own password', 'student disabled', disablePupil, { status: 401 }],
])('a call is rejected if, before its body: %s, %s', async (call, what, meanwhile, refused) => {
  const world = await openWorld(what.includes('school') ? await createSampleSchool(admin, what) : shared);
  expect(await answerAfter(() => meanwhile(world), callsOf(world)[call])).toMatchObject(refused);
  const { data } = await admin.get(`/users/${world.pupil.id}?schoolDb=${world.school.schoolDb}`);
  expect(data).toMatchObject({ totalScore: 0 });
  expect(data).not.toMatchObject({ actualName: 'Renamed too late' });
});

it('a student, too, gets 413 for a body of more than 64 KiB', async () => {
  const { student } = await openWorld();
  const body = 'x'.repeat(limits.smallBodyBytesMax + 1);
  expect(await student.patch('/auth/student/me', body)).toMatchObject({ status: 413, data: null });
});

it('a call whose body arrives late succeeds when nothing changed before the body', async () => {
  const world = await openWorld();
  for (const call of Object.values(callsOf(world))) {
    expect(await answerAfter(() => admin.get('/auth/me'), call)).toMatchObject({ status: 200 });
  }
});
