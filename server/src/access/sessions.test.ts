import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, type Staff } from '../../test/administrators.ts';
import type { InternalAnswer } from '../../test/identities.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { openSchool, studentPassword } from '../../test/test-app.ts';

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

const ofHead = { signIn: signInHead, sessions: headSessions, hold: holdHead };
const ofStudent = { signIn: signInStudent, sessions: studentSessions, hold: holdStudent };

const setDisabled = (change: (body: object) => Promise<InternalAnswer>) => ({
  end: () => change({ disabled: true }),
  undo: () => change({ disabled: false }),
});
const setPassword = (change: (body: object) => Promise<InternalAnswer>) => ({
  end: () => change({ password: 'battery staple' }),
  undo: async () => {},
});
const loseSchool = { hold: holdSchool, end: () => disableSchool(1), undo: () => disableSchool(0) };

const causes = [
  { who: 'an administrator', what: 'is disabled', ...ofHead, ...setDisabled(changeHead) },
  { who: 'an administrator', what: 'gets another password', ...ofHead, ...setPassword(changeHead) },
  { who: 'an administrator', what: 'loses the school', ...ofHead, ...loseSchool },
  { who: 'a student', what: 'is disabled', ...ofStudent, ...setDisabled(changeStudent) },
  { who: 'a student', what: 'gets another password', ...ofStudent, ...setPassword(changeStudent) },
  { who: 'a student', what: 'loses the school', ...ofStudent, ...loseSchool },
];

describe.each(causes)('A login during which $who $what', ({ signIn, sessions, hold, end, undo }) => {
  it('is refused after it has waited for that change, and leaves no session', async () => {
    const held = await hold();
    const [ended, login] = await held.startInOrder(end, () => signIn());
    expect([ended.status, login.status]).toEqual([200, 401]);
    await undo();
    expect(await sessions()).toBe(0);
  });

  it('the change ends the session of a login that came first, and all earlier sessions', async () => {
    expect((await signIn()).status).toBe(200);
    const held = await hold();
    const [login, ended] = await held.startInOrder(() => signIn(), end);
    expect([login.status, ended.status]).toEqual([200, 200]);
    await undo();
    expect(await sessions()).toBe(0);
  });
});

it('changing the own password is refused when somebody else resets the password first', async () => {
  const held = await holdHead();
  const change = { oldPassword: head.password, newPassword: 'kept by the thief' };
  const [reset, own] = await held.startInOrder(
    () => changeHead({ password: 'battery staple' }),
    () => head.patch('/auth/me', change),
  );
  expect(reset.status).toBe(200);
  expect(own).toMatchObject({ status: 400, message: 'The old password is wrong' });
  expect((await signInHead('kept by the thief')).status).toBe(401);
  expect((await signInHead('battery staple')).status).toBe(200);
});
