import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, openStaffedSchool, setCookieOf } from '../../../test/administrators.ts';
import { verifyCalls } from '../../../test/cheap-argon2.ts';
import { studentPassword, superAdmin } from '../../../test/test-app.ts';

const wrong = { success: false, data: null, message: 'Wrong username or password' };
const minutes = 60_000;

let { test, admin, school, other } = await openStaffedSchool();

beforeEach(() => {
  // Lets the failures of the previous test expire.
  test.clock.advance(15 * minutes);
});

async function enrol(username: string, password: string): Promise<number> {
  const body = { schoolDb: school.schoolDb, username, password, classId: school.grades[0].classes[0].id };
  return (await admin.created<{ id: number }>('/users', body)).id;
}

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

async function login(body: unknown, remoteAddress = '127.0.0.1', query = '') {
  const response = await test.app.http.inject({
    method: 'POST',
    url: `/api/auth/student/login${query}`,
    payload: body as object,
    remoteAddress,
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

describe('POST /auth/student/login', () => {
  it('a student’s login returns the student, the places and a token, and sets no cookie', async () => {
    await enrol('li.wei', 'kindle42');
    const answer = await login({ username: ' li.wei ', password: 'kindle42' });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    const [grade] = school.grades;
    expect(answer.body.data).toEqual({
      ...{ id: expect.any(Number), username: 'li.wei', actualName: 'li.wei' },
      ...{ schoolId: school.id, schoolName: 'Riverside School', timeZone: 'UTC' },
      ...{ gradeId: grade.id, gradeName: 'Grade 1', classId: grade.classes[0].id, className: 'Class A' },
      ...{ totalScore: 0, addScore: 0, deductScore: 0, scoreCount: 0 },
      ...{ email: null, emailBoundAt: null, mustChangePassword: true },
      token: expect.stringMatching(new RegExp(`^${school.id}\\.[\\w-]{43}$`)),
    });
    expect(setCookieOf(answer.headers)).toBeNull();
    const again = await login({ username: 'li.wei', password: 'kindle42' });
    expect(again.body.data.token).not.toBe(answer.body.data.token);
  });

  it('a student’s login accepts the school as key or id, in body or query', async () => {
    const right = { username: 's1a1', password: studentPassword };
    for (const schoolDb of [school.schoolDb, school.id, String(school.id)]) {
      expect((await login({ ...right, schoolDb })).body.data).toMatchObject({ schoolId: school.id });
    }
    const inQuery = await login(right, undefined, `?schoolDb=${other.schoolDb}`);
    expect(inQuery.body.data).toMatchObject({ schoolId: other.id });
    const both = await login({ ...right, schoolDb: school.id }, undefined, `?schoolDb=${other.schoolDb}`);
    expect(both).toMatchObject({ status: 400, body: { message: 'schoolDb differs between query and body' } });
  });

  it('a login without a school tries up to eight schools, and answers 409 for a ninth school', async () => {
    const byName = (n: number, address?: string) =>
      login({ username: 'common', password: `password ${n}` }, address);
    for (const address of ['10.7.0.1', '10.7.0.2']) {
      for (const n of Array(8).keys()) {
        expect((await byName(n, address)).body.data).toMatchObject({ schoolId: schools[n] });
      }
      if (schools.length === 8) schools.push(await schoolWith('common', 'password 8'));
    }
    const message = expect.stringContaining('schoolDb');
    expect(await byName(8, '10.7.0.3')).toMatchObject({ status: 409, body: { message } });
  });

  it('a login without a school first tries the schools with sign-ins from the address within 90 days', async () => {
    const last = { username: 'common', password: 'password 8' };
    expect((await login(last, '10.8.0.1')).status).toBe(409);
    test.clock.advance(15 * minutes);
    expect((await login({ ...last, schoolDb: String(schools[8]) }, '10.8.0.1')).status).toBe(200);
    expect((await login(last, '10.8.0.1')).body.data).toMatchObject({ schoolId: schools[8] });
    expect((await login({ username: 'common', password: 'password 0' }, '10.8.0.1')).status).toBe(200);
    expect((await login(last, '10.8.0.2')).status).toBe(409);
    test.clock.advance(91 * 24 * 60 * minutes);
    expect((await login(last, '10.8.0.1')).status).toBe(409);
    admin = await test.signIn();
  });

  it('a login answers 409 when several schools fit, but only to a correct password, which is no failed login', async () => {
    const message = expect.stringContaining('schoolDb');
    const right = { username: 's1a1', password: studentPassword };
    for (let n = 0; n < 12; n++) {
      expect(await login(right)).toMatchObject({
        status: 409,
        body: { success: false, data: null, message },
      });
    }
    expect((await login({ ...right, password: 'not the password' })).status).toBe(401);
    expect((await login({ ...right, schoolDb: school.schoolDb })).status).toBe(200);
  });

  it('a login gives the same answer for unknown user, wrong password, wrong school, disabled student and disabled school', async () => {
    const closed = await schoolWith('of closed school', studentPassword);
    await admin.patch(`/schools/${closed}`, { disabled: 1 });
    const leaver = await enrol('leaver', studentPassword);
    await admin.patch(`/users/${leaver}`, { schoolDb: school.schoolDb, disabled: true });
    await enrol('stays', studentPassword);
    for (const body of [
      { username: 'nobody', password: studentPassword },
      { username: 'stays', password: 'not the password' },
      { username: 'STAYS', password: studentPassword },
      { username: 'stays', password: ` ${studentPassword}` },
      { username: 'stays', password: studentPassword, schoolDb: other.schoolDb },
      { username: 'stays', password: studentPassword, schoolDb: 'school_999999' },
      { username: 'stays', password: studentPassword, schoolDb: 'no school' },
      { username: 'leaver', password: studentPassword },
      { username: 'leaver', password: studentPassword, schoolDb: school.schoolDb },
      { username: 'of closed school', password: studentPassword },
      { username: 'of closed school', password: studentPassword, schoolDb: closed },
      { ...superAdmin },
      { username: 'x'.repeat(500), password: '' },
      { username: 'nul\0 and \ud800', password: 'any password' },
    ]) {
      const { status, headers, body: answer } = await login(body);
      expect(status, JSON.stringify(body)).toBe(401);
      expect(answer).toEqual({ ...wrong, requestId: headers['x-request-id'] });
      test.clock.advance(15 * minutes);
    }
  });

  it('a login verifies one password for an unknown user or school too, so all answers take equally long', async () => {
    for (const attempt of [
      { username: 'li.wei' },
      { username: 'unknown' },
      { username: 'li.wei', schoolDb: 'school_999999' },
    ]) {
      const before = verifyCalls.count;
      expect((await login({ ...attempt, password: 'a wrong password' })).status).toBe(401);
      expect(verifyCalls.count - before, JSON.stringify(attempt)).toBe(1);
    }
  });
});

describe('Failed logins of students', () => {
  const fail = async (username: string, address: string, schoolDb?: string) =>
    (await login({ username, password: 'wrong', schoolDb }, address)).status;
  const failTimes = async (times: number, ...attempt: Parameters<typeof fail>) => {
    const statuses = await Promise.all(Array.from({ length: times }, () => fail(...attempt)));
    expect(statuses).toEqual(Array(times).fill(401));
  };

  it('10 failed student logins from one address lead to 429 for 15 minutes, even with the right password', async () => {
    const right = { username: 's2a1', password: studentPassword, schoolDb: school.schoolDb };
    await failTimes(10, 's2a1', '10.0.0.1', school.schoolDb);
    const refused = await login(right, '10.0.0.1');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
    expect(refused.body).toMatchObject({ success: false, data: null });
    expect((await login(right, '10.0.0.2')).status).toBe(200);
    expect((await login({ ...right, username: 's2a2' }, '10.0.0.1')).status).toBe(200);
    expect((await login({ ...right, schoolDb: other.schoolDb }, '10.0.0.1')).status).toBe(200);
    test.clock.advance(15 * minutes);
    expect((await login(right, '10.0.0.1')).status).toBe(200);
  });

  it('failed logins without a school do not limit logins that name the school', async () => {
    // Two schools use this username, so each login tries two students.
    await failTimes(5, 's2b1', '10.2.0.1');
    expect(await fail('s2b1', '10.2.0.1')).toBe(429);
    const named = { username: 's2b1', password: studentPassword, schoolDb: school.schoolDb };
    expect((await login(named, '10.2.0.1')).status).toBe(200);
  });

  it('an address with 100 failed student logins gets 429, also where 409 would ask for the school, but may sign in administrators', async () => {
    const chief = { username: 's2b2', role: 'super_admin', schoolId: null } as const;
    const { username, password } = await createAdmin(test, chief);
    for (let n = 0; n < 10; n++) await failTimes(10, `guess ${n}`, '10.3.0.1');
    await failTimes(5, username, '10.3.0.2');
    expect([await fail('common', '10.3.0.1'), await fail('common', '10.3.0.3')]).toEqual([429, 409]);
    for (const remoteAddress of ['10.3.0.1', '10.3.0.2']) {
      const url = '/api/auth/login';
      const payload = { username, password };
      const { statusCode } = await test.app.http.inject({ method: 'POST', url, payload, remoteAddress });
      expect(statusCode).toBe(200);
    }
  });

  it('a failed login counts for each tried student, so one login at eight schools uses up the attempts', async () => {
    const right = { username: 'common', password: 'password 0' };
    expect([await fail('common', '10.5.0.1'), await fail('common', '10.5.0.1')]).toEqual([409, 429]);
    await admin.patch(`/schools/${schools[8]}`, { disabled: 1 });
    await failTimes(1, 'common', '10.5.0.2');
    const refused = await login(right, '10.5.0.2');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
    // The student of the disabled school is not tried.
    expect(await login({ username: 'common', password: 'password 8' }, '10.5.0.3')).toMatchObject({
      status: 401,
    });
  });
});
