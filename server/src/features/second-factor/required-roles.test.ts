import { describe, expect, it } from 'vitest';
import { Authenticator } from '../../../test/authenticator.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';

const world = await StaffedSchools.open();
const { chief, test } = world;
type PasskeyChallenge = { challenge: string };

const requireOf = (...roles: string[]) => chief.patch('/second-factor-roles', { roles });

async function addPasskey(staff: typeof chief) {
  const asked = await staff.created<PasskeyChallenge>('/auth/passkeys/challenge', {});
  return staff.created<{ id: number }>('/auth/passkeys', new Authenticator().make(asked));
}

describe('Role that requires a second factor', () => {
  it('a super administrator requires a second factor for a role, and sees how many of its administrators lack one', async () => {
    const teacher = await world.teacher();
    await addPasskey(teacher);
    await world.teacher();
    const { data } = await requireOf('class_admin');
    const role = (data as { roles: { role: string }[] }).roles.find((each) => each.role === 'class_admin');
    expect(role).toEqual({ role: 'class_admin', isRequired: true, administrators: 3, withoutFactor: 2 });
    expect((await chief.get('/second-factor-roles')).data).toEqual(data);
    const log = await chief.get('/admin/activity?action=updateSecondFactorRoles');
    expect(log.data).toHaveLength(1);
    await requireOf();
  });

  it('until a required second factor is set up, requests outside the own account answer 403 with reason factor', async () => {
    const teacher = await world.teacher();
    const colleague = await world.gradeHead();
    const path = `/users?schoolDb=${world.school.schoolDb}`;
    expect(await teacher.get(path)).toMatchObject({ status: 200 });
    await requireOf('class_admin');
    expect(await teacher.get(path)).toMatchObject({ status: 403, reason: 'factor' });
    expect(await colleague.get(path)).toMatchObject({ status: 200 });
    const { username, password } = teacher;
    const login = await test.anonymous.internal.post('/auth/login', { username, password });
    expect(login.data).toMatchObject({ mustSetUpFactor: true });
    expect((await teacher.get('/auth/me')).data).toMatchObject({ mustSetUpFactor: true });
    expect((await teacher.get('/auth/second-factor')).data).toMatchObject({ isRequired: true });

    const { id } = await addPasskey(teacher);
    expect(await teacher.get(path)).toMatchObject({ status: 200 });
    expect((await teacher.get('/auth/me')).data).toMatchObject({ mustSetUpFactor: false });

    const last = { status: 409, message: expect.stringMatching(/needs a second factor/) };
    expect(await teacher.delete(`/auth/passkeys/${id}`)).toMatchObject(last);
    const another = await addPasskey(teacher);
    expect(await teacher.delete(`/auth/passkeys/${id}`)).toMatchObject({ status: 200 });
    const both = await Promise.all([
      teacher.delete(`/auth/passkeys/${another.id}`),
      teacher.delete(`/auth/passkeys/${another.id}`),
    ]);
    expect(both.map(({ status }) => status)).toEqual([409, 409]);
    await requireOf();
    expect(await teacher.delete(`/auth/passkeys/${another.id}`)).toMatchObject({ status: 200 });
  });

  it('a required second factor is given by sessions opened with a provider or passkey, but not with a password', async () => {
    const teacher = await world.teacher();
    await requireOf('class_admin');
    const by = (method: string) =>
      test.database.pool.query('UPDATE admin_session SET opened_with = $1 WHERE admin_id = $2', [
        method,
        teacher.id,
      ]);
    for (const [method, status] of [
      ['password', 403],
      ['provider', 200],
      ['passkey', 200],
    ] as const) {
      await by(method);
      expect([method, (await teacher.get('/schools')).status]).toEqual([method, status]);
    }
    await requireOf();
  });
});

describe('Lost second factor', () => {
  const path = (id: number) => `/admin/manage/${id}/second-factor`;

  it('an administrator of a higher role resets a lost second factor, with a log line and the end of sessions', async () => {
    const { ofSchool, ofGrade, ofClass } = world.staff;
    const teacher = await world.teacher();
    await addPasskey(teacher);
    expect(await ofClass.delete(path(teacher.id))).toMatchObject({ status: 403 });
    expect(await ofGrade.delete(path(ofSchool.id))).toMatchObject({ status: 403 });
    const { id, username, password } = teacher;
    expect(await ofGrade.delete(path(id))).toMatchObject({ status: 200, data: { id, username } });
    expect(await teacher.get('/auth/me')).toMatchObject({ status: 401 });
    await test.signIn(username, password);
    const codes = 'SELECT * FROM recovery_code WHERE admin_id = $1';
    expect((await test.database.pool.query(codes, [id])).rows).toEqual([]);
    const own = await chief.get(`/admin/activity?adminId=${teacher.id}&action=secondFactorReset`);
    expect(own.data).toMatchObject([{ username: teacher.username, ip: null, userAgent: null }]);
    const log = await chief.get(`/admin/activity?adminId=${ofGrade.id}&action=resetSecondFactor`);
    expect(log.data).toMatchObject([{ target: { id: teacher.id, name: teacher.username } }]);
    expect(await ofGrade.delete(path(teacher.id))).toMatchObject({ status: 409 });
  });

  it('owners cannot reset their own second factor, and a reset needs a confirmation of the last ten minutes', async () => {
    await addPasskey(chief);
    expect(await chief.delete(path(chief.id))).toMatchObject({ status: 403 });
    const teacher = await world.teacher();
    await addPasskey(teacher);
    const { ofGrade } = world.staff;
    test.clock.advance(600_001);
    expect(await ofGrade.delete(path(teacher.id))).toMatchObject({ status: 403, reason: 'confirm' });
  });
});
