import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { type StudentClient, studentClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { type SampleStudent, studentPassword } from '../../../test/test-app.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const days = 24 * hours;

const { test, school, other, office, ...opened } = await openStaffedSchool({ TRUST_PROXY: 'true' });
let { admin } = opened;
const { schoolDb } = school;
const { internal } = test.anonymous;

let made = 0;
const newStudent = () => {
  const body = { schoolDb, username: `pupil${++made}`, password: studentPassword };
  return admin.created<SampleStudent>('/users', { ...body, classId: school.grades[0].classes[0].id });
};

let student: SampleStudent;
let own: StudentClient;
beforeEach(async () => {
  // Some tests let sessions end.
  admin = await test.signIn();
  student = await newStudent();
  own = await signIn(student.username);
});

async function signIn(username: string, more: object = {}, headers: Record<string, string> = {}) {
  const body = { schoolDb, username, password: studentPassword, ...more };
  const { status, data } = await internal.post('/auth/student/login', body, headers);
  expect(status).toBe(200);
  const { id, token } = data as { id: number; token: string };
  return studentClient(test.app.http, token, id);
}

const again = (password = studentPassword) => test.signInStudent(schoolDb, student.username, password);
const change = (body: object) => admin.patch(`/users/${student.id}?schoolDb=${schoolDb}`, body);

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
    const [first, second, third] = [own, await again(), await again()];
    const { id } = (await sessionsOf(first)).find(({ current }) => current) as Listed[number];
    const mate = await signIn((await newStudent()).username);
    expect((await mate.delete(`/auth/student/sessions/${id}`)).status).toBe(404);
    expect((await second.delete(`/auth/student/sessions/${id}`)).data).toEqual({ id });
    expect((await second.delete(`/auth/student/sessions/${id}`)).status).toBe(404);
    expect(await Promise.all([first, second, third].map(stateOf))).toEqual([401, 200, 200]);
    expect((await second.delete('/auth/student/sessions')).data).toEqual({ ended: 1 });
    expect(await Promise.all([second, third, mate].map(stateOf))).toEqual([200, 401, 200]);
    const signedIn = ['signedIn', 'signedIn', 'signedIn'];
    expect(await kindsOf(second)).toEqual(['otherSessionsEnded', 'sessionEnded', ...signedIn]);
  });

  it('a student’s session that is used while it is being ended stays ended', async () => {
    const other = await again();
    test.clock.advance(11 * minutes);
    const [first] = await sessionsOf(own);
    const held = await LockedRows.inTable(test, 'student_session', student.id, 'student_id');
    const [ended, used] = await held.startInOrder(
      () => own.delete('/auth/student/sessions'),
      // This request records the use of its session.
      () => other.get('/auth/student/me'),
    );
    expect([ended.status, used.status]).toEqual([200, 200]);
    expect(await stateOf(other)).toBe(401);
    expect(await sessionsOf(own)).toMatchObject([{ id: first?.id }]);
  });
});

describe('Student sign-in', () => {
  it('a session lasts 8 hours on a shared computer and 30 days elsewhere, used or unused, and is then removed', async () => {
    const shared = await signIn(student.username, { sharedComputer: true });
    const old = (await sessionsOf(await again())).find(({ current }) => current);
    const { pool } = test.database;
    const earlier = "UPDATE student_session SET created_at = created_at - interval '30 days' WHERE id = $1";
    await pool.query(earlier, [old?.id]);
    test.clock.advance(8 * hours);
    expect(await stateOf(shared)).toBe(200);
    test.clock.advance(1);
    expect(await Promise.all([shared, own].map(stateOf))).toEqual([401, 200]);
    expect(await sessionsOf(own)).toHaveLength(1);
    await signIn(student.username, { sharedComputer: true });
    await test.app.housekeep();
    const sessions = 'SELECT 1 FROM student_session WHERE student_id = $1';
    expect((await pool.query(sessions, [student.id])).rows).toHaveLength(2);
    test.clock.advance(30 * days - 8 * hours - 1);
    expect(await stateOf(own)).toBe(200);
    const second = await again();
    test.clock.advance(1);
    expect(await Promise.all([own, second].map(stateOf))).toEqual([401, 200]);
  });

  it('a student’s sign-in ends the session whose token it sends, even another student’s, and no other session', async () => {
    const elsewhere = await again();
    const authorization = `Bearer ${own.token}`;
    const guess = { schoolDb, username: student.username, password: 'a guess' };
    expect((await internal.post('/auth/student/login', guess, { authorization })).status).toBe(401);
    expect(await stateOf(own)).toBe(200);
    const next = await signIn((await newStudent()).username, {}, { authorization });
    expect(await Promise.all([own, elsewhere, next].map(stateOf))).toEqual([401, 200, 200]);
  });

  it.each(['Bearer nonsense', 'Bearer 1.AAAA', 'Basic eDp5', 'Bearer', `Bearer 999999.${'A'.repeat(43)}`])(
    'a student’s sign-in ignores an invalid token: %s',
    async (authorization) => {
      expect(await stateOf(await signIn(student.username, {}, { authorization }))).toBe(200);
    },
  );
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
    // The clock of another process can be behind.
    test.clock.advance(-1);
    await internal.post('/auth/student/login', guess, stranger);
    test.clock.advance(1);
    expect(await kindsOf(own)).toEqual(['signInFailed', 'signedIn', 'signInFailed']);
  });

  it('the events of a student are deleted with the student, even one of a failed sign-in during the deletion', async () => {
    expect(await kindsOf(own)).toEqual(['signedIn']);
    const held = await LockedRows.ofStudent(test, student.id);
    const deleted = admin.delete(`/users/${student.id}?schoolDb=${schoolDb}`);
    await held.waitUntilWaiting(1);
    const guess = { schoolDb, username: student.username, password: 'a guess' };
    expect((await internal.post('/auth/student/login', guess)).status).toBe(401);
    await held.release();
    expect((await deleted).status).toBe(200);
    const mate = await signIn((await newStudent()).username);
    expect(await kindsOf(mate)).toEqual(['signedIn']);
    const events = 'SELECT 1 FROM student_event WHERE student_id = $1';
    expect((await test.database.pool.query(events, [student.id])).rows).toEqual([]);
  });
});

describe('Student token', () => {
  it('shows the student’s profile, with the new class after a move', async () => {
    expect((await own.get('/auth/student/me')).data).toMatchObject({ id: student.id, className: 'Class A' });
    await change({ classId: school.grades[0].classes[1].id });
    expect((await own.get('/auth/student/me')).data).toMatchObject({ className: 'Class B' });
  });

  it('is stored only as a hash', async () => {
    const { rows } = await test.database.pool.query(
      'SELECT s::text AS row, token_hash FROM student_session s WHERE student_id = $1',
      [student.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toContain(own.token);
    expect(rows[0].token_hash).toEqual(createHash('sha256').update(own.token).digest());
  });

  it.each([
    ['nothing', ''],
    ['an unknown token', `1.${'x'.repeat(43)}`],
    ['a school id beyond the largest number', `${'9'.repeat(30)}.${'x'.repeat(43)}`],
    ['a NUL', '1.\0'],
    ['a token with the id of another school', null],
  ])('the student API answers 401 to %s', async (_what, token) => {
    const { get } = studentClient(test.app.http, token ?? `${other.id}.${own.token.split('.')[1]}`, 0);
    expect(await get('/auth/student/me')).toMatchObject({ status: 401, success: false, data: null });
  });
});

describe('Student session', () => {
  it.each<[what: string, mates: number, set: (disabled: boolean) => Promise<{ status: number }>]>([
    ['an administrator disables the student', 200, (disabled) => change({ disabled })],
    ['an app disables the student', 200, (disabled) => office.patch(`/students/${student.id}`, { disabled })],
    ['the school is disabled', 401, (to) => admin.patch(`/schools/${school.id}`, { disabled: Number(to) })],
  ])('ends when %s, and stays ended after enabling', async (_what, mates, setDisabled) => {
    const mate = await test.signInStudent(schoolDb, 's1a3');
    const namesake = await test.signInStudent(other.schoolDb, 's1a3');
    expect((await setDisabled(true)).status).toBe(200);
    expect(await Promise.all([own, mate, namesake].map(stateOf))).toEqual([401, mates, 200]);
    await expect(again()).rejects.toThrow('401');
    await setDisabled(false);
    expect(await stateOf(own)).toBe(401);
    expect(await stateOf(await again())).toBe(200);
  });

  it('ends when an administrator sets the student’s password; classmates’ sessions stay', async () => {
    const mate = await test.signInStudent(schoolDb, 's1a1');
    const answer = await change({ password: 'battery staple' });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.data)).not.toContain('battery staple');
    expect(await Promise.all([own, mate].map(stateOf))).toEqual([401, 200]);
    await expect(again()).rejects.toThrow('401');
    expect(await stateOf(await again('battery staple'))).toBe(200);
  });
});

describe('Changing the own password', () => {
  const changeOwn = (who: StudentClient, oldPassword: string, newPassword: string) =>
    who.patch('/auth/student/me', { oldPassword, newPassword });

  it('changing the own password keeps this session and ends all others of the student', async () => {
    const second = await again();
    const mate = await test.signInStudent(schoolDb, 's1a2');
    const answer = await changeOwn(own, studentPassword, 'battery staple');
    expect(answer.data).toEqual({ id: student.id, username: student.username });
    expect(await Promise.all([own, second, mate].map(stateOf))).toEqual([200, 401, 200]);
    await expect(again()).rejects.toThrow('401');
    await again('battery staple');
  });

  it('changing the own password needs the student’s old password, not that of a namesake in another school', async () => {
    const place = { schoolDb: other.schoolDb, classId: other.grades[0].classes[0].id };
    const namesake = { username: student.username, password: 'of the namesake' };
    await admin.created('/users', { ...place, ...namesake });
    for (const old of ['not it', 'of the namesake']) {
      const refused = await changeOwn(own, old, 'battery staple');
      expect(refused).toMatchObject({ status: 400, message: 'The old password is wrong' });
    }
    await again();
  });

  it('wrong old passwords are limited like logins, but counted separately', async () => {
    test.clock.advance(15 * minutes);
    // As many failed logins as an address may have, with various usernames.
    const guess = (n: number) =>
      internal.post('/auth/student/login', { schoolDb, username: `guessed ${n}`, password: 'a guess' });
    for (let round = 0; round < 10; round++) {
      const guesses = await Promise.all(Array.from({ length: 10 }, (_, n) => guess(n)));
      expect(guesses.map(({ status }) => status)).toEqual(Array(10).fill(401));
    }
    await expect(again()).rejects.toThrow('429');
    for (let n = 0; n < 10; n++) {
      expect((await changeOwn(own, 'wrong', 'battery staple')).status).toBe(400);
    }
    const refused = await changeOwn(own, studentPassword, 'battery staple');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
    test.clock.advance(15 * minutes);
    expect((await changeOwn(own, studentPassword, 'battery staple')).status).toBe(200);
  });

  it('changing the own password from two sessions at once succeeds once, and that password works', async () => {
    const second = await again();
    const [one, two] = await Promise.all([
      changeOwn(own, studentPassword, 'password one'),
      changeOwn(second, studentPassword, 'password two'),
    ]);
    const won = one.status === 200;
    expect((won ? two : one).status).not.toBe(200);
    expect(await Promise.all([own, second].map(stateOf))).toEqual(won ? [200, 401] : [401, 200]);
    await again(won ? 'password one' : 'password two');
  });
});
