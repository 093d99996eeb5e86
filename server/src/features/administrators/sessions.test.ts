import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createAdmin, setCookieOf } from '../../../test/administrators.ts';
import { verifyCalls } from '../../../test/cheap-argon2.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';
import { startTestApp, superAdmin } from '../../../test/test-app.ts';

const minutes = 60_000;
const hours = 60 * minutes;

const world = await StaffedSchools.open({ TRUST_PROXY: 'true' });
const { test, school, staff, chief } = world;
const { internal } = test.anonymous;

type Listed = { id: number; current: boolean; shared: boolean }[];
const readSessions = async (who: AdminClient) => (await who.get('/auth/sessions')).data as Listed;
const readCurrentSession = async (who: AdminClient) =>
  (await readSessions(who)).find(({ current }) => current) as Listed[number];
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

it('GET /auth/sessions lists the own sessions by last use, with device, address and the current session', async () => {
  const own = await world.teacher();
  const phone = { 'user-agent': 'A phone', 'x-forwarded-for': '192.0.2.7' };
  const opened = sessionCookieIn((await signIn(own, phone, { sharedComputer: true })).headers);
  test.clock.advance(5 * minutes);
  const list = (await own.get('/auth/sessions')).data as Listed;
  const now = test.clock.now().toISOString();
  const earlier = new Date(test.clock.now().getTime() - 5 * minutes).toISOString();
  const shared = { openedWith: 'password', createdAt: earlier, id: expect.any(Number) };
  const here = { ip: '127.0.0.1', userAgent: 'lightMyRequest', lastUsedAt: now };
  expect(list).toEqual([
    { ...shared, current: true, shared: false, ...here },
    { ...shared, current: false, shared: true, ip: '192.0.2.7', userAgent: 'A phone', lastUsedAt: earlier },
  ]);
  const moved = { 'user-agent': 'A phone, newer', 'x-forwarded-for': '192.0.2.9' };
  expect(await readMeWithCookie(opened.header, moved)).toBe(200);
  expect((await readSessions(own)).find(({ shared }) => shared)).toMatchObject({
    ip: '192.0.2.9',
    userAgent: 'A phone, newer',
    lastUsedAt: now,
  });
});

it('GET /auth/sessions lists only usable sessions, with pages and a total', async () => {
  const own = await world.teacher();
  await signIn(own, {}, { sharedComputer: true });
  await test.signIn(own.username, own.password);
  expect(await readSessions(own)).toHaveLength(3);
  const page = await own.get('/auth/sessions?page=2&limit=1');
  expect([page.headers['x-total-count'], (page.data as Listed).length]).toEqual(['3', 1]);
  test.clock.advance(30 * minutes + 1);
  expect((await readSessions(own)).map(({ shared }) => shared)).toEqual([false, false]);
  test.clock.advance(12 * hours);
  expect(await readSessions(own)).toHaveLength(1);
});

it('an administrator ends a single session, and ending the current session clears the cookie', async () => {
  const own = await world.teacher();
  const other = await test.signIn(own.username, own.password);
  const { id } = await readCurrentSession(other);
  expect(await own.delete(`/auth/sessions/${id}`)).toMatchObject({ status: 200, data: { id } });
  expect([await readStatusOf(other), await readStatusOf(own)]).toEqual([401, 200]);
  expect((await own.delete(`/auth/sessions/${id}`)).status).toBe(404);
  const mine = await own.delete(`/auth/sessions/${(await readCurrentSession(own)).id}`);
  expect(sessionCookieIn(mine.headers)).toMatchObject({ name: 'classledger_session', value: '' });
  expect(await readStatusOf(own)).toBe(401);
});

it('an administrator ends all own sessions except the current session', async () => {
  const own = await world.teacher();
  const again = () => test.signIn(own.username, own.password);
  const others = [await again(), await again()];
  expect((await own.delete('/auth/sessions')).data).toEqual({ ended: 2 });
  expect((await own.delete('/auth/sessions')).data).toEqual({ ended: 0 });
  expect(await Promise.all([own, ...others].map(readStatusOf))).toEqual([200, 401, 401]);
  const lines = (await own.get(`/admin/activity?adminId=${own.id}`)).data as { action: string }[];
  const signedIn = ['signedIn', 'signedIn', 'signedIn'];
  expect(lines.map(({ action }) => action)).toEqual(['otherSessionsEnded', ...signedIn]);
});

it('an administrator neither sees nor ends sessions of another person, even of lower roles', async () => {
  const own = await world.teacher();
  const { id } = await readCurrentSession(own);
  for (const role of ['super_admin', 'school_admin', 'class_admin'] as const) {
    const other = await world.member(role);
    expect((await readSessions(other)).map((one) => one.id)).not.toContain(id);
    expect((await other.delete(`/auth/sessions/${id}`)).status).toBe(404);
  }
  const { schoolDb } = world.school;
  const student = await test.signInStudent(schoolDb, world.places.first.students[0]?.username as string);
  await student.delete(`/auth/student/sessions/${id}`);
  expect(await readStatusOf(own)).toBe(200);
});

it('a session that is used while it is being ended stays ended', async () => {
  const own = await world.teacher();
  const other = await test.signIn(own.username, own.password);
  const { id } = await readCurrentSession(other);
  test.clock.advance(2 * minutes);
  const [first] = await readSessions(own);
  const row = 'SELECT 1 FROM admin_session WHERE id = $1 FOR UPDATE';
  const held = await LockedRows.selectedBy(test, row, [id]);
  const [ended, used] = await held.startInOrder(
    () => own.delete(`/auth/sessions/${id}`),
    // This request updates the time of last use.
    () => other.get('/auth/me'),
  );
  expect([ended.status, used.status]).toEqual([200, 200]);
  expect(await readStatusOf(other)).toBe(401);
  expect(await readSessions(own)).toMatchObject([{ id: first?.id, current: true }]);
});

it('a sign-in returns role, school, grade and class', async () => {
  const [grade] = school.grades;
  const nowhere = { schoolId: null, gradeId: null, classId: null };
  const place = { schoolId: school.id, gradeId: grade.id, classId: grade.classes[0].id };
  for (const [{ username, password }, role, affiliation] of [
    [superAdmin, 'super_admin', nowhere],
    [staff.ofSchool, 'school_admin', { ...nowhere, schoolId: school.id }],
    [staff.ofGrade, 'grade_admin', { ...place, classId: null }],
    [staff.ofClass, 'class_admin', place],
  ] as const) {
    const identity = { id: expect.any(Number), username, role, ...affiliation };
    const answer = await signIn({ username, password });
    expect(answer).toMatchObject({ status: 200, success: true, message: 'ok' });
    expect(answer.data).toEqual({ ...identity, mustChangePassword: false, mustSetUpFactor: false });
  }
});

it('a sign-in trims the username, compares it case-sensitively, and takes the password exactly as sent', async () => {
  const password = ' inner outer ';
  await createAdmin(test, { username: 'Spacious', role: 'super_admin', schoolId: null, password });
  expect((await signIn({ username: '  Spacious\t', password })).status).toBe(200);
  expect((await signIn({ username: 'Spacious', password: 'inner outer' })).status).toBe(401);
  expect((await signIn({ username: 'spacious', password })).status).toBe(401);
});

it('a sign-in gives the same answer for unknown user, wrong password, disabled administrator and disabled school', async () => {
  const admin = await test.signIn();
  const closed = await admin.created<{ id: number }>('/schools', { name: 'Closed School' });
  const head = await world.member('school_admin', {}, closed.id);
  const leaver = await world.member('super_admin');
  await admin.patch(`/schools/${closed.id}`, { disabled: 1 });
  await admin.patch(`/admin/manage/${leaver.id}`, { disabled: true });
  for (const person of [
    { username: 'nobody', password: superAdmin.password },
    { username: superAdmin.username, password: 'not the password' },
    leaver,
    head,
    { username: 'x'.repeat(500), password: '' },
    { username: 'nul\0 and \ud800', password: 'any password' },
  ]) {
    const { status, headers, ...body } = await signIn(person);
    const requestId = headers['x-request-id'];
    const wrong = { success: false, data: null, message: 'Wrong username or password', requestId };
    expect([status, body]).toEqual([401, wrong]);
    expect(headers).not.toHaveProperty('set-cookie');
  }
});

it('a sign-in verifies one password for an unknown user too, so both answers take equally long', async () => {
  for (const username of [chief.username, 'unknown', chief.username, 'unknown']) {
    const before = verifyCalls.count;
    expect((await signIn({ username, password: 'a wrong password' })).status).toBe(401);
    expect(verifyCalls.count - before, username).toBe(1);
  }
});

it.each(['a known administrator', 'an unknown name'])(
  '10 failed sign-ins of %s from one forwarded address lead to 429 there, even with the right password',
  async (who) => {
    const own = who === 'a known administrator' ? await world.teacher() : null;
    const { username, password } = own ?? { username: 'nobody at all', password: 'any password' };
    const from = (address: string, typed: string) =>
      signIn({ username, password: typed }, { 'x-forwarded-for': address });
    const failures = await Promise.all(
      Array.from({ length: 10 }, () => from('192.0.2.1', 'a wrong password')),
    );
    expect(failures.map(({ status }) => status)).toEqual(Array(10).fill(401));
    const refused = await from('192.0.2.1', password);
    expect(refused).toMatchObject({ status: 429, data: null, message: expect.stringContaining('900 s') });
    expect(refused.headers).toMatchObject({ 'retry-after': '900' });
    expect(refused.headers).not.toHaveProperty('set-cookie');
    expect((await from('192.0.2.2', password)).status).toBe(own ? 200 : 401);
    expect((await signIn(superAdmin, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200);
  },
);

it('a sign-in ends only the session of the browser’s cookie, even another person’s; a failed one ends none', async () => {
  const own = await world.teacher();
  const elsewhere = await test.signIn(own.username, own.password);
  const colleague = await world.teacher();
  const failed = await signIn({ ...colleague, password: 'a guess' }, { cookie: own.cookie });
  expect([failed.status, await readStatusOf(own)]).toEqual([401, 200]);
  const answer = await signIn(colleague, { cookie: own.cookie });
  expect(answer.status).toBe(200);
  expect([await readStatusOf(own), await readStatusOf(elsewhere)]).toEqual([401, 200]);
  expect(await readMeWithCookie(sessionCookieIn(answer.headers).header)).toBe(200);
});

it('a sign-in on a shared computer lasts 30 minutes without use, with a session cookie', async () => {
  const own = await world.teacher();
  const cookie = sessionCookieIn((await signIn(own, {}, { sharedComputer: true })).headers);
  expect(cookie.attributes).not.toHaveProperty('max-age');
  for (const [passed, status] of [
    [30 * minutes, 200],
    [30 * minutes, 200],
    [30 * minutes + 1, 401],
  ] as const) {
    test.clock.advance(passed);
    expect(await readMeWithCookie(cookie.header)).toBe(status);
  }
});

it('the session cookie is classledger_session over http, HttpOnly and SameSite=Lax; the server stores only its hash', async () => {
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
  const { rows } = await test.database.pool.query('SELECT s::text AS row, token_hash FROM admin_session s');
  expect(rows.map((row) => row.row).join()).not.toContain(value);
  const hash = createHash('sha256').update(value).digest();
  expect(rows.some((row) => row.token_hash.equals(hash))).toBe(true);
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

it('GET /auth/me returns the administrator, with the present grade of the class', async () => {
  const own = await world.teacher();
  const [from, to] = school.grades;
  const me = {
    ...{ id: own.id, username: own.username, role: 'class_admin', schoolId: school.id },
    ...{ classId: from.classes[0].id, mustChangePassword: false, mustSetUpFactor: false },
  };
  expect((await own.get('/auth/me')).data).toEqual({ ...me, gradeId: from.id });
  const office = await (await test.signIn()).issue(school.schoolDb);
  const moved = { gradeId: to.id, name: 'Moved class' };
  expect((await office.patch(`/classes/${from.classes[0].id}`, moved)).code).toBe(0);
  expect((await own.get('/auth/me')).data).toEqual({ ...me, gradeId: to.id });
  expect((await signIn(own)).data).toMatchObject({ gradeId: to.id, classId: me.classId });
});

it('a session ends 12 hours after its last use, to the minute', async () => {
  const [unused, used] = [await test.signIn(), await test.signIn()];
  for (let use = 0; use < 10; use++) {
    test.clock.advance(20_000);
    expect(await readStatusOf(used)).toBe(200);
  }
  test.clock.advance(12 * hours - 200_000);
  expect(await readStatusOf(unused)).toBe(200);
  test.clock.advance(200_000 - minutes);
  expect(await readStatusOf(used)).toBe(200);
  test.clock.advance(12 * hours + 1);
  expect([await readStatusOf(used), await readStatusOf(unused)]).toEqual([401, 401]);
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
  const { rows } = await test.database.pool.query('SELECT 1 FROM admin_session');
  expect(rows).toHaveLength(1);
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

const change = (admin: AdminClient, oldPassword: unknown, newPassword: unknown, rules = {}) =>
  admin.patch('/auth/me', { oldPassword, newPassword, ...rules });

it('changing the own password ends all other sessions of the administrator', async () => {
  const admin = await world.member('super_admin');
  const again = () => test.signIn(admin.username, admin.password);
  const sessions = [admin, await again(), await again(), await test.signIn()];
  expect((await change(admin, admin.password, 'another password')).status).toBe(200);
  expect(await Promise.all(sessions.map(readStatusOf))).toEqual([200, 401, 401, 200]);
});

it.each<[string, object, (own: { username: string; password: string }) => string, number]>([
  ['5 characters', {}, () => 'tq7nv', 400],
  ['6 characters', {}, () => 'tq7nvb', 200],
  ['the username', {}, ({ username }) => username, 400],
  ['the old password', {}, ({ password }) => password, 400],
  ['7 characters', { strict: true }, () => 'tq7nvb3', 400],
  ['128 characters outside the basic plane', { strict: true }, () => '😀🦊'.repeat(64), 200],
  ['a common word', { strict: true }, () => 'password1', 400],
])('an own password of %s with the rules %j gets the expected status', async (_, rules, choose, status) => {
  const own = await world.member('super_admin');
  const chosen = choose(own);
  expect((await change(own, own.password, chosen, rules)).status).toBe(status);
  await test.signIn(own.username, status === 200 ? chosen : own.password);
});

it('with PASSWORD_RULES=strict, every password change follows the strict rules', async () => {
  const strict = await startTestApp({ PASSWORD_RULES: 'strict' }, { shareDatabaseWith: test });
  const { username, password } = await world.member('super_admin');
  const admin = await strict.signIn(username, password);
  for (const rules of [{}, { strict: false }]) {
    expect(await change(admin, password, 'password1', rules)).toMatchObject({
      status: 400,
      reason: 'passwordCommon',
    });
    expect(await change(admin, password, 'tq7nvb3', rules)).toMatchObject({
      status: 400,
      message: 'newPassword must have 8 to 128 characters',
    });
  }
  expect((await change(admin, password, 'tq7nvb3k')).status).toBe(200);
});
