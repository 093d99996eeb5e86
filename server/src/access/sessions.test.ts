import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, type Staff } from '../../test/administrators.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { createSampleSchool, openSchool, studentPassword } from '../../test/test-app.ts';

let count = 0;
let head: Staff;
let student: { id: number; username: string };

const { test, admin: chief, school } = await openSchool();
const { schoolDb } = school;
const { internal } = test.anonymous;

beforeEach(async () => {
  const username = `head${++count}`;
  head = await createAdmin(test, { username, role: 'school_admin', schoolId: school.id });
  const classId = school.grades[0].classes[0].id;
  const pupil = { schoolDb, classId, username: `pupil${count}`, password: studentPassword };
  student = await chief.created('/users', pupil);
});

const changeHead = (body: object) => chief.patch(`/admin/manage/${head.id}`, body);
const changeStudent = (body: object) => chief.patch(`/users/${student.id}`, { schoolDb, ...body });
const disableSchool = (disabled: 0 | 1) => chief.patch(`/schools/${school.id}`, { disabled });
const signInHead = (password = head.password) =>
  internal.post('/auth/login', { username: head.username, password });
const signInStudent = () =>
  internal.post('/auth/student/login', { username: student.username, password: studentPassword, schoolDb });
const headSessions = async () =>
  (await test.database.pool.query('SELECT FROM admin_session WHERE admin_id = $1', [head.id])).rowCount;
const studentSessions = async () =>
  (await test.database.pool.query('SELECT FROM student_session WHERE student_id = $1', [student.id]))
    .rowCount;

const holdHead = () => LockedRows.selectedBy(test, 'SELECT FROM admin WHERE id = $1 FOR UPDATE', [head.id]);
const holdStudent = () => LockedRows.ofStudent(test, student.id);
const holdSchool = () =>
  LockedRows.selectedBy(test, 'SELECT FROM school WHERE id = $1 FOR UPDATE', [school.id]);

const ofHead = { signIn: signInHead, sessions: headSessions };
const ofStudent = { signIn: signInStudent, sessions: studentSessions };
const nothing = async () => {};

const causes = [
  {
    who: 'an administrator',
    what: 'is disabled',
    ...ofHead,
    hold: holdHead,
    end: () => changeHead({ disabled: true }),
    undo: () => changeHead({ disabled: false }),
  },
  {
    who: 'an administrator',
    what: 'gets another password',
    ...ofHead,
    hold: holdHead,
    end: () => changeHead({ password: 'battery staple' }),
    undo: nothing,
  },
  {
    who: 'an administrator',
    what: 'loses the school',
    ...ofHead,
    hold: holdSchool,
    end: () => disableSchool(1),
    undo: () => disableSchool(0),
  },
  {
    who: 'a student',
    what: 'is disabled',
    ...ofStudent,
    hold: holdStudent,
    end: () => changeStudent({ disabled: true }),
    undo: () => changeStudent({ disabled: false }),
  },
  {
    who: 'a student',
    what: 'gets another password',
    ...ofStudent,
    hold: holdStudent,
    end: () => changeStudent({ password: 'battery staple' }),
    undo: nothing,
  },
  {
    who: 'a student',
    what: 'loses the school',
    ...ofStudent,
    hold: holdSchool,
    end: () => disableSchool(1),
    undo: () => disableSchool(0),
  },
];

describe.each(causes)('A login during which $who $what', ({ signIn, sessions, hold, end, undo }) => {
  it('is refused after it has waited for that change, and leaves no session', async () => {
    const held = await hold();
    const ended = end();
    await held.waitUntilWaiting(1);
    const login = signIn();
    await held.waitUntilWaiting(2);
    await held.release();
    expect((await ended).status).toBe(200);
    expect((await login).status).toBe(401);
    await undo();
    expect(await sessions()).toBe(0);
  });

  it('the change ends the session of a login that came first, and all earlier sessions', async () => {
    expect((await signIn()).status).toBe(200);
    const held = await hold();
    const login = signIn();
    await held.waitUntilWaiting(1);
    const ended = end();
    await held.waitUntilWaiting(2);
    await held.release();
    expect((await login).status).toBe(200);
    expect((await ended).status).toBe(200);
    await undo();
    expect(await sessions()).toBe(0);
  });
});

describe('Change of the own password', () => {
  it('changing the own password is refused when somebody else resets the password first', async () => {
    const held = await holdHead();
    const reset = changeHead({ password: 'battery staple' });
    await held.waitUntilWaiting(1);
    const own = head.patch('/auth/me', { oldPassword: head.password, newPassword: 'kept by the thief' });
    await held.waitUntilWaiting(2);
    await held.release();
    expect((await reset).status).toBe(200);
    expect(await own).toMatchObject({ status: 400, message: 'The old password is wrong' });
    expect((await signInHead('kept by the thief')).status).toBe(401);
    expect((await signInHead('battery staple')).status).toBe(200);
  });
});

describe('Closing the sessions of a student', () => {
  it('disabling a student keeps the sessions of classmates and of students of other schools', async () => {
    const other = await createSampleSchool(chief, 'Other School');
    const all = [
      await test.signInStudent(schoolDb, student.username),
      await test.signInStudent(other.schoolDb, 's1a1'),
      await test.signInStudent(schoolDb, 's1a1'),
    ];
    await changeStudent({ disabled: true });
    const answers = await Promise.all(all.map((one) => one.get('/auth/student/me')));
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200]);
  });
});
