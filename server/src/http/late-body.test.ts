import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createAdmin } from '../../test/administrators.ts';
import { eventually } from '../../test/eventually.ts';
import type { CredentialClient, StudentClient } from '../../test/identities.ts';
import { createSampleSchool, startTestApp, studentPassword, superAdmin } from '../../test/test-app.ts';

const test = await startTestApp();
const admin = await test.signIn();
const withPassword = { 'x-confirm-password': superAdmin.password };
const shared = await createSampleSchool(admin);
let worlds = 0;

async function openWorld(school = shared) {
  const [{ id: gradeId, classes }] = school.grades;
  const [home, other] = classes;
  const username = `late ${++worlds}`;
  const token = await school.issue({});
  const pupil = await token.post('/students', { username, classId: home.id, password: studentPassword });
  const place = { schoolId: school.id, gradeId, classId: home.id };
  return {
    school,
    other,
    pupil: pupil.data as { id: number },
    token,
    teacher: await createAdmin(test, { username, role: 'class_admin', ...place }),
    student: await test.signInStudent(school.schoolDb, username),
  };
}
type World = Awaited<ReturnType<typeof openWorld>>;

interface Call {
  readonly method: 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: object;
}

/** Runs `meanwhile` while the server waits for the body of the call. */
async function answerAfter(meanwhile: () => Promise<{ status: number }>, call: Call) {
  const { method, url, headers, body } = call;
  const payload = new Readable({
    async read() {
      expect((await meanwhile()).status).toBe(200);
      this.push(JSON.stringify(body));
      this.push(null);
    },
  });
  const answer = await test.app.http.inject({
    method,
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });
  return { status: answer.statusCode, code: answer.json().code };
}

const byToken = ({ token }: CredentialClient | StudentClient) => ({ authorization: `Bearer ${token}` });
const calls = {
  score: ({ token, pupil }: World): Call => ({
    ...{ method: 'POST', url: '/api/v1/scores', headers: byToken(token) },
    body: { userId: pupil.id, scoreChange: 5 },
  }),
  student: ({ token, pupil }: World): Call => ({
    ...{ method: 'PATCH', url: `/api/v1/students/${pupil.id}`, headers: byToken(token) },
    body: { actualName: 'Renamed too late' },
  }),
  webhook: ({ token }: World): Call => ({
    ...{ method: 'POST', url: '/api/v1/webhooks', headers: byToken(token) },
    body: { url: 'https://receiver.example/', events: ['student.created'] },
  }),
  point: ({ teacher, school, pupil }: World): Call => ({
    ...{ method: 'POST', url: '/api/scores/add', headers: { cookie: teacher.cookie } },
    body: { schoolDb: school.schoolDb, userId: pupil.id, scoreChange: 5 },
  }),
  'own password': ({ student }: World): Call => ({
    ...{ method: 'PATCH', url: '/api/auth/student/me', headers: byToken(student) },
    body: { oldPassword: studentPassword, newPassword: 'a password for later' },
  }),
};

describe('Call whose body arrives late', () => {
  const revoke = ({ token }: World) => admin.delete(`/api-tokens/${token.id}`, withPassword);
  const changeToken = (body: object) => (w: World) => admin.patch(`/api-tokens/${w.token.id}`, body);
  const changeTeacher = (body: object) => (w: World) => admin.patch(`/admin/manage/${w.teacher.id}`, body);
  const disablePupil = ({ pupil, school: { schoolDb } }: World) =>
    admin.patch(`/users/${pupil.id}`, { schoolDb, disabled: true });

  it.each<[keyof typeof calls, string, (world: World) => Promise<{ status: number }>, object]>([
    ['score', 'credential revoked', revoke, { status: 401, code: 40103 }],
    ['score', 'permission taken away', changeToken({ scopes: ['scores:read'] }), { code: 40302 }],
    [
      'score',
      'school disabled',
      ({ school }) => admin.patch(`/schools/${school.id}`, { disabled: 1 }),
      { status: 403, code: 40301 },
    ],
    ['student', 'credential disabled', changeToken({ disabled: true }), { status: 401, code: 40103 }],
    ['webhook', 'credential revoked', revoke, { status: 401, code: 40103 }],
    ['point', 'teacher signed out', ({ teacher }) => teacher.post('/auth/logout'), { status: 401 }],
    ['point', 'teacher disabled', changeTeacher({ disabled: true }), { status: 401 }],
    [
      'point',
      'teacher moved to another class',
      (world) => changeTeacher({ classId: world.other.id })(world),
      { status: 403 },
    ],
    ['own password', 'student disabled', disablePupil, { status: 401 }],
  ])(
    'a call whose body arrives late is rejected after this change before the body: %s, %s',
    async (call, what, meanwhile, refused) => {
      const world = await openWorld(what.includes('school') ? await createSampleSchool(admin, what) : shared);
      expect(await answerAfter(() => meanwhile(world), calls[call](world))).toMatchObject(refused);
      const { data } = await admin.get(`/users/${world.pupil.id}?schoolDb=${world.school.schoolDb}`);
      expect(data).toMatchObject({ totalScore: 0 });
      expect(data).not.toMatchObject({ actualName: 'Renamed too late' });
    },
  );

  it('a call whose body arrives late succeeds when nothing changed before the body', async () => {
    const world = await openWorld();
    for (const callOf of Object.values(calls)) {
      const nothing = () => admin.get('/auth/me');
      expect(await answerAfter(nothing, callOf(world))).toMatchObject({ status: 200 });
    }
  });

  it('a call over a real connection gets 401 when its credential is revoked before the body arrives', async () => {
    const { token, pupil, school } = await openWorld();
    const url = `${await test.listen()}/api/v1/scores`;
    const remaining = async () => Number((await token.get('/ping')).headers['x-ratelimit-remaining']);
    const before = await remaining();
    const { promise: body, resolve: sendBody } = Promise.withResolvers<string>();
    const call = fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...byToken(token) },
      body: Readable.toWeb(
        Readable.from(
          (async function* parts() {
            yield '{"use';
            yield await body;
          })(),
        ),
      ) as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    let asked = 0;
    await eventually('the server counts the call', async () => (await remaining()) < before - ++asked);
    await admin.delete(`/api-tokens/${token.id}`, withPassword);
    sendBody(`rId":${pupil.id},"scoreChange":5}`);
    expect((await call).status).toBe(401);
    const { data } = await admin.get(`/users/${pupil.id}?schoolDb=${school.schoolDb}`);
    expect(data).toMatchObject({ totalScore: 0 });
  });
});
