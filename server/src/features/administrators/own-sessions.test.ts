import { describe, expect, it } from 'vitest';
import { setCookieOf } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';

const minutes = 60_000;
const hours = 60 * minutes;

const world = await StaffedSchools.open({ TRUST_PROXY: 'true' });
const { test } = world;
const { internal } = test.anonymous;

type Listed = {
  id: number;
  current: boolean;
  ip: string;
  userAgent: string;
  shared: boolean;
  lastUsedAt: string;
}[];
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
    expect(list).toEqual([
      {
        ...shared,
        current: true,
        shared: false,
        ip: '127.0.0.1',
        userAgent: 'lightMyRequest',
        lastUsedAt: now,
      },
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
    const others = [
      await test.signIn(own.username, own.password),
      await test.signIn(own.username, own.password),
    ];
    expect((await own.delete('/auth/sessions')).data).toEqual({ ended: 2 });
    expect((await own.delete('/auth/sessions')).data).toEqual({ ended: 0 });
    expect(await Promise.all([own, ...others].map(readStatusOf))).toEqual([200, 401, 401]);
    const lines = (await own.get(`/admin/activity?adminId=${own.id}`)).data as { action: string }[];
    expect(lines.map(({ action }) => action)).toEqual([
      'otherSessionsEnded',
      'signedIn',
      'signedIn',
      'signedIn',
    ]);
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
    const ended = own.delete(`/auth/sessions/${id}`);
    await held.waitUntilWaiting(1);
    // This request updates the time of last use.
    const used = other.get('/auth/me');
    await held.waitUntilWaiting(2);
    await held.release();
    expect([(await ended).status, (await used).status]).toEqual([200, 200]);
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
