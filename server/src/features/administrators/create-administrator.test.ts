import { describe, expect, it } from 'vitest';
import type { AdminClient } from '../../../test/identities.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';

const password = 'kindle42';

const world = await StaffedSchools.open();
const { test, chief, school, other, staff } = world;

describe('POST /admin/manage', () => {
  const create = (by: AdminClient, body: object) =>
    by.post('/admin/manage', { username: world.newName(), password, ...body });

  it('returns the record with the names of its range, and the account signs in', async () => {
    const username = world.newName();
    const { grade, first } = world.places;
    const answer = await create(staff.ofSchool, { username, role: 'class_admin', classId: first.id });
    expect(answer).toMatchObject({ status: 200, success: true });
    expect(answer.data).toEqual({
      id: expect.any(Number),
      username,
      role: 'class_admin',
      schoolId: school.id,
      schoolName: 'School of the staff',
      gradeId: grade.id,
      gradeName: 'Grade 1',
      classId: first.id,
      className: 'Class A',
      disabled: false,
      createdAt: test.clock.now().toISOString(),
      passwordEndsAt: null,
    });
    const signedIn = await test.signIn(username, password);
    expect((await signedIn.get(`/grades?schoolDb=${school.schoolDb}`)).status).toBe(200);
    expect((await signedIn.get(`/classes?schoolDb=${school.schoolDb}`)).data).toHaveLength(1);
  });

  it.each([
    ['neither password nor generatePassword', {}, 'password is required'],
    ['generatePassword: false', { generatePassword: false }, 'password is required'],
    ['both', { password, generatePassword: true }, 'not both'],
  ])('rejects %s with 400', async (_what, body, message) => {
    const person = { username: world.newName(), role: 'super_admin' };
    expect(await chief.post('/admin/manage', { ...person, ...body })).toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
      data: null,
    });
  });

  it('lets a super administrator create every role', async () => {
    const { grade, second } = world.places;
    const wanted = [
      { role: 'super_admin' },
      { role: 'school_admin', schoolId: school.id },
      { role: 'grade_admin', schoolId: school.id, gradeId: grade.id },
      { role: 'class_admin', schoolId: school.id, classId: second.id },
      { role: 'class_admin', schoolId: school.id, gradeId: grade.id, classId: second.id },
      { role: 'super_admin', schoolId: null, gradeId: null, classId: null },
    ];
    for (const body of wanted) {
      const answer = await create(chief, body);
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 200, data: { role: body.role } });
    }
  });

  it('uses schoolDb when schoolId is absent, and rejects a contradiction', async () => {
    const body = { role: 'school_admin', schoolDb: other.schoolDb };
    expect(await create(chief, body)).toMatchObject({ status: 200, data: { schoolId: other.id } });
    expect(await create(chief, { ...body, schoolId: other.id })).toMatchObject({ status: 200 });
    expect(await create(chief, { ...body, schoolId: school.id })).toMatchObject({ status: 400 });
    expect(await create(chief, { ...body, role: 'super_admin' })).toMatchObject({
      status: 200,
      data: { schoolId: null },
    });
  });

  it('answers 403 outside the range in the own school, and 404 in another or missing school', async () => {
    const { grade, otherGrade, first, third, elsewhere, foreign } = world.places;
    const cases: [AdminClient, object, number][] = [
      [staff.ofSchool, { role: 'grade_admin', gradeId: otherGrade.id }, 200],
      [staff.ofSchool, { role: 'grade_admin', gradeId: elsewhere.id }, 404],
      [staff.ofSchool, { role: 'grade_admin', gradeId: 999_999 }, 404],
      [staff.ofSchool, { role: 'class_admin', classId: third.id }, 200],
      [staff.ofSchool, { role: 'class_admin', classId: foreign.id }, 404],
      [staff.ofSchool, { role: 'grade_admin', schoolId: other.id, gradeId: elsewhere.id }, 403],
      [staff.ofSchool, { role: 'grade_admin', schoolId: 999_999, gradeId: grade.id }, 404],
      [staff.ofGrade, { role: 'class_admin', classId: first.id }, 200],
      [staff.ofGrade, { role: 'class_admin', gradeId: grade.id, classId: first.id }, 200],
      [staff.ofGrade, { role: 'class_admin', classId: third.id }, 403],
      [staff.ofGrade, { role: 'class_admin', classId: foreign.id }, 404],
      [staff.ofGrade, { role: 'class_admin', classId: 999_999 }, 404],
      [chief, { role: 'grade_admin', schoolId: school.id, gradeId: elsewhere.id }, 404],
      [chief, { role: 'class_admin', schoolId: other.id, classId: first.id }, 404],
      [chief, { role: 'school_admin', schoolId: 999_999 }, 404],
    ];
    for (const [by, body, status] of cases) {
      expect(await create(by, body), JSON.stringify(body)).toMatchObject({ status });
    }
  });

  it.each([
    ['a school admin without a school', () => ({ role: 'school_admin' }), 'A school_admin needs schoolId'],
    [
      'a class admin without a school',
      () => ({ role: 'class_admin', classId: world.places.first.id }),
      'A class_admin needs schoolId',
    ],
    [
      'a grade admin without a grade',
      () => ({ role: 'grade_admin', schoolId: school.id }),
      'A grade_admin needs gradeId',
    ],
    [
      'a class admin with a grade alone',
      () => ({ role: 'class_admin', schoolId: school.id, gradeId: world.places.grade.id }),
      'A class_admin needs classId',
    ],
    [
      'a super admin with a school',
      () => ({ role: 'super_admin', schoolId: school.id }),
      'A super_admin takes no schoolId',
    ],
    [
      'a school admin with a grade',
      () => ({ role: 'school_admin', schoolId: school.id, gradeId: world.places.grade.id }),
      'A school_admin takes no gradeId',
    ],
    [
      'a grade admin with a class',
      () => ({
        role: 'grade_admin',
        schoolId: school.id,
        gradeId: world.places.grade.id,
        classId: world.places.first.id,
      }),
      'A grade_admin takes no classId',
    ],
    [
      'a class that is not in the grade',
      () => ({
        role: 'class_admin',
        schoolId: school.id,
        gradeId: world.places.otherGrade.id,
        classId: world.places.first.id,
      }),
      'The class classId is not in the grade gradeId',
    ],
  ])('rejects %s with 400', async (_what, body, message) => {
    expect(await create(chief, body())).toMatchObject({ status: 400, message, data: null });
  });

  it('answers 409 to a username that exists in any school', async () => {
    const username = world.newName('taken');
    expect(await create(chief, { username, role: 'school_admin', schoolId: other.id })).toMatchObject({
      status: 200,
    });
    const again = await create(staff.ofSchool, {
      username: ` ${username} `,
      role: 'grade_admin',
      gradeId: world.places.grade.id,
    });
    expect(again).toMatchObject({
      status: 409,
      message: `An administrator named "${username}" already exists`,
    });
    const upper = { username: username.toUpperCase(), role: 'grade_admin', gradeId: world.places.grade.id };
    expect((await create(staff.ofSchool, upper)).status).toBe(200);
  });
});
