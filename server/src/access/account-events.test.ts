import type { Activity } from '@classledger/contract';
import { beforeEach, expect, it } from 'vitest';
import { openStaffWorld } from '../../test/administrators.ts';
import { collectLogLines } from '../../test/collect-log-lines.ts';
import { studentPassword } from '../../test/test-app.ts';

const days = 86_400_000;

const lines = collectLogLines();

const world = await openStaffWorld({ LOG_LEVEL: 'info' });
const { test, school, chief } = world;
const { internal } = test.anonymous;
const student = world.places.first.students[0];

const signIn = (body: object) =>
  internal.post('/auth/login', body, { 'user-agent': 'Browser of a stranger' });
const signInStudent = (body: object) => internal.post('/auth/student/login', body);
const activityOf = async (id: number) => {
  const list = await chief.read<Activity[]>(`/admin/activity?adminId=${id}`);
  return list.map(({ action, ip, userAgent }) => ({ action, ip, userAgent }));
};
const eventsOf = async (id: number) => {
  // Reading the activity waits for pending writes.
  await (await test.signIn()).get('/admin/activity?limit=1');
  const events = test.database.db.selectFrom('student_event').where('student_id', '=', id).orderBy('id');
  return events.select(['kind', 'ip']).execute();
};
const loggedEvents = () =>
  lines.map(({ level, msg, event, adminId, studentId, unknown }) => {
    return { level, msg, event, adminId, studentId, unknown };
  });
const [info, warn] = [30, 40];

beforeEach(() => {
  lines.length = 0;
});

it('sign-ins and failed sign-ins of an administrator are recorded with the device, and each logs a line', async () => {
  const { id, username, password } = await world.teacher();
  lines.length = 0;
  expect((await signIn({ username, password: 'a guess' })).status).toBe(401);
  expect((await signIn({ username, password })).status).toBe(200);
  expect((await activityOf(id)).slice(0, 2)).toEqual([
    { action: 'signedIn', ip: '127.0.0.1', userAgent: 'Browser of a stranger' },
    { action: 'signInFailed', ip: '127.0.0.1', userAgent: 'Browser of a stranger' },
  ]);
  expect(loggedEvents()).toEqual([
    { level: warn, msg: 'account', event: 'signInFailed', adminId: id },
    { level: info, msg: 'account', event: 'signedIn', adminId: id },
  ]);
});

it('failed confirmations of an administrator are recorded, and changes of the password or a credential; the log holds no secret and no name', async () => {
  const own = await world.member('school_admin');
  lines.length = 0;
  const credential = { name: 'Card', scopeType: 'school', scopes: ['students:read'] };
  expect((await own.post('/api-tokens', credential, { 'x-confirm-password': 'a guess' })).status).toBe(403);
  const guess = { oldPassword: 'a guess', newPassword: 'battery staple' };
  expect((await own.patch('/auth/me', guess)).status).toBe(400);
  test.clock.advance(1_000);
  const { token } = await own.issue(school.schoolDb);
  test.clock.advance(1_000);
  expect((await own.patch('/auth/me', { ...guess, oldPassword: own.password })).status).toBe(200);
  const actions = [
    'changeMyPassword',
    'issueCredential',
    'confirmationFailed',
    'confirmationFailed',
    'signedIn',
  ];
  expect((await activityOf(own.id)).map(({ action }) => action)).toEqual(actions);
  expect(loggedEvents().map(({ level, event }) => [level, event])).toEqual([
    [warn, 'confirmationFailed'],
    [warn, 'confirmationFailed'],
    [info, 'issueCredential'],
    [info, 'changeMyPassword'],
  ]);
  const session = own.cookie.split('=')[1] as string;
  for (const secret of [token, session, own.password, 'battery staple', '$argon2', own.username]) {
    expect(JSON.stringify(lines)).not.toContain(secret);
  }
});

it('a password that somebody else resets is recorded without a device', async () => {
  const { id } = await world.teacher();
  test.clock.advance(1_000);
  expect((await chief.patch(`/admin/manage/${id}`, { password: 'kindle42 kindle42' })).status).toBe(200);
  test.clock.advance(1_000);
  expect((await chief.post(`/admin/manage/${id}/password`)).status).toBe(200);
  const actions = (await activityOf(id)).map(({ action, ip }) => `${action} ${ip}`);
  expect(actions).toEqual(['passwordReset null', 'passwordReset null', 'signedIn 127.0.0.1']);
});

it('a sign-in that a throttle refuses is not recorded', async () => {
  const { id, username, password } = await world.teacher();
  for (let n = 0; n < 30; n++) await signIn({ username, password: 'a guess' });
  expect((await signIn({ username, password })).status).toBe(429);
  expect((await activityOf(id)).filter(({ action }) => action === 'signInFailed')).toHaveLength(10);
  test.clock.advance(15 * 60_000 + 1);
});

const login = { username: student.username, schoolDb: school.schoolDb };

it('sign-ins, failures and password changes of a student are recorded, without the device of an administrator', async () => {
  await signInStudent({ ...login, password: 'a guess' });
  const own = await test.signInStudent(school.schoolDb, student.username);
  const change = { oldPassword: 'a guess', newPassword: 'battery staple' };
  await own.patch('/auth/student/me', change);
  await own.patch('/auth/student/me', { ...change, oldPassword: studentPassword });
  const { ofClass } = world.staff;
  await ofClass.confirm();
  await ofClass.post(`/users/${student.id}/password?schoolDb=${school.schoolDb}`);
  await ofClass.patch(`/users/${student.id}?schoolDb=${school.schoolDb}`, { password: studentPassword });
  expect(await eventsOf(student.id)).toEqual([
    { kind: 'signInFailed', ip: '127.0.0.1' },
    { kind: 'signedIn', ip: '127.0.0.1' },
    { kind: 'confirmationFailed', ip: '127.0.0.1' },
    { kind: 'passwordChanged', ip: '127.0.0.1' },
    { kind: 'passwordReset', ip: null },
    { kind: 'passwordReset', ip: null },
  ]);
  const { id: studentId } = student;
  expect(loggedEvents()[0]).toEqual({ level: warn, msg: 'account', event: 'signInFailed', studentId });
});

it('events of a student older than 90 days are deleted', async () => {
  test.clock.advance(90 * days + 1);
  await signInStudent({ ...login, password: studentPassword });
  expect(await eventsOf(student.id)).toHaveLength(7);
  await test.app.housekeep();
  expect((await eventsOf(student.id)).map(({ kind }) => kind)).toEqual(['signedIn']);
});

it('a sign-in with an unknown username logs a line without the typed text, also in the activity log', async () => {
  const typed = { username: 'my password by mistake', password: 'kindle42' };
  expect((await signIn(typed)).status).toBe(401);
  expect((await signInStudent(typed)).status).toBe(401);
  expect(loggedEvents()).toEqual([
    { level: warn, msg: 'account', event: 'signInFailed', unknown: 'administrator' },
    { level: warn, msg: 'account', event: 'signInFailed', unknown: 'student' },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/by mistake|kindle42/);
  const rows = await test.rows('SELECT * FROM activity');
  expect(JSON.stringify(rows)).not.toContain('by mistake');
});
