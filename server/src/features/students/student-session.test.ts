import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { type StudentClient, studentClient } from '../../../test/identities.ts';
import { studentPassword } from '../../../test/test-app.ts';

const days = 24 * 3_600_000;

const { test, school, other, office, ...opened } = await openStaffedSchool();
let { admin } = opened;

let made = 0;
let student: { id: number; username: string };
let own: StudentClient;

beforeEach(async () => {
  made++;
  admin = await test.signIn();
  const classId = school.grades[0].classes[0].id;
  const body = { schoolDb: school.schoolDb, username: `pupil${made}`, password: studentPassword, classId };
  const { id, username } = await admin.created<{ id: number; username: string }>('/users', body);
  student = { id, username };
  own = await test.signInStudent(school.schoolDb, student.username);
});

const me = async (who: StudentClient) => (await who.get('/auth/student/me')).status;
const again = (password = studentPassword) => test.signInStudent(school.schoolDb, student.username, password);
const change = (body: object) => admin.patch(`/users/${student.id}?schoolDb=${school.schoolDb}`, body);

describe('Student token', () => {
  it('shows the student’s profile, with the new class after a move', async () => {
    expect((await own.get('/auth/student/me')).data).toMatchObject({
      id: student.id,
      username: student.username,
      className: 'Class A',
      schoolName: 'Riverside School',
    });
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

  it('lasts exactly 30 days, used or unused', async () => {
    test.clock.advance(30 * days);
    expect(await me(own)).toBe(200);
    const second = await again();
    test.clock.advance(1);
    expect(await me(own)).toBe(401);
    expect(await me(second)).toBe(200);
  });

  it.each([
    ['nothing', ''],
    ['an unknown token', `1.${'x'.repeat(43)}`],
    ['a token without a school', 'x'.repeat(43)],
    ['a school id beyond the largest number', `${'9'.repeat(30)}.${'x'.repeat(43)}`],
    ['a NUL', '1.\0'],
  ])('the student API answers 401 to %s', async (_what, token) => {
    const { get } = studentClient(test.app.http, token, 0);
    expect(await get('/auth/student/me')).toMatchObject({ status: 401, success: false, data: null });
  });

  it('answers 401 with another school’s id', async () => {
    const secret = own.token.split('.')[1];
    expect(await me(studentClient(test.app.http, `${other.id}.${secret}`, 0))).toBe(401);
  });
});

describe('Student session', () => {
  it('ends when an administrator disables the student, and stays ended after enabling', async () => {
    expect((await change({ disabled: true })).status).toBe(200);
    expect(await me(own)).toBe(401);
    await expect(again()).rejects.toThrow('401');
    await change({ disabled: false });
    expect(await me(own)).toBe(401);
    expect(await me(await again())).toBe(200);
  });

  it('ends for good when a credential disables the student', async () => {
    expect((await office.patch(`/students/${student.id}`, { disabled: true })).status).toBe(200);
    expect(await me(own)).toBe(401);
    await office.patch(`/students/${student.id}`, { disabled: false });
    expect(await me(own)).toBe(401);
  });

  it('ends for good when the school is disabled', async () => {
    await admin.patch(`/schools/${school.id}`, { disabled: 1 });
    expect(await me(own)).toBe(401);
    await admin.patch(`/schools/${school.id}`, { disabled: 0 });
    expect(await me(own)).toBe(401);
    expect(await me(await again())).toBe(200);
  });

  it('ends when an administrator sets the student’s password; classmates’ sessions stay', async () => {
    const mate = await test.signInStudent(school.schoolDb, 's1a1');
    const answer = await change({ password: 'battery staple' });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.data)).not.toContain('battery staple');
    expect(await me(own)).toBe(401);
    expect(await me(mate)).toBe(200);
    await expect(again()).rejects.toThrow('401');
    expect(await me(await again('battery staple'))).toBe(200);
  });

  it('stays when other fields of the student change', async () => {
    await change({ actualName: 'New Name', username: `renamed${made}`, disabled: false });
    expect(await me(own)).toBe(200);
  });
});

describe('Changing the own password', () => {
  const changeOwn = (who: StudentClient, oldPassword: string, newPassword: string) =>
    who.patch('/auth/student/me', { oldPassword, newPassword });

  it('changing the own password keeps this session and ends all others of the student', async () => {
    const second = await again();
    const mate = await test.signInStudent(school.schoolDb, 's1a2');
    const answer = await changeOwn(own, studentPassword, 'battery staple');
    expect(answer.data).toEqual({ id: student.id, username: student.username });
    expect(await me(own)).toBe(200);
    expect(await me(second)).toBe(401);
    expect(await me(mate)).toBe(200);
    await expect(again()).rejects.toThrow('401');
    await again('battery staple');
  });

  it('changing the own password needs the student’s old password, not that of a namesake in another school', async () => {
    await admin.created('/users', {
      schoolDb: other.schoolDb,
      username: student.username,
      password: 'of the namesake',
      classId: other.grades[0].classes[0].id,
    });
    for (const old of ['not it', 'of the namesake']) {
      const refused = await changeOwn(own, old, 'battery staple');
      expect(refused).toMatchObject({ status: 400, message: 'The old password is wrong' });
    }
    await again();
  });

  it('wrong old passwords are limited like logins, but counted separately', async () => {
    test.clock.advance(15 * 60_000);
    // As many failed logins as an address may have, with various usernames.
    for (let n = 0; n < 100; n++) {
      await expect(test.signInStudent(school.schoolDb, `guessed ${n % 10}`)).rejects.toThrow('401');
    }
    await expect(again()).rejects.toThrow('429');
    for (let n = 0; n < 10; n++) {
      expect((await changeOwn(own, 'wrong', 'battery staple')).status).toBe(400);
    }
    const refused = await changeOwn(own, studentPassword, 'battery staple');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
    test.clock.advance(15 * 60_000);
    expect((await changeOwn(own, studentPassword, 'battery staple')).status).toBe(200);
  });

  it('changing the own password from two sessions at once succeeds once, and that password works', async () => {
    const second = await again();
    const answers = await Promise.all([
      changeOwn(own, studentPassword, 'password one'),
      changeOwn(second, studentPassword, 'password two'),
    ]);
    expect(answers.map((answer) => answer.status).filter((status) => status === 200)).toHaveLength(1);
    const winner = answers[0].status === 200;
    expect(await me(winner ? own : second)).toBe(200);
    expect(await me(winner ? second : own)).toBe(401);
    await again(winner ? 'password one' : 'password two');
  });
});
