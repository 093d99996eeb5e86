import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, type Staff } from '../../test/administrators.ts';
import { HeldRows } from '../../test/held-rows.ts';
import { openSchool } from '../../test/test-app.ts';

let adminCount = 0;
let head: Staff;

const { test, admin: chief, school } = await openSchool();

beforeEach(async () => {
  head = await createAdmin(test, {
    username: `head${++adminCount}`,
    role: 'school_admin',
    schoolId: school.id,
  });
});

const changeHead = (body: object) => chief.patch(`/admin/manage/${head.id}`, body);
const changeSchool = (disabled: 0 | 1) => chief.patch(`/schools/${school.id}`, { disabled });
const signIn = () =>
  test.anonymous.internal.post('/auth/login', { username: head.username, password: head.password });
const isOpen = async (cookie: string) =>
  (await test.anonymous.internal.get('/auth/me', { cookie })).status === 200;
const sessionsOf = async ({ id }: Staff) =>
  (await test.database.pool.query('SELECT 1 FROM admin_session WHERE admin_id = $1', [id])).rows.length;

const causes = [
  {
    name: 'the administrator is disabled',
    hold: () => HeldRows.by(test, 'SELECT 1 FROM admin WHERE id = $1 FOR UPDATE', [head.id]),
    end: () => changeHead({ disabled: true }),
    undo: () => changeHead({ disabled: false }),
  },
  {
    name: 'the password is changed',
    hold: () => HeldRows.by(test, 'SELECT 1 FROM admin WHERE id = $1 FOR UPDATE', [head.id]),
    end: () => changeHead({ password: 'battery staple' }),
    undo: () => changeHead({ disabled: false }),
  },
  {
    name: 'the school is disabled',
    hold: () => HeldRows.by(test, 'SELECT 1 FROM school WHERE id = $1 FOR UPDATE', [school.id]),
    end: () => changeSchool(1),
    undo: () => changeSchool(0),
  },
];

describe.each(causes)('Sessions when $name during a login', ({ hold, end, undo }) => {
  it('refuses a login that waits for the change, and leaves no session', async () => {
    const held = await hold();
    const ended = end();
    await held.waiting(1);
    const login = signIn();
    await held.waiting(2);
    await held.release();
    expect((await ended).status).toBe(200);
    expect((await login).status).toBe(401);
    await undo();
    expect(await sessionsOf(head)).toBe(0);
  });

  it('ends the session of a login that the change waits for', async () => {
    const held = await hold();
    const login = signIn();
    await held.waiting(1);
    const ended = end();
    await held.waiting(2);
    await held.release();
    expect((await login).status).toBe(200);
    expect((await ended).status).toBe(200);
    await undo();
    expect(await sessionsOf(head)).toBe(0);
    expect(await isOpen(head.cookie)).toBe(false);
  });
});

describe('Change of the own password', () => {
  it('is refused when somebody else resets the password first', async () => {
    const held = await HeldRows.by(test, 'SELECT 1 FROM admin WHERE id = $1 FOR UPDATE', [head.id]);
    const reset = changeHead({ password: 'battery staple' });
    await held.waiting(1);
    const own = head.patch('/auth/me', { oldPassword: head.password, newPassword: 'kept by the thief' });
    await held.waiting(2);
    await held.release();
    expect((await reset).status).toBe(200);
    expect(await own).toMatchObject({ status: 400, message: 'The old password is wrong' });
    const login = (password: string) =>
      test.anonymous.internal.post('/auth/login', { username: head.username, password });
    expect((await login('kept by the thief')).status).toBe(401);
    expect((await login('battery staple')).status).toBe(200);
  });
});
