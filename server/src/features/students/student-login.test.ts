import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, openStaffedSchool, setCookieOf } from '../../../test/administrators.ts';
import { type StudentClient, studentClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { type SampleStudent, studentPassword } from '../../../test/test-app.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const days = 24 * hours;

let { test, admin, school, other, office } = await openStaffedSchool({ TRUST_PROXY: 'true' });
const { schoolDb } = school;
const { internal } = test.anonymous;

beforeEach(async () => {
  // Lets the failures of the previous test expire.
  test.clock.advance(15 * minutes);
  admin = await test.signIn();
});

async function schoolWith(username: string, password: string): Promise<number> {
  const { id: schoolDb } = await admin.created<{ id: number }>('/schools', { name: `School of ${password}` });
  const { id: gradeId } = await admin.created<{ id: number }>('/grades', { schoolDb, name: 'Grade 1' });
  const { id: classId } = await admin.created<{ id: number }>('/classes', { schoolDb, gradeId, name: 'A' });
  await admin.created('/users', { schoolDb, classId, username, password });
  return schoolDb;
}

/** Schools that each have a student `common`, with `password 0` to `password 7`; the first test adds a ninth. */
const schools: number[] = [];
for (let n = 0; n < 8; n++) schools.push(await schoolWith('common', `password ${n}`));

const login = (body: unknown, address = '127.0.0.1', query = '') =>
  internal.post(`/auth/student/login${query}`, body, { 'x-forwarded-for': address });

it('a student’s login returns the student, the places and a token, and sets no cookie', async () => {
  const [grade] = school.grades;
  const place = { schoolDb: school.schoolDb, classId: grade.classes[0].id };
  await admin.created('/users', { ...place, username: 'li.wei', password: 'kindle42' });
  const answer = await login({ username: ' li.wei ', password: 'kindle42' });
  expect(answer).toMatchObject({ status: 200, success: true });
  expect(answer.data).toEqual({
    ...{ id: expect.any(Number), username: 'li.wei', actualName: 'li.wei' },
    ...{ schoolId: school.id, schoolName: 'Riverside School', timeZone: 'UTC' },
    ...{ gradeId: grade.id, gradeName: 'Grade 1', classId: grade.classes[0].id, className: 'Class A' },
    ...{ totalScore: 0, addScore: 0, deductScore: 0, scoreCount: 0 },
    ...{ email: null, emailBoundAt: null, mustChangePassword: true },
    token: expect.stringMatching(new RegExp(`^${school.id}\\.[\\w-]{43}$`)),
  });
  expect(setCookieOf(answer.headers)).toBeNull();
  const again = await login({ username: 'li.wei', password: 'kindle42' });
  expect(again.data).not.toMatchObject({ token: (answer.data as { token: string }).token });
});

it('a student’s login accepts the school as key or id, in body or query', async () => {
  const right = { username: 's1a1', password: studentPassword };
  for (const schoolDb of [school.schoolDb, school.id, String(school.id)]) {
    expect((await login({ ...right, schoolDb })).data).toMatchObject({ schoolId: school.id });
  }
  const inQuery = await login(right, undefined, `?schoolDb=${other.schoolDb}`);
  expect(inQuery.data).toMatchObject({ schoolId: other.id });
  const both = await login({ ...right, schoolDb: school.id }, undefined, `?schoolDb=${other.schoolDb}`);
  expect(both).toMatchObject({ status: 400, message: 'schoolDb differs between query and body' });
});

it('a login without a school tries up to eight schools, and answers 409 for a ninth school', async () => {
  const byName = (n: number, address?: string) =>
    login({ username: 'common', password: `password ${n}` }, address);
  for (const address of ['10.7.0.1', '10.7.0.2']) {
    for (const n of Array(8).keys()) {
      expect((await byName(n, address)).data).toMatchObject({ schoolId: schools[n] });
    }
    if (schools.length === 8) schools.push(await schoolWith('common', 'password 8'));
  }
  const message = expect.stringContaining('schoolDb');
  expect(await byName(8, '10.7.0.3')).toMatchObject({ status: 409, message });
});

it('a login without a school first tries the schools with sign-ins from the address within 90 days', async () => {
  const last = { username: 'common', password: 'password 8' };
  expect((await login(last, '10.8.0.1')).status).toBe(409);
  test.clock.advance(15 * minutes);
  expect((await login({ ...last, schoolDb: String(schools[8]) }, '10.8.0.1')).status).toBe(200);
  expect((await login(last, '10.8.0.1')).data).toMatchObject({ schoolId: schools[8] });
  expect((await login({ username: 'common', password: 'password 0' }, '10.8.0.1')).status).toBe(200);
  expect((await login(last, '10.8.0.2')).status).toBe(409);
  test.clock.advance(91 * days);
  expect((await login(last, '10.8.0.1')).status).toBe(409);
});

it('a login answers 409 when several schools fit, but only to a correct password, which is no failed login', async () => {
  const message = expect.stringContaining('schoolDb');
  const right = { username: 's1a1', password: studentPassword };
  for (let n = 0; n < 12; n++) {
    expect(await login(right)).toMatchObject({ status: 409, success: false, data: null, message });
  }
  expect((await login({ ...right, password: 'not the password' })).status).toBe(401);
  expect((await login({ ...right, schoolDb: school.schoolDb })).status).toBe(200);
});

const fail = async (username: string, address: string, schoolDb?: string) =>
  (await login({ username, password: 'wrong', schoolDb }, address)).status;
const failTimes = async (times: number, ...attempt: Parameters<typeof fail>) => {
  const statuses = await Promise.all(Array.from({ length: times }, () => fail(...attempt)));
  expect(statuses).toEqual(Array(times).fill(401));
};

it('failed logins without a school or at one school do not limit logins at another school', async () => {
  // Two schools use this username, so each login without a school tries two students.
  await failTimes(5, 's2b1', '10.2.0.1');
  expect(await fail('s2b1', '10.2.0.1')).toBe(429);
  await failTimes(10, 's2b1', '10.2.0.1', school.schoolDb);
  expect(await fail('s2b1', '10.2.0.1', school.schoolDb)).toBe(429);
  const elsewhere = { username: 's2b1', password: studentPassword, schoolDb: other.schoolDb };
  expect((await login(elsewhere, '10.2.0.1')).status).toBe(200);
});

it('an address with 100 failed student logins gets 429, also where 409 would ask for the school, but may sign in administrators', async () => {
  const chief = { username: 's2b2', role: 'super_admin', schoolId: null } as const;
  const { username, password } = await createAdmin(test, chief);
  for (let n = 0; n < 10; n++) await failTimes(10, `guess ${n}`, '10.3.0.1');
  await failTimes(5, username, '10.3.0.2');
  expect([await fail('common', '10.3.0.1'), await fail('common', '10.3.0.3')]).toEqual([429, 409]);
  for (const remoteAddress of ['10.3.0.1', '10.3.0.2']) {
    const from = { 'x-forwarded-for': remoteAddress };
    expect((await internal.post('/auth/login', { username, password }, from)).status).toBe(200);
  }
});

it('a failed login counts for each tried student, so one login at eight schools uses up the attempts', async () => {
  const right = { username: 'common', password: 'password 0' };
  expect([await fail('common', '10.5.0.1'), await fail('common', '10.5.0.1')]).toEqual([409, 429]);
  await admin.patch(`/schools/${schools[8]}`, { disabled: 1 });
  await failTimes(1, 'common', '10.5.0.2');
  expect(await login(right, '10.5.0.2')).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
  // The student of the disabled school is not tried.
  expect(await login({ username: 'common', password: 'password 8' }, '10.5.0.3')).toMatchObject({
    status: 401,
  });
});

describe('Session of a student', () => {
  let made = 0;
  const newStudent = () => {
    const body = { schoolDb, username: `pupil${++made}`, password: studentPassword };
    return admin.created<SampleStudent>('/users', { ...body, classId: school.grades[0].classes[0].id });
  };
  const signIn = async (username: string, more: object = {}, headers: Record<string, string> = {}) => {
    const body = { schoolDb, username, password: studentPassword, ...more };
    const { status, data } = await internal.post('/auth/student/login', body, headers);
    expect(status).toBe(200);
    const { id, token } = data as { id: number; token: string };
    return studentClient(test.app.http, token, id);
  };
  let student: SampleStudent;
  let own: StudentClient;

  beforeEach(async () => {
    student = await newStudent();
    own = await signIn(student.username);
  });

  const again = () => test.signInStudent(schoolDb, student.username);
  const stateOf = async (who: StudentClient) => (await who.get('/auth/student/me')).status;
  const kindsOf = async (who: StudentClient) =>
    (await who.read<{ kind: string }[]>('/auth/student/events')).map(({ kind }) => kind);

  it('lasts 8 hours on a shared computer and 30 days elsewhere, used or unused, and is then removed', async () => {
    const shared = await signIn(student.username, { sharedComputer: true });
    const { pool } = test.database;
    await again();
    const newest = '(SELECT max(id) FROM student_session WHERE student_id = $1)';
    const earlier = `UPDATE student_session SET created_at = created_at - interval '30 days' WHERE id = ${newest}`;
    await pool.query(earlier, [student.id]);
    test.clock.advance(8 * hours);
    expect(await stateOf(shared)).toBe(200);
    test.clock.advance(1);
    expect(await Promise.all([shared, own].map(stateOf))).toEqual([401, 200]);
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

  it.each(['Bearer nonsense', 'Bearer 1.AAAA', 'Basic eDp5', 'Bearer', `Bearer 999999.${'A'.repeat(43)}`])(
    'a student’s sign-in ignores an invalid token: %s',
    async (authorization) => {
      expect(await stateOf(await signIn(student.username, {}, { authorization }))).toBe(200);
    },
  );

  it('a student sees the own events of the last 90 days, newest first, and no events of others', async () => {
    const mate = await signIn((await newStudent()).username);
    const guess = { schoolDb, username: student.username, password: 'a guess' };
    const stranger = { 'user-agent': 'A stranger', 'x-forwarded-for': '192.0.2.66' };
    await internal.post('/auth/student/login', guess, stranger);
    const list = await own.read('/auth/student/events');
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
    expect(await test.rows('SELECT 1 FROM student_event WHERE student_id = $1', student.id)).toEqual([]);
  });

  it('shows the student’s profile, with the new class after a move', async () => {
    expect(await own.read('/auth/student/me')).toMatchObject({ id: student.id, className: 'Class A' });
    await office.patch(`/students/${student.id}`, { classId: school.grades[0].classes[1].id });
    expect(await own.read('/auth/student/me')).toMatchObject({ className: 'Class B' });
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

  it('ends when an app disables the student, and stays ended when that is undone', async () => {
    const mate = await test.signInStudent(schoolDb, 's1a3');
    const namesake = await test.signInStudent(other.schoolDb, 's1a3');
    await office.patch(`/students/${student.id}`, { disabled: true });
    expect(await Promise.all([own, mate, namesake].map(stateOf))).toEqual([401, 200, 200]);
    await expect(again()).rejects.toThrow('401');
    await office.patch(`/students/${student.id}`, { disabled: false });
    expect(await Promise.all([own, await again()].map(stateOf))).toEqual([401, 200]);
  });

  it('changes the password only with the student’s old one, not that of a namesake in another school', async () => {
    const place = { schoolDb: other.schoolDb, classId: other.grades[0].classes[0].id };
    const namesake = { username: student.username, password: 'of the namesake' };
    await admin.created('/users', { ...place, ...namesake });
    const change = { oldPassword: 'of the namesake', newPassword: 'battery staple' };
    expect((await own.patch('/auth/student/me', change)).status).toBe(400);
    await again();
  });
});
