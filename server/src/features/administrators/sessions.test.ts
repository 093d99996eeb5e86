import type { Session } from '@classledger/contract';
import { expect, it } from 'vitest';
import { openStaffWorld, type Staff, setCookieOf } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { startTestApp } from '../../../test/test-app.ts';

const minutes = 60_000;
const hours = 60 * minutes;

const world = await openStaffWorld({ TRUST_PROXY: 'true' });
const { test, school, staff, chief } = world;
const { internal } = test.anonymous;

const readStatusOf = async (who: AdminClient) => (await who.get('/auth/me')).status;
const signIn = (
  { username, password }: { username: string; password: string },
  headers: Record<string, string> = {},
  more: object = {},
) => internal.post('/auth/login', { username, password, ...more }, headers);
const sessionCookieIn = (headers: Record<string, unknown>) => {
  const cookie = setCookieOf({ 'set-cookie': [headers['set-cookie']].flat()[0] });
  return { ...cookie, header: `${cookie?.name}=${cookie?.value}` };
};
const readMeWithCookie = async (cookie: string, headers: Record<string, string> = {}) =>
  (await internal.get('/auth/me', { cookie, ...headers })).status;

it('a sign-in and GET /auth/me return role, school, class, and the present grade of the class', async () => {
  const [from, to] = school.grades;
  const nowhere = { schoolId: null, gradeId: null, classId: null };
  const place = { schoolId: school.id, gradeId: from.id, classId: from.classes[0].id };
  const expectIdentity = async (own: Staff, role: string, affiliation: object) => {
    const identity = { id: own.id, username: own.username, role, ...affiliation };
    const rest = { name: null, taughtClassIds: [], mustChangePassword: false, mustSetUpFactor: false };
    const shown = { ...identity, ...rest };
    const answer = await signIn(own);
    expect(answer).toMatchObject({ status: 200, success: true, message: 'ok' });
    for (const { data } of [answer, await own.get('/auth/me')]) expect(data).toEqual(shown);
  };
  await expectIdentity(chief, 'super_admin', nowhere);
  await expectIdentity(staff.ofSchool, 'school_admin', { ...nowhere, schoolId: school.id });
  await expectIdentity(staff.ofGrade, 'grade_admin', { ...place, classId: null });
  await expectIdentity(staff.ofClass, 'class_admin', place);
  const moved = { schoolDb: school.schoolDb, gradeId: to.id, name: 'Moved class' };
  expect((await chief.patch(`/classes/${place.classId}`, moved)).status).toBe(200);
  await expectIdentity(staff.ofClass, 'class_admin', { ...place, gradeId: to.id });
});

it.each([
  ['12 hours', 12 * hours, false],
  ['30 minutes on a shared computer, with a session cookie,', 30 * minutes, true],
] as const)(
  'a session lasts %s after its last use, to the minute',
  async (_what, unusedMs, sharedComputer) => {
    const answer = await signIn(await world.teacher(), {}, { sharedComputer });
    const { header, attributes } = sessionCookieIn(answer.headers);
    expect('max-age' in (attributes ?? {})).toBe(!sharedComputer);
    const statusAfter = (ms: number) => {
      test.clock.advance(ms);
      return readMeWithCookie(header);
    };
    for (let use = 0; use < 10; use++) expect(await statusAfter(20_000)).toBe(200);
    expect(await statusAfter(unusedMs - minutes)).toBe(200);
    expect(await statusAfter(unusedMs)).toBe(200);
    expect(await statusAfter(unusedMs + 1)).toBe(401);
  },
);

it('the session cookie is classledger_session over http, HttpOnly and SameSite=Lax, and is cleared when its session is ended', async () => {
  const { headers, data } = await signIn(await world.teacher());
  const { header, ...plain } = sessionCookieIn(headers);
  expect(plain).toEqual({
    name: 'classledger_session',
    value: expect.stringMatching(/^[\w-]{40,}$/),
    attributes: { path: '/', httponly: '', samesite: 'Lax', 'max-age': String(7 * 24 * 3600) },
  });
  const { value = '' } = plain;
  const bound = `__Host-classledger_session=${value}`;
  expect([await readMeWithCookie(header), await readMeWithCookie(bound)]).toEqual([200, 401]);
  expect(JSON.stringify(data)).not.toContain(value);
  const { data: sessions } = await internal.get('/auth/sessions', { cookie: header });
  const current = (sessions as Session[]).find((one) => one.current);
  const ended = await internal.delete(`/auth/sessions/${current?.id}`, { cookie: header });
  expect(sessionCookieIn(ended.headers)).toMatchObject({ name: 'classledger_session', value: '' });
});

it('the session cookie is __Host-classledger_session over https until logout, and a plain cookie beside it is ignored', async () => {
  const https = { 'x-forwarded-proto': 'https' };
  const secure = sessionCookieIn((await signIn(await world.teacher(), https)).headers);
  expect(secure.name).toBe('__Host-classledger_session');
  // Browsers require these attributes for a cookie with that prefix.
  expect(secure.attributes).toMatchObject({ path: '/', secure: '', httponly: '', samesite: 'Lax' });
  expect(secure.attributes).not.toHaveProperty('domain');
  expect(await readMeWithCookie(secure.header, https)).toBe(200);
  expect(await readMeWithCookie(`classledger_session=${secure.value}`, https)).toBe(401);
  // A page of another host can set a plain cookie; the server ignores that cookie beside the right one.
  expect(await readMeWithCookie(`classledger_session=planted; ${secure.header}`, https)).toBe(200);
  const out = await internal.post('/auth/logout', undefined, { cookie: secure.header, ...https });
  expect(sessionCookieIn(out.headers)).toMatchObject({
    name: '__Host-classledger_session',
    value: '',
    attributes: { secure: '' },
  });
});

it('a session lasts at most 7 days with use, and is then deleted from the database', async () => {
  const session = await test.signIn();
  for (let passed = 0; passed < 7 * 24; passed += 8) {
    expect(await readStatusOf(session)).toBe(200);
    test.clock.advance(8 * hours);
  }
  expect(await readStatusOf(session)).toBe(200);
  test.clock.advance(1);
  expect(await readStatusOf(session)).toBe(401);
  const kept = await test.signIn();
  await test.app.housekeep();
  expect(await test.rows('SELECT 1 FROM admin_session')).toHaveLength(1);
  expect(await readStatusOf(kept)).toBe(200);
});

it.each([
  ['disables the administrator', 'UPDATE admin SET disabled = true WHERE id = $1'],
  ['deletes the administrator', 'DELETE FROM admin WHERE id = $1'],
  [
    'disables the school',
    'UPDATE school SET disabled = true WHERE id = (SELECT school_id FROM admin WHERE id = $1)',
  ],
])('a session ends at once when a change in the database %s', async (_what, statement) => {
  const member = await world.member('school_admin', {}, world.other.id);
  await test.database.pool.query(statement, [member.id]);
  expect(await readStatusOf(member)).toBe(401);
});

it('with PASSWORD_RULES=strict, every password change follows the strict rules', async () => {
  const strict = await startTestApp({ PASSWORD_RULES: 'strict' }, { shareDatabaseWith: test });
  const { username, password } = await world.member('super_admin');
  const admin = await strict.signIn(username, password);
  const change = (newPassword: string, rules = {}) =>
    admin.patch('/auth/me', { oldPassword: password, newPassword, ...rules });
  for (const rules of [{}, { strict: false }]) {
    expect(await change('password1', rules)).toMatchObject({ status: 400, reason: 'passwordCommon' });
    expect(await change('tq7nvb3', rules)).toMatchObject({
      ...{ status: 400, message: 'newPassword must have 8 to 128 characters' },
    });
  }
  expect((await change('tq7nvb3k')).status).toBe(200);
});
