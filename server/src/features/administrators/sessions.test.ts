import { describe, expect, it } from 'vitest';
import { createAdmin, setCookieOf } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';
import { startTestApp } from '../../../test/test-app.ts';

const minutes = 60_000;
const hours = 60 * minutes;

const world = await StaffedSchools.open({ TRUST_PROXY: 'true' });
const { test, school } = world;
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

describe('/auth/sessions', () => {
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
});

describe('Sign-in', () => {
  it('a sign-in ends only the session of the browser’s cookie, even another person’s', async () => {
    const own = await world.teacher();
    const elsewhere = await test.signIn(own.username, own.password);
    const colleague = await world.teacher();
    const answer = await signIn(colleague, { cookie: own.cookie });
    expect(answer.status).toBe(200);
    expect([await readStatusOf(own), await readStatusOf(elsewhere)]).toEqual([401, 200]);
    expect(await readMeWithCookie(sessionCookieIn(answer.headers).header)).toBe(200);
  });

  it('a failed sign-in keeps the session of the browser’s cookie', async () => {
    const own = await world.teacher();
    const typed = { username: own.username, password: 'a guess' };
    expect((await signIn(typed, { cookie: own.cookie })).status).toBe(401);
    expect(await readStatusOf(own)).toBe(200);
  });

  it('a sign-in on a shared computer lasts 30 minutes without use, with a session cookie', async () => {
    const own = await world.teacher();
    const cookie = sessionCookieIn((await signIn(own, {}, { sharedComputer: true })).headers);
    expect(cookie.attributes).not.toHaveProperty('max-age');
    expect(sessionCookieIn((await signIn(own)).headers).attributes).toHaveProperty('max-age');
    test.clock.advance(30 * minutes);
    expect(await readMeWithCookie(cookie.header)).toBe(200);
    test.clock.advance(30 * minutes);
    expect(await readMeWithCookie(cookie.header)).toBe(200);
    test.clock.advance(30 * minutes + 1);
    expect(await readMeWithCookie(cookie.header)).toBe(401);
  });
});

describe('Session cookie', () => {
  const https = { 'x-forwarded-proto': 'https' };

  it('the session cookie is __Host-classledger_session over https, and a plain cookie beside it is ignored', async () => {
    const own = await world.teacher();
    const secure = sessionCookieIn((await signIn(own, https)).headers);
    expect(secure.name).toBe('__Host-classledger_session');
    // Browsers require these attributes for a cookie with that prefix.
    expect(secure.attributes).toMatchObject({ path: '/', secure: '', httponly: '', samesite: 'Lax' });
    expect(secure.attributes).not.toHaveProperty('domain');
    const plain = `classledger_session=${secure.value}`;
    expect([await readMeWithCookie(secure.header, https), await readMeWithCookie(plain, https)]).toEqual([
      200, 401,
    ]);
    // A page of another host can set a plain cookie; the server ignores that cookie beside the right one.
    const planted = `classledger_session=planted; ${secure.header}`;
    expect(await readMeWithCookie(planted, https)).toBe(200);
  });

  it('the session cookie is classledger_session over http', async () => {
    const own = await world.teacher();
    const plain = sessionCookieIn((await signIn(own)).headers);
    expect(plain.name).toBe('classledger_session');
    expect(plain.attributes).not.toHaveProperty('secure');
    const bound = `__Host-classledger_session=${plain.value}`;
    expect([await readMeWithCookie(plain.header), await readMeWithCookie(bound)]).toEqual([200, 401]);
  });

  it('logout clears the session cookie under the name that the sign-in used', async () => {
    const own = await world.teacher();
    const secure = sessionCookieIn((await signIn(own, https)).headers);
    const out = await internal.post('/auth/logout', undefined, { cookie: secure.header, ...https });
    expect(sessionCookieIn(out.headers)).toMatchObject({ name: '__Host-classledger_session', value: '' });
    expect(sessionCookieIn(out.headers).attributes).toHaveProperty('secure');
  });
});

/** Creates a school with one administrator. */
async function newMember(username: string) {
  const chief = await test.signIn();
  const { id: schoolId } = await chief.created<{ id: number }>('/schools', { name: `School ${username}` });
  return createAdmin(test, { username, role: 'school_admin', schoolId });
}

describe('Session of an administrator', () => {
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

  it('ends after 12 hours without use', async () => {
    const session = await test.signIn();
    test.clock.advance(12 * hours);
    expect(await readStatusOf(session)).toBe(200);
    test.clock.advance(12 * hours + 1);
    expect(await readStatusOf(session)).toBe(401);
  });

  it('lasts at most 7 days with use, and is then deleted from the database', async () => {
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

  it('counts the 12 hours from the last use, to the minute', async () => {
    const session = await test.signIn();
    for (let use = 0; use < 10; use++) {
      test.clock.advance(20_000);
      expect(await readStatusOf(session)).toBe(200);
    }
    test.clock.advance(12 * hours - minutes);
    expect(await readStatusOf(session)).toBe(200);
  });

  it.each([
    ['disables the administrator', 'UPDATE admin SET disabled = true WHERE id = $1'],
    ['deletes the administrator', 'DELETE FROM admin WHERE id = $1'],
    [
      'disables the school',
      'UPDATE school SET disabled = true WHERE id = (SELECT school_id FROM admin WHERE id = $1)',
    ],
  ])('ends at once when a change in the database %s', async (what, statement) => {
    const member = await newMember(`whom somebody ${what}`);
    await test.database.pool.query(statement, [member.id]);
    expect(await readStatusOf(member)).toBe(401);
  });

  it('disabling a school ends its administrators’ sessions, and enabling does not restore them', async () => {
    const office = await test.signIn();
    const [member, elsewhere] = [await newMember('of a closed school'), await newMember('elsewhere')];
    const { schoolId } = (await member.get('/auth/me')).data as { schoolId: number };
    for (const disabled of [1, 0]) {
      await office.patch(`/schools/${schoolId}`, { disabled });
      expect(await readStatusOf(member)).toBe(401);
    }
    for (const other of [office, elsewhere]) expect(await readStatusOf(other)).toBe(200);
    await test.signIn(member.username, member.password);
  });
});

describe('Own password of an administrator', () => {
  const change = (admin: AdminClient, oldPassword: unknown, newPassword: unknown, rules = {}) =>
    admin.patch('/auth/me', { oldPassword, newPassword, ...rules });

  it('changing the own password ends all other sessions of the administrator', async () => {
    const admin = await createAdmin(test, { username: 'everywhere', role: 'super_admin', schoolId: null });
    const again = () => test.signIn('everywhere', admin.password);
    const others = [await again(), await again()];
    const somebody = await test.signIn();
    expect((await change(admin, admin.password, 'another password')).status).toBe(200);
    for (const other of others) expect(await readStatusOf(other)).toBe(401);
    expect(await readStatusOf(admin)).toBe(200);
    expect(await readStatusOf(somebody)).toBe(200);
  });

  it.each([
    ['5 characters', false, 'tq7nv', 400],
    ['6 characters', false, 'tq7nvb', 200],
    ['the username', false, 'admin: the username', 400],
    ['the old password', false, 'password of admin: the old password', 400],
    ['7 characters', true, 'tq7nvb3', 400],
    ['128 characters outside the basic plane', true, '😀🦊'.repeat(64), 200],
    ['a common word in a strict call', true, 'password1', 400],
  ])(
    'an own password of %s with strict: %s gets the expected status',
    async (what, strict, newPassword, status) => {
      const username = `admin: ${what}`;
      const admin = await createAdmin(test, { username, role: 'super_admin', schoolId: null });
      expect((await change(admin, admin.password, newPassword, strict ? { strict } : {})).status).toBe(
        status,
      );
      const password = status === 200 ? newPassword : admin.password;
      expect(await readStatusOf(await test.signIn(username, password))).toBe(200);
    },
  );

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
});
