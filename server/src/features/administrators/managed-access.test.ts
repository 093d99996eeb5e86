import { describe, expect, it } from 'vitest';
import { StaffedSchools } from '../../../test/staffed-schools.ts';

const password = 'kindle42';
const path = (id: number) => `/admin/manage/${id}`;

const world = await StaffedSchools.open();
const { test, chief, school, staff } = world;

describe('Sessions of an administrator', () => {
  const login = (username: string, secret: string) =>
    test.anonymous.internal.post('/auth/login', { username, password: secret });

  it('end when the password is set, and the old password stops working', async () => {
    const target = await world.teacher();
    const second = await test.signIn(target.username, target.password);
    expect((await staff.ofGrade.patch(path(target.id), { password })).status).toBe(200);
    expect([(await target.get('/auth/me')).status, (await second.get('/auth/me')).status]).toEqual([
      401, 401,
    ]);
    expect((await login(target.username, target.password)).status).toBe(401);
    expect((await login(target.username, password)).status).toBe(200);
  });

  it('end on disabling, and stay ended after enabling', async () => {
    const target = await world.teacher();
    expect((await staff.ofGrade.patch(path(target.id), { disabled: true })).data).toMatchObject({
      disabled: true,
    });
    expect((await target.get('/auth/me')).status).toBe(401);
    expect((await login(target.username, target.password)).status).toBe(401);
    expect((await staff.ofGrade.patch(path(target.id), { disabled: false })).data).toMatchObject({
      disabled: false,
    });
    expect((await target.get('/auth/me')).status).toBe(401);
    expect((await login(target.username, target.password)).status).toBe(200);
  });

  it('end on deletion', async () => {
    const target = await world.teacher();
    const answer = await staff.ofSchool.delete(path(target.id));
    expect(answer).toMatchObject({
      status: 200,
      data: { id: target.id, username: target.username, schoolId: school.id },
    });
    expect((await target.get('/auth/me')).status).toBe(401);
    expect((await chief.get(path(target.id))).status).toBe(404);
    expect((await staff.ofSchool.delete(path(target.id))).status).toBe(404);
  });

  it('continue when a super administrator fails to set their own password with 403', async () => {
    const own = await world.member('super_admin');
    const elsewhere = await test.signIn(own.username, own.password);
    expect(await own.patch(path(own.id), { password })).toMatchObject({
      status: 403,
      message: expect.stringContaining('PATCH /api/auth/me'),
    });
    expect((await elsewhere.get('/auth/me')).status).toBe(200);
    expect((await test.signIn(own.username, own.password)).password).toBe(own.password);
  });
});

describe('Super administrators', () => {
  it('cannot delete, disable or demote themselves', async () => {
    const own = await world.member('super_admin');
    const answers = [
      await own.delete(path(own.id)),
      await own.patch(path(own.id), { disabled: true }),
      await own.patch(path(own.id), { role: 'school_admin', schoolId: school.id }),
    ];
    expect(answers.map(({ status, message }) => [status, message])).toEqual([
      [403, 'You cannot delete yourself'],
      [403, 'You cannot disable yourself'],
      [403, 'You cannot demote yourself'],
    ]);
    expect((await own.patch(path(own.id), { username: world.newName('chief') })).status).toBe(200);
  });

  it('can demote and delete each other', async () => {
    const another = await world.member('super_admin');
    const demoted = await chief.patch(path(another.id), { role: 'school_admin', schoolId: school.id });
    expect(demoted).toMatchObject({ status: 200, data: { role: 'school_admin', schoolId: school.id } });
    expect((await another.post('/schools', { name: world.newName() })).status).toBe(403);
    expect((await chief.delete(path(another.id))).status).toBe(200);
  });
});

describe('Credentials of an administrator', () => {
  it('answer 40105 while the administrator is disabled', async () => {
    const target = await world.teacher();
    const token = await target.issue(school.schoolDb, {
      scopeType: 'class',
      scopeClassId: world.places.first.id,
    });
    expect((await token.get('/students')).code).toBe(0);
    await staff.ofGrade.patch(path(target.id), { disabled: true });
    expect((await token.get('/students')).code).toBe(40105);
    await staff.ofGrade.patch(path(target.id), { disabled: false });
    expect((await token.get('/students')).code).toBe(0);
  });

  it('answer 40105 while the administrator has another class, and after deletion', async () => {
    const target = await world.teacher();
    const token = await target.issue(school.schoolDb, {
      scopeType: 'class',
      scopeClassId: world.places.first.id,
    });
    await staff.ofGrade.patch(path(target.id), { classId: world.places.second.id });
    expect((await token.get('/students')).code).toBe(40105);
    await staff.ofGrade.patch(path(target.id), { classId: world.places.first.id });
    expect((await token.get('/students')).code).toBe(0);
    await staff.ofGrade.delete(path(target.id));
    expect((await token.get('/students')).code).toBe(40105);
  });
});
