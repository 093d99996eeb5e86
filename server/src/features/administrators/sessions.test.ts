import { describe, expect, it } from 'vitest';
import { createAdmin, createStaff } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { createSampleSchool, startTestApp } from '../../../test/test-app.ts';

const hours = 3_600_000;
const minutes = 60_000;

const test = await startTestApp();
const school = await createSampleSchool(await test.signIn());
const { ofClass } = await createStaff(test, school);

const readStatusOf = async (session: AdminClient) => (await session.get('/auth/me')).status;

/** Creates a school with one administrator. */
async function newMember(username: string) {
  const chief = await test.signIn();
  const { id: schoolId } = await chief.created<{ id: number }>('/schools', { name: `School ${username}` });
  return createAdmin(test, { username, role: 'school_admin', schoolId });
}

describe('Session of an administrator', () => {
  it('GET /auth/me returns the signed-in administrator', async () => {
    const [grade] = school.grades;
    expect(await ofClass.get('/auth/me')).toMatchObject({ status: 200, success: true });
    expect((await ofClass.get('/auth/me')).data).toEqual({
      id: ofClass.id,
      username: ofClass.username,
      role: 'class_admin',
      schoolId: school.id,
      gradeId: grade.id,
      classId: grade.classes[0].id,
      mustChangePassword: false,
      mustSetUpFactor: false,
    });
  });

  it('GET /auth/me names the current grade of a class administrator, even after the class moved', async () => {
    const [from, to] = school.grades;
    const office = await school.issue({});
    const moved = { gradeId: to.id, name: 'Moved class' };
    expect((await office.patch(`/classes/${from.classes[0].id}`, moved)).status).toBe(200);
    expect((await ofClass.get('/auth/me')).data).toMatchObject({ gradeId: to.id });
    const login = await test.anonymous.internal.post('/auth/login', {
      username: ofClass.username,
      password: ofClass.password,
    });
    expect(login.data).toMatchObject({ gradeId: to.id, classId: from.classes[0].id });
  });

  it('ends after 12 hours without use', async () => {
    const session = await test.signIn();
    test.clock.advance(12 * hours);
    expect(await readStatusOf(session)).toBe(200);
    test.clock.advance(12 * hours + 1);
    expect(await readStatusOf(session)).toBe(401);
  });

  it('lasts at most 7 days with use, and is then deleted from the database', async () => {
    const session = await test.signIn();
    for (let passed = 0; passed < 7 * 24; passed += 8) {
      expect(await readStatusOf(session)).toBe(200);
      test.clock.advance(8 * hours);
    }
    expect(await readStatusOf(session)).toBe(200);
    test.clock.advance(1);
    expect(await readStatusOf(session)).toBe(401);
    const kept = await test.signIn();
    await test.app.housekeep();
    const { rows } = await test.database.pool.query('SELECT 1 FROM admin_session');
    expect(rows).toHaveLength(1);
    expect(await readStatusOf(kept)).toBe(200);
  });

  it('counts the 12 hours from the last use, to the minute', async () => {
    const session = await test.signIn();
    for (let use = 0; use < 10; use++) {
      test.clock.advance(20_000);
      expect(await readStatusOf(session)).toBe(200);
    }
    test.clock.advance(12 * hours - minutes);
    expect(await readStatusOf(session)).toBe(200);
  });

  it.each([
    ['disables the administrator', 'UPDATE admin SET disabled = true WHERE id = $1'],
    ['deletes the administrator', 'DELETE FROM admin WHERE id = $1'],
    [
      'disables the school',
      'UPDATE school SET disabled = true WHERE id = (SELECT school_id FROM admin WHERE id = $1)',
    ],
  ])('ends at once when a change in the database %s', async (what, statement) => {
    const member = await newMember(`whom somebody ${what}`);
    await test.database.pool.query(statement, [member.id]);
    expect(await readStatusOf(member)).toBe(401);
  });

  it('disabling a school ends its administrators’ sessions, and enabling does not restore them', async () => {
    const office = await test.signIn();
    const member = await newMember('of an interrupted school');
    const elsewhere = await newMember('of an open school');
    const { schoolId } = (await member.get('/auth/me')).data as { schoolId: number };
    for (const disabled of [1, 0]) {
      await office.patch(`/schools/${schoolId}`, { disabled });
      expect(await readStatusOf(member)).toBe(401);
    }
    for (const other of [office, elsewhere]) expect(await readStatusOf(other)).toBe(200);
    const { username, password } = member;
    expect(await readStatusOf(await test.signIn(username, password))).toBe(200);
  });
});

describe('Own password of an administrator', () => {
  const change = (admin: AdminClient, oldPassword: unknown, newPassword: unknown, rules = {}) =>
    admin.patch('/auth/me', { oldPassword, newPassword, ...rules });

  it('changing the own password ends all other sessions of the administrator', async () => {
    const admin = await createAdmin(test, { username: 'everywhere', role: 'super_admin', schoolId: null });
    const others = [
      await test.signIn('everywhere', admin.password),
      await test.signIn('everywhere', admin.password),
    ];
    const somebody = await test.signIn();
    expect((await change(admin, admin.password, 'another password')).status).toBe(200);
    for (const other of others) expect(await readStatusOf(other)).toBe(401);
    expect(await readStatusOf(admin)).toBe(200);
    expect(await readStatusOf(somebody)).toBe(200);
  });

  it.each([
    ['5 characters', false, 'tq7nv', 400],
    ['6 characters', false, 'tq7nvb', 200],
    ['the username', false, 'admin: the username', 400],
    ['the old password', false, 'password of admin: the old password', 400],
    ['7 characters', true, 'tq7nvb3', 400],
    ['128 characters outside the basic plane', true, '😀🦊'.repeat(64), 200],
    ['a common word in a strict call', true, 'password1', 400],
  ])(
    'an own password of %s with strict: %s gets the expected status',
    async (what, strict, newPassword, status) => {
      const username = `admin: ${what}`;
      const admin = await createAdmin(test, { username, role: 'super_admin', schoolId: null });
      expect((await change(admin, admin.password, newPassword, strict ? { strict } : {})).status).toBe(
        status,
      );
      const password = status === 200 ? newPassword : admin.password;
      expect(await readStatusOf(await test.signIn(username, password))).toBe(200);
    },
  );

  it('with PASSWORD_RULES=strict, every password change follows the strict rules', async () => {
    const strict = await startTestApp({ PASSWORD_RULES: 'strict' }, { shareDatabaseWith: test });
    const { username, password } = await createAdmin(test, {
      username: 'under strict rules',
      role: 'super_admin',
      schoolId: null,
    });
    const admin = await strict.signIn(username, password);
    for (const rules of [{}, { strict: false }]) {
      expect(await change(admin, password, 'password1', rules)).toMatchObject({
        status: 400,
        reason: 'passwordCommon',
      });
      expect(await change(admin, password, 'tq7nvb3', rules)).toMatchObject({
        status: 400,
        message: 'newPassword must have 8 to 128 characters',
      });
    }
    expect((await change(admin, password, 'tq7nvb3k')).status).toBe(200);
  });
});
