import type { Administrator } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Staff } from '../../../test/administrators.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';
import { mayManage } from '../../access/management.ts';

const path = (id: number) => `/admin/manage/${id}`;
const recordOf = (answer: InternalAnswer) => answer.data as Administrator;

const world = await StaffedSchools.open();
const { test, chief, school, other, staff } = world;
const password = 'kindle42';
const { otherGrade, grade, first, second, third, elsewhere, foreign } = world.places;
const { ofSchool, ofGrade, ofClass } = staff;
const foreignPlace = { gradeId: elsewhere.id, classId: foreign.id };
const staffByName: Record<string, Staff> = {
  chief,
  ofSchool,
  ofGrade,
  ofClass,
  secondHead: await world.member('school_admin'),
  otherGradeHead: await world.member('grade_admin', { gradeId: otherGrade.id }),
  peer: await world.teacher(),
  secondTeacher: await world.member('class_admin', { gradeId: grade.id, classId: second.id }),
  thirdTeacher: await world.member('class_admin', { gradeId: otherGrade.id, classId: third.id }),
  withoutClass: await world.member('class_admin', { gradeId: grade.id }),
  withoutGrade: await world.member('grade_admin'),
  foreignHead: await world.member('school_admin', {}, other.id),
  foreignTeacher: await world.member('class_admin', foreignPlace, other.id),
};

async function listNames(by: AdminClient, path: string): Promise<string[]> {
  const answer = await by.get(path);
  expect(answer.status, path).toBe(200);
  const ids = (answer.data as Administrator[]).map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  return ids.flatMap((id) => Object.entries(staffByName).find(([, one]) => one.id === id)?.[0] ?? []).sort();
}

const staffNamed = (name: string) => staffByName[name] as Staff;
const allNamesExcept = (...names: string[]) =>
  Object.keys(staffByName)
    .filter((name) => !names.includes(name))
    .sort();

describe('GET /admin/list', () => {
  it('returns all administrators to a super administrator, or those of the named school', async () => {
    expect(await listNames(chief, '/admin/list')).toEqual(allNamesExcept());
    const theirs = ['foreignHead', 'foreignTeacher'];
    expect(await listNames(chief, `/admin/list?schoolDb=${other.schoolDb}`)).toEqual(theirs);
  });

  it('returns the administrators in the caller’s range, including the caller and those of equal role', async () => {
    expect(await listNames(ofSchool, '/admin/list')).toEqual(
      allNamesExcept('chief', 'foreignHead', 'foreignTeacher'),
    );
    const ofTheGrade = ['ofClass', 'ofGrade', 'peer', 'secondTeacher', 'withoutClass'];
    expect(await listNames(ofGrade, '/admin/list')).toEqual(ofTheGrade);
    expect(await listNames(ofClass, '/admin/list')).toEqual(['ofClass', 'peer']);
    expect(await listNames(staffNamed('withoutClass'), '/admin/list')).toEqual(['withoutClass']);
  });

  it('filters by role, disabled, and part of the username in upper or lower case', async () => {
    const heads = ['ofGrade', 'otherGradeHead', 'withoutGrade'];
    expect(await listNames(chief, '/admin/list?role=grade_admin')).toEqual(heads);
    expect(await listNames(chief, '/admin/list?search=TEACHER-')).toEqual(['ofClass']);
    expect(await listNames(chief, '/admin/list?search=%25')).toEqual([]);
    expect(await listNames(chief, '/admin/list?search=')).toEqual(allNamesExcept());
    await chief.patch(`/admin/manage/${staffNamed('peer').id}`, { disabled: true });
    expect(await listNames(chief, '/admin/list?disabled=true')).toEqual(['peer']);
    expect(await listNames(chief, '/admin/list?disabled=false&role=class_admin')).not.toContain('peer');
    await chief.patch(`/admin/manage/${staffNamed('peer').id}`, { disabled: false });
  });
});

it('GET /admin/manage lists exactly the administrators that GET /admin/manage/:id returns to the caller', async () => {
  const records = (await chief.get('/admin/list?limit=500')).data as Administrator[];
  for (const name of ['chief', 'ofSchool', 'ofGrade', 'withoutGrade']) {
    const client = staffNamed(name);
    const manager = records.find(({ id }) => id === client.id) as Administrator;
    const answer = await client.get('/admin/manage?limit=500');
    const listed = (answer.data as Administrator[]).map(({ id }) => id);
    const decided = records.filter((target) => mayManage(manager, target)).map(({ id }) => id);
    expect(listed, manager.username).toEqual(decided);
    for (const target of records) {
      const isRead = (await client.get(`/admin/manage/${target.id}`)).status === 200;
      const what = `${manager.username} reads ${target.username}`;
      expect(isRead, what).toBe(decided.includes(target.id));
    }
  }
});

describe('POST /admin/manage', () => {
  const create = (by: AdminClient, body: object) =>
    by.post('/admin/manage', { username: world.newName(), password, ...body });
  const inSchool = { schoolId: school.id };
  const ofFirst = { ...inSchool, role: 'class_admin', gradeId: grade.id, classId: first.id };

  it('returns the new administrator with the names of the range, and the account can sign in', async () => {
    const username = world.newName();
    const answer = await create(ofSchool, { username, role: 'class_admin', classId: first.id });
    expect(answer.data).toEqual({
      ...{ id: expect.any(Number), username, role: 'class_admin' },
      ...{ schoolId: school.id, schoolName: 'School of the staff' },
      ...{ gradeId: grade.id, gradeName: 'Grade 1', classId: first.id, className: 'Class A' },
      ...{ disabled: false, createdAt: test.clock.now().toISOString(), passwordEndsAt: null },
    });
    const signedIn = await test.signIn(username, password);
    expect((await signedIn.get(`/grades?schoolDb=${school.schoolDb}`)).status).toBe(200);
    expect((await signedIn.get(`/classes?schoolDb=${school.schoolDb}`)).data).toHaveLength(1);
  });

  it.each([
    ['neither password nor generatePassword', {}, 'password is required'],
    ['generatePassword: false', { generatePassword: false }, 'password is required'],
    ['both', { password, generatePassword: true }, 'not both'],
  ])('creating an administrator with %s in the password fields answers 400', async (_what, body, message) => {
    const person = { username: world.newName(), role: 'super_admin' };
    expect(await chief.post('/admin/manage', { ...person, ...body })).toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
      data: null,
    });
  });

  it('creating an administrator uses schoolDb when schoolId is absent, and rejects a contradiction', async () => {
    const body = { role: 'school_admin', schoolDb: other.schoolDb };
    expect(await create(chief, body)).toMatchObject({ status: 200, data: { schoolId: other.id } });
    expect(await create(chief, { ...body, schoolId: other.id })).toMatchObject({ status: 200 });
    expect(await create(chief, { ...body, schoolId: school.id })).toMatchObject({ status: 400 });
    expect(await create(chief, { ...body, role: 'super_admin' })).toMatchObject({
      status: 200,
      data: { schoolId: null },
    });
  });

  it.each([
    ['a school admin without a school', { role: 'school_admin' }, 'A school_admin needs schoolId'],
    ['a class admin without a school', { ...ofFirst, schoolId: undefined }, 'A class_admin needs schoolId'],
    ['a grade admin without a grade', { ...inSchool, role: 'grade_admin' }, 'A grade_admin needs gradeId'],
    ['a class admin with a grade alone', { ...ofFirst, classId: undefined }, 'A class_admin needs classId'],
    ['a super admin with a school', { ...inSchool, role: 'super_admin' }, 'A super_admin takes no schoolId'],
    [
      'a school admin with a grade',
      { ...inSchool, role: 'school_admin', gradeId: grade.id },
      'A school_admin takes no gradeId',
    ],
    ['a grade admin with a class', { ...ofFirst, role: 'grade_admin' }, 'A grade_admin takes no classId'],
    [
      'a class that is not in the grade',
      { ...ofFirst, gradeId: otherGrade.id },
      'The class classId is not in the grade gradeId',
    ],
  ])('creating %s answers 400', async (_what, body, message) => {
    expect(await create(chief, body)).toMatchObject({ status: 400, message, data: null });
  });

  it('creating an administrator with a username of any school answers 409', async () => {
    const username = world.newName('taken');
    const elsewhereHead = { username, role: 'school_admin', schoolId: other.id };
    expect((await create(chief, elsewhereHead)).status).toBe(200);
    const head = { role: 'grade_admin', gradeId: grade.id };
    expect(await create(ofSchool, { ...head, username: ` ${username} ` })).toMatchObject({
      status: 409,
      message: `An administrator named "${username}" already exists`,
    });
    expect((await create(ofSchool, { ...head, username: username.toUpperCase() })).status).toBe(200);
  });
});

describe('GET, PATCH and DELETE /admin/manage/:id', () => {
  it('a super administrator who names a school finds, changes and deletes only administrators of that school', async () => {
    const { id } = await world.teacher();
    expect((await chief.get(`${path(id)}?schoolDb=${school.schoolDb}`)).status).toBe(200);
    expect((await chief.get(`${path(id)}?schoolDb=${other.schoolDb}`)).status).toBe(404);
    expect((await chief.patch(path(id), { schoolDb: other.schoolDb, disabled: true })).status).toBe(404);
    expect((await chief.delete(`${path(id)}?schoolDb=${other.schoolDb}`)).status).toBe(404);
    expect((await ofSchool.get(`${path(id)}?schoolDb=${other.schoolDb}`)).status).toBe(403);
  });

  it('administrators get 403 for changing or deleting themselves, except a super administrator', async () => {
    expect((await ofSchool.patch(path(ofSchool.id), { username: world.newName() })).status).toBe(403);
    expect((await ofGrade.delete(path(ofGrade.id))).status).toBe(403);
  });
});

describe('PATCH /admin/manage/:id', () => {
  let target: Staff;
  beforeEach(async () => {
    target = await world.teacher();
  });

  it('changing an administrator changes only the named fields', async () => {
    const before = recordOf(await chief.get(path(target.id)));
    const username = world.newName('renamed');
    const answer = await ofGrade.patch(path(target.id), { username });
    expect(answer).toMatchObject({ status: 200, data: { ...before, username } });
    expect((await target.get('/auth/me')).data).toMatchObject({ id: target.id, username });
    expect((await ofGrade.patch(path(target.id), {})).status).toBe(400);
    expect((await ofGrade.patch(path(target.id), { username: ofSchool.username })).status).toBe(409);
  });

  it('an administrator who is moved to another class gets its range at once, in open sessions too', async () => {
    const classes = async () =>
      ((await target.get(`/classes?schoolDb=${school.schoolDb}`)).data as { id: number }[]).map(
        ({ id }) => id,
      );
    expect(await classes()).toEqual([first.id]);
    expect(await ofGrade.patch(path(target.id), { classId: second.id })).toMatchObject({ status: 200 });
    expect(await classes()).toEqual([second.id]);
  });

  it('changing the role requires the range of the new role, and the grade follows the class', async () => {
    const inThird = { gradeId: otherGrade.id, classId: third.id };
    const steps: [object, object][] = [
      [
        { role: 'grade_admin', gradeId: grade.id },
        { gradeId: grade.id, classId: null },
      ],
      [{ gradeId: otherGrade.id }, { role: 'grade_admin', gradeId: otherGrade.id, classId: null }],
      [{ role: 'class_admin', classId: third.id }, inThird],
      [{ role: 'class_admin', username: world.newName() }, inThird],
      [{ classId: first.id }, { gradeId: grade.id, classId: first.id }],
    ];
    for (const [change, expected] of steps) {
      expect(await ofSchool.patch(path(target.id), change)).toMatchObject({
        status: 200,
        data: expected,
      });
    }
    const furtherSteps: [object, object][] = [
      [
        { schoolId: other.id, classId: foreign.id },
        { role: 'class_admin', ...foreignPlace },
      ],
      [{ role: 'school_admin' }, { schoolId: other.id, gradeId: null, classId: null }],
      [{ role: 'super_admin' }, { role: 'super_admin', schoolId: null, schoolName: null }],
    ];
    for (const [change, data] of furtherSteps) {
      expect(await chief.patch(path(target.id), change)).toMatchObject({ status: 200, data });
    }
  });

  it('changing an administrator to a role and a place that do not fit together answers 400', async () => {
    const before = recordOf(await chief.get(path(target.id)));
    for (const change of [
      { role: 'grade_admin' },
      { role: 'school_admin', classId: first.id },
      { role: 'super_admin', schoolId: school.id },
      { schoolId: other.id },
      { schoolId: null },
      { classId: null },
      { gradeId: otherGrade.id },
    ]) {
      expect(await chief.patch(path(target.id), change), JSON.stringify(change)).toMatchObject({
        status: 400,
      });
    }
    expect(recordOf(await chief.get(path(target.id)))).toEqual(before);
  });

  it('an administrator whose class was deleted can be given a new class', async () => {
    const { schoolDb } = school;
    const body = { schoolDb, gradeId: grade.id, name: world.newName() };
    const { id: classId } = await chief.created<{ id: number }>('/classes', body);
    await chief.patch(path(target.id), { classId });
    await chief.delete(`/classes/${classId}?schoolDb=${schoolDb}`);
    const { data } = await ofGrade.get(path(target.id));
    expect(data).toMatchObject({ gradeId: grade.id, classId: null });
    expect((await target.get(`/classes?schoolDb=${schoolDb}`)).status).toBe(403);
    const back = await ofGrade.patch(path(target.id), { classId: first.id });
    expect(back).toMatchObject({ status: 200, data: { classId: first.id } });
  });
});

describe('Sessions of an administrator', () => {
  const login = (username: string, secret: string) =>
    test.anonymous.internal.post('/auth/login', { username, password: secret });

  it('setting an administrator’s password ends the sessions, and the old password stops working', async () => {
    const target = await world.teacher();
    const sessions = [target, await test.signIn(target.username, target.password)];
    expect((await ofGrade.patch(path(target.id), { password })).status).toBe(200);
    for (const session of sessions) expect((await session.get('/auth/me')).status).toBe(401);
    expect((await login(target.username, target.password)).status).toBe(401);
    expect((await login(target.username, password)).status).toBe(200);
  });

  it('disabling an administrator ends the sessions, and enabling does not restore them', async () => {
    const target = await world.teacher();
    for (const disabled of [true, false]) {
      expect((await ofGrade.patch(path(target.id), { disabled })).data).toMatchObject({ disabled });
      expect((await target.get('/auth/me')).status).toBe(401);
      expect((await login(target.username, target.password)).status).toBe(disabled ? 401 : 200);
    }
  });

  it('deleting an administrator ends the sessions', async () => {
    const target = await world.teacher();
    const { id, username } = target;
    expect((await ofSchool.delete(path(id))).data).toMatchObject({ id, username, schoolId: school.id });
    expect((await target.get('/auth/me')).status).toBe(401);
    for (const { status } of [await chief.get(path(id)), await ofSchool.delete(path(id))]) {
      expect(status).toBe(404);
    }
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

it('credentials answer 40105 while their issuer has another class, and after the issuer is deleted', async () => {
  const target = await world.teacher();
  const token = await target.issue(school.schoolDb, { scopeType: 'class', scopeClassId: first.id });
  await ofGrade.patch(path(target.id), { classId: second.id });
  expect((await token.get('/students')).code).toBe(40105);
  await ofGrade.patch(path(target.id), { classId: first.id });
  expect((await token.get('/students')).code).toBe(0);
  await ofGrade.delete(path(target.id));
  expect((await token.get('/students')).code).toBe(40105);
});
