import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAdmin, openStaffedSchool, setCookieOf } from '../../../test/administrators.ts';
import { verifyCalls } from '../../../test/cheap-argon2.ts';
import { superAdmin } from '../../../test/test-app.ts';

const wrong = { success: false, data: null, message: 'Wrong username or password' };

const { test, school, staff } = await openStaffedSchool();

describe('POST /auth/login', () => {
  const login = (body: unknown, headers: Record<string, string> = {}) =>
    test.anonymous.internal.post('/auth/login', body, headers);

  it('a login returns the identity of a super administrator', async () => {
    const answer = await login(superAdmin);
    expect(answer).toMatchObject({ status: 200, success: true, message: 'ok' });
    expect(answer.data).toEqual({
      id: expect.any(Number),
      username: 'admin',
      role: 'super_admin',
      schoolId: null,
      gradeId: null,
      classId: null,
      mustChangePassword: false,
      mustSetUpFactor: false,
    });
  });

  it('a login returns school, grade and class of the roles that have them', async () => {
    const [grade] = school.grades;
    const place = { schoolId: school.id, gradeId: grade.id, classId: grade.classes[0].id };
    const expected = [
      [staff.ofSchool, 'school_admin', { ...place, gradeId: null, classId: null }],
      [staff.ofGrade, 'grade_admin', { ...place, classId: null }],
      [staff.ofClass, 'class_admin', place],
    ] as const;
    for (const [{ id, username, password }, role, affiliation] of expected) {
      const identity = {
        id,
        username,
        role,
        ...affiliation,
        mustChangePassword: false,
        mustSetUpFactor: false,
      };
      expect((await login({ username, password })).data).toEqual(identity);
    }
  });

  it('a login sets an HttpOnly SameSite=Lax cookie', async () => {
    const cookie = setCookieOf((await login(superAdmin)).headers);
    expect(cookie).toEqual({
      name: 'classledger_session',
      value: expect.stringMatching(/^[\w-]{40,}$/),
      attributes: { path: '/', httponly: '', samesite: 'Lax', 'max-age': String(7 * 24 * 3600) },
    });
  });

  it('the server stores only a hash of the session token, and returns the token only in the cookie', async () => {
    const answer = await login(superAdmin);
    const value = setCookieOf(answer.headers)?.value ?? '';
    expect(JSON.stringify(answer.data)).not.toContain(value);
    const { rows } = await test.database.pool.query('SELECT s::text AS row, token_hash FROM admin_session s');
    expect(rows.map((row) => row.row).join()).not.toContain(value);
    const hash = createHash('sha256').update(value).digest();
    expect(rows.some((row) => row.token_hash.equals(hash))).toBe(true);
  });

  it('a login trims the username, compares it case-sensitively, and takes the password exactly as sent', async () => {
    await createAdmin(test, {
      username: 'Spacious',
      role: 'super_admin',
      schoolId: null,
      password: ' inner outer ',
    });
    const attempt = async (username: string, password: string) =>
      (await login({ username, password })).status;
    expect(await attempt('  Spacious\t', ' inner outer ')).toBe(200);
    expect(await attempt('Spacious', 'inner outer')).toBe(401);
    expect(await attempt('spacious', ' inner outer ')).toBe(401);
  });

  it('a login gives the same answer for unknown user, wrong password, disabled administrator and disabled school', async () => {
    const chief = await test.signIn();
    const gone = await chief.created<{ id: number }>('/schools', { name: 'Closed School' });
    const head = await createAdmin(test, { username: 'closed', role: 'school_admin', schoolId: gone.id });
    const leaver = await createAdmin(test, { username: 'leaver', role: 'super_admin', schoolId: null });
    await chief.patch(`/schools/${gone.id}`, { disabled: 1 });
    await test.database.db.updateTable('admin').set({ disabled: true }).where('id', '=', leaver.id).execute();
    for (const [username, password] of [
      ['nobody', superAdmin.password],
      [superAdmin.username, 'not the password'],
      [leaver.username, leaver.password],
      [head.username, head.password],
      ['x'.repeat(500), ''],
      ['nul\0 and \ud800', 'any password'],
    ]) {
      const { status, headers, ...body } = await login({ username, password });
      expect(status).toBe(401);
      expect(body).toEqual({ ...wrong, requestId: headers['x-request-id'] });
      expect(headers).not.toHaveProperty('set-cookie');
    }
  });

  it('a login verifies one password for an unknown user too, so both answers take equally long', async () => {
    await createAdmin(test, { username: 'known', role: 'super_admin', schoolId: null });
    for (const username of ['known', 'unknown', 'known', 'unknown']) {
      const before = verifyCalls.count;
      expect((await login({ username, password: 'a wrong password' })).status).toBe(401);
      expect(verifyCalls.count - before, username).toBe(1);
    }
  });
});
