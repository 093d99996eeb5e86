import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { type StudentClient, studentClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { studentPassword } from '../../../test/test-app.ts';

const minutes = 60_000;
const hours = 60 * minutes;

const { test, school, admin } = await openStaffedSchool({ TRUST_PROXY: 'true' });
const { schoolDb } = school;
const { internal } = test.anonymous;

let made = 0;
async function newStudent(): Promise<{ id: number; username: string }> {
  const body = { schoolDb, username: `own ${++made}`, password: studentPassword };
  return admin.created('/users', { ...body, classId: school.grades[0].classes[0].id });
}

async function signIn(username: string, more: object = {}, headers: Record<string, string> = {}) {
  const body = { schoolDb, username, password: studentPassword, ...more };
  const { status, data } = await internal.post('/auth/student/login', body, headers);
  expect(status).toBe(200);
  const { id, token } = data as { id: number; token: string };
  return studentClient(test.app.http, token, id);
}

type Listed = { id: number; current: boolean; lastUsedAt: string }[];
const sessionsOf = async (who: StudentClient) => (await who.get('/auth/student/sessions')).data as Listed;
const stateOf = async (who: StudentClient) => (await who.get('/auth/student/me')).status;
const kindsOf = async (who: StudentClient) =>
  ((await who.get('/auth/student/events')).data as { kind: string }[]).map(({ kind }) => kind);

describe('/auth/student/sessions', () => {
  it('a student’s sessions are listed by last use, which is updated every ten minutes with address and device', async () => {
    const { username } = await newStudent();
    const at = () => test.clock.now().toISOString();
    const openedAt = at();
    const first = await signIn(username, {}, { 'user-agent': 'A tablet', 'x-forwarded-for': '192.0.2.7' });
    const second = await signIn(username, { sharedComputer: true }, { 'user-agent': 'A PC' });
    const moved = { 'user-agent': 'A tablet, newer', 'x-forwarded-for': '192.0.2.9' };
    test.clock.advance(10 * minutes);
    await first.get('/auth/student/me', moved);
    const opened = { id: expect.any(Number), openedWith: 'password', createdAt: openedAt };
    const tablet = { ...opened, shared: false, current: false, ip: '192.0.2.7', userAgent: 'A tablet' };
    const pc = { ...opened, shared: true, current: true, ip: '127.0.0.1', userAgent: 'A PC' };
    expect(await sessionsOf(second)).toEqual([
      { ...pc, lastUsedAt: openedAt },
      { ...tablet, lastUsedAt: openedAt },
    ]);
    test.clock.advance(1);
    await first.get('/auth/student/me', moved);
    const newer = { ip: '192.0.2.9', userAgent: 'A tablet, newer', current: true, lastUsedAt: at() };
    expect(await sessionsOf(first)).toEqual([
      { ...tablet, ...newer },
      { ...pc, current: false, lastUsedAt: openedAt },
    ]);
  });

  it('a student can end one of their own sessions, or all except the current one, but no session of another student', async () => {
    const { username } = await newStudent();
    const [first, second, third] = [await signIn(username), await signIn(username), await signIn(username)];
    const { id } = (await sessionsOf(first)).find(({ current }) => current) as Listed[number];
    const mate = await signIn((await newStudent()).username);
    expect((await mate.delete(`/auth/student/sessions/${id}`)).status).toBe(404);
    expect((await second.delete(`/auth/student/sessions/${id}`)).data).toEqual({ id });
    expect((await second.delete(`/auth/student/sessions/${id}`)).status).toBe(404);
    expect(await Promise.all([first, second, third].map(stateOf))).toEqual([401, 200, 200]);
    expect((await second.delete('/auth/student/sessions')).data).toEqual({ ended: 1 });
    expect(await Promise.all([second, third, mate].map(stateOf))).toEqual([200, 401, 200]);
    expect(await kindsOf(second)).toEqual([
      'otherSessionsEnded',
      'sessionEnded',
      'signedIn',
      'signedIn',
      'signedIn',
    ]);
  });

  it('a student’s session that is used while it is being ended stays ended', async () => {
    const { id, username } = await newStudent();
    const [own, other] = [await signIn(username), await signIn(username)];
    test.clock.advance(11 * minutes);
    const [first] = await sessionsOf(own);
    const held = await LockedRows.inTable(test, 'student_session', id, 'student_id');
    const ended = own.delete('/auth/student/sessions');
    await held.waitUntilWaiting(1);
    // This request records the use of its session.
    const used = other.get('/auth/student/me');
    await held.waitUntilWaiting(2);
    await held.release();
    expect([(await ended).status, (await used).status]).toEqual([200, 200]);
    expect(await stateOf(other)).toBe(401);
    expect(await sessionsOf(own)).toMatchObject([{ id: first?.id }]);
  });
});

describe('Student sign-in', () => {
  it('signing in on a shared computer gives a student a token for 8 hours, used or unused', async () => {
    const { username } = await newStudent();
    const [shared, own] = [await signIn(username, { sharedComputer: true }), await signIn(username)];
    test.clock.advance(8 * hours);
    expect(await stateOf(shared)).toBe(200);
    test.clock.advance(1);
    expect([await stateOf(shared), await stateOf(own)]).toEqual([401, 200]);
    expect(await sessionsOf(own)).toHaveLength(1);
  });

  it('student sessions are removed 8 hours after a sign-in on a shared computer, and 30 days after others', async () => {
    const { id, username } = await newStudent();
    const kept = await signIn(username);
    await signIn(username, { sharedComputer: true });
    const old = (await sessionsOf(await signIn(username))).find(({ current }) => current);
    const { pool } = test.database;
    const earlier = "UPDATE student_session SET created_at = created_at - interval '30 days' WHERE id = $1";
    await pool.query(earlier, [old?.id]);
    test.clock.advance(8 * hours + 1);
    await test.app.housekeep();
    const { rows } = await pool.query('SELECT 1 FROM student_session WHERE student_id = $1', [id]);
    expect([rows.length, await stateOf(kept)]).toEqual([1, 200]);
  });

  it('a student’s sign-in ends the session whose token it sends, even another student’s, and no other session', async () => {
    const [one, two] = [await newStudent(), await newStudent()];
    const [former, elsewhere] = [await signIn(one.username), await signIn(one.username)];
    const next = await signIn(two.username, {}, { authorization: `Bearer ${former.token}` });
    expect(await Promise.all([former, elsewhere, next].map(stateOf))).toEqual([401, 200, 200]);
  });

  it.each(['Bearer nonsense', 'Bearer 1.AAAA', 'Basic eDp5', 'Bearer', `Bearer 999999.${'A'.repeat(43)}`])(
    'a student’s sign-in ignores an invalid token: %s',
    async (authorization) => {
      const { username } = await newStudent();
      expect(await stateOf(await signIn(username, {}, { authorization }))).toBe(200);
    },
  );

  it('a failed sign-in keeps the session of the token in the request', async () => {
    const { username } = await newStudent();
    const former = await signIn(username);
    const headers = { authorization: `Bearer ${former.token}` };
    const body = { schoolDb, username, password: 'a guess' };
    expect((await internal.post('/auth/student/login', body, headers)).status).toBe(401);
    expect(await stateOf(former)).toBe(200);
  });
});

describe('Events of a student’s own account', () => {
  it('a student sees the own events of the last 90 days, newest first, and no events of others', async () => {
    const [one, two] = [await newStudent(), await newStudent()];
    const own = await signIn(one.username);
    const mate = await signIn(two.username);
    const guess = { schoolDb, username: one.username, password: 'a guess' };
    const stranger = { 'user-agent': 'A stranger', 'x-forwarded-for': '192.0.2.66' };
    await internal.post('/auth/student/login', guess, stranger);
    const list = (await own.get('/auth/student/events')).data;
    const at = test.clock.now().toISOString();
    const event = { id: expect.any(Number), createdAt: at };
    expect(list).toEqual([
      { ...event, kind: 'signInFailed', ip: '192.0.2.66', userAgent: 'A stranger' },
      { ...event, kind: 'signedIn', ip: '127.0.0.1', userAgent: 'lightMyRequest' },
    ]);
    expect(await kindsOf(mate)).toEqual(['signedIn']);
    const page = await own.get('/auth/student/events?limit=1&page=2');
    expect([page.headers['x-total-count'], (page.data as object[]).length]).toEqual(['2', 1]);
  });

  it('the events of a student are deleted with the student', async () => {
    const { id, username } = await newStudent();
    await kindsOf(await signIn(username));
    expect((await admin.delete(`/users/${id}?schoolDb=${schoolDb}`)).status).toBe(200);
    const { rows } = await test.database.pool.query('SELECT 1 FROM student_event WHERE student_id = $1', [
      id,
    ]);
    expect(rows).toEqual([]);
  });

  it('a failed sign-in during the student’s deletion stores no event, and both requests finish', async () => {
    const { id, username } = await newStudent();
    const held = await LockedRows.ofStudent(test, id);
    const deleted = admin.delete(`/users/${id}?schoolDb=${schoolDb}`);
    await held.waitUntilWaiting(1);
    const guess = { schoolDb, username, password: 'a guess' };
    expect((await internal.post('/auth/student/login', guess)).status).toBe(401);
    await held.release();
    expect((await deleted).status).toBe(200);
    const mate = await signIn((await newStudent()).username);
    expect(await kindsOf(mate)).toEqual(['signedIn']);
  });
});
