import type { Administrator } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Staff } from '../../../test/administrators.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';

const path = (id: number) => `/admin/manage/${id}`;
const recordOf = (answer: InternalAnswer) => answer.data as Administrator;

const world = await StaffedSchools.open();
const { test, chief, school, other, staff } = world;
const password = 'kindle42';

describe('GET, PATCH and DELETE /admin/manage/:id', () => {
  it('check role and range: outside answers 403 in the own school, 404 elsewhere', async () => {
    const { otherGrade, third } = world.places;
    const managers = [chief, staff.ofSchool, staff.ofGrade, staff.ofClass];
    const targets: [name: string, target: { id: number }, statuses: number[]][] = [
      ['super administrator', chief, [200, 404, 404, 403]],
      ['head of the school', await world.member('school_admin'), [200, 403, 403, 403]],
      ['head of the grade', await world.gradeHead(), [200, 200, 403, 403]],
      [
        'head of another grade',
        await world.member('grade_admin', { gradeId: otherGrade.id }),
        [200, 200, 403, 403],
      ],
      ['teacher', await world.teacher(), [200, 200, 200, 403]],
      [
        'teacher of another grade',
        await world.member('class_admin', { gradeId: otherGrade.id, classId: third.id }),
        [200, 200, 403, 403],
      ],
      ['head of another school', await world.member('school_admin', {}, other.id), [200, 404, 404, 403]],
      ['nobody', { id: 999_999 }, [404, 404, 404, 403]],
    ];
    for (const [name, { id }, statuses] of targets) {
      for (const [n, by] of managers.entries()) {
        const status = statuses[n];
        const answers = [await by.get(path(id)), await by.patch(path(id), { disabled: false })];
        // Deletes only where the server must refuse, because a permitted deletion would remove the target.
        if (status !== 200) answers.push(await by.delete(path(id)));
        for (const answer of answers) expect([name, n, answer.status]).toEqual([name, n, status]);
      }
    }
  });

  it('find only administrators of the school that a super administrator names', async () => {
    const { id } = await world.teacher();
    expect((await chief.get(`${path(id)}?schoolDb=${school.schoolDb}`)).status).toBe(200);
    expect((await chief.get(`${path(id)}?schoolDb=${other.schoolDb}`)).status).toBe(404);
    expect((await chief.patch(path(id), { schoolDb: other.schoolDb, disabled: true })).status).toBe(404);
    expect((await chief.delete(`${path(id)}?schoolDb=${other.schoolDb}`)).status).toBe(404);
    expect((await staff.ofSchool.get(`${path(id)}?schoolDb=${other.schoolDb}`)).status).toBe(403);
  });

  it('answer 403 to an administrator about themselves, except a super administrator', async () => {
    expect((await staff.ofSchool.patch(path(staff.ofSchool.id), { username: world.newName() })).status).toBe(
      403,
    );
    expect((await staff.ofGrade.delete(path(staff.ofGrade.id))).status).toBe(403);
  });
});

describe('PATCH /admin/manage/:id', () => {
  let target: Staff;
  beforeEach(async () => {
    target = await world.teacher();
  });

  it('changes only the named fields', async () => {
    const before = recordOf(await chief.get(path(target.id)));
    const username = world.newName('renamed');
    const answer = await staff.ofGrade.patch(path(target.id), { username });
    expect(answer).toMatchObject({ status: 200, data: { ...before, username } });
    expect((await target.get('/auth/me')).data).toMatchObject({ id: target.id, username });
    expect(await staff.ofGrade.patch(path(target.id), {})).toMatchObject({ status: 400 });
    expect(await staff.ofGrade.patch(path(target.id), { username: staff.ofSchool.username })).toMatchObject({
      status: 409,
    });
  });

  it('moves an administrator to another class at once, in open sessions too', async () => {
    const { second, first } = world.places;
    const classes = async () =>
      ((await target.get(`/classes?schoolDb=${school.schoolDb}`)).data as { id: number }[]).map(
        ({ id }) => id,
      );
    expect(await classes()).toEqual([first.id]);
    expect(await staff.ofGrade.patch(path(target.id), { classId: second.id })).toMatchObject({ status: 200 });
    expect(await classes()).toEqual([second.id]);
  });

  it('changes the role with its required range, and the grade follows the class', async () => {
    const { grade, otherGrade, third } = world.places;
    const steps: [object, object][] = [
      [
        { role: 'grade_admin', gradeId: grade.id },
        { role: 'grade_admin', gradeId: grade.id, classId: null },
      ],
      [{ gradeId: otherGrade.id }, { role: 'grade_admin', gradeId: otherGrade.id, classId: null }],
      [
        { role: 'class_admin', classId: third.id },
        { gradeId: otherGrade.id, classId: third.id },
      ],
      [
        { role: 'class_admin', username: world.newName() },
        { gradeId: otherGrade.id, classId: third.id },
      ],
      [{ classId: world.places.first.id }, { gradeId: grade.id, classId: world.places.first.id }],
    ];
    for (const [change, expected] of steps) {
      expect(await staff.ofSchool.patch(path(target.id), change)).toMatchObject({
        status: 200,
        data: expected,
      });
    }
    const inOther = { schoolId: other.id, classId: world.places.foreign.id };
    expect(await chief.patch(path(target.id), inOther)).toMatchObject({
      status: 200,
      data: { role: 'class_admin', ...inOther, gradeId: world.places.elsewhere.id },
    });
    expect(await chief.patch(path(target.id), { role: 'school_admin' })).toMatchObject({
      status: 200,
      data: { role: 'school_admin', schoolId: other.id, gradeId: null, classId: null },
    });
    expect(await chief.patch(path(target.id), { role: 'super_admin' })).toMatchObject({
      status: 200,
      data: { role: 'super_admin', schoolId: null, schoolName: null },
    });
  });

  it('answers 400 to a role and a place that do not fit together', async () => {
    const { first, otherGrade } = world.places;
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

  it('answers 403 to the caller’s own role or a place outside the caller’s range', async () => {
    const { grade, otherGrade, third, elsewhere } = world.places;
    const refused: [AdminClient, object, number][] = [
      [staff.ofSchool, { role: 'school_admin' }, 403],
      [staff.ofSchool, { role: 'super_admin' }, 403],
      [staff.ofSchool, { schoolId: other.id, classId: world.places.foreign.id }, 403],
      [staff.ofSchool, { classId: world.places.foreign.id }, 404],
      [staff.ofSchool, { role: 'grade_admin', gradeId: elsewhere.id }, 404],
      [staff.ofGrade, { role: 'grade_admin', gradeId: grade.id }, 403],
      [staff.ofGrade, { classId: third.id }, 403],
      [staff.ofGrade, { role: 'grade_admin', gradeId: otherGrade.id }, 403],
    ];
    const before = recordOf(await chief.get(path(target.id)));
    for (const [by, change, status] of refused) {
      expect(await by.patch(path(target.id), change), JSON.stringify(change)).toMatchObject({ status });
    }
    expect(recordOf(await chief.get(path(target.id)))).toEqual(before);
  });

  it('gives a new class to an administrator whose class was deleted', async () => {
    const { schoolDb } = school;
    const gradeId = world.places.grade.id;
    const { id: classId } = await chief.created<{ id: number }>('/classes', {
      schoolDb,
      gradeId,
      name: world.newName(),
    });
    await chief.patch(path(target.id), { classId });
    await chief.delete(`/classes/${classId}?schoolDb=${schoolDb}`);
    expect(await staff.ofGrade.get(path(target.id))).toMatchObject({
      status: 200,
      data: { gradeId, classId: null },
    });
    expect((await target.get(`/classes?schoolDb=${schoolDb}`)).status).toBe(403);
    const back = await staff.ofGrade.patch(path(target.id), { classId: world.places.first.id });
    expect(back).toMatchObject({ status: 200, data: { classId: world.places.first.id } });
  });
});

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
