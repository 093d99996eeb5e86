import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';

const { test, admin, school, other, staff, office } = await openStaffedSchool();

const usernames = ({ data }: InternalAnswer) => (data as { username: string }[]).map((one) => one.username);
const list = (who: AdminClient, query = '') => who.get(`/users?schoolDb=${school.schoolDb}${query}`);
const url = (id: number) => `/users/${id}?schoolDb=${school.schoolDb}`;

let made = 0;
async function newStudent(classId = school.grades[0].classes[0].id) {
  made++;
  const username = `made${made}`;
  const body = { schoolDb: school.schoolDb, classId, username, password: 'secret-password' };
  return admin.created<{ id: number; username: string }>('/users', body);
}

describe('GET /users', () => {
  it('lists the students of the range by id, without account data', async () => {
    const ofClass = await list(staff.ofClass);
    expect(usernames(ofClass)).toEqual(['s1a1', 's1a2', 's1a3']);
    expect(ofClass.headers['x-total-count']).toBe('3');
    expect((ofClass.data as object[])[0]).toEqual({
      id: expect.any(Number),
      username: 's1a1',
      actualName: 's1a1',
      externalId: null,
      cardNumber: null,
      classId: school.grades[0].classes[0].id,
      className: 'Class A',
      gradeId: school.grades[0].id,
      gradeName: 'Grade 1',
      disabled: false,
      erased: false,
      passwordState: 'shared',
      totalScore: 0,
      addScore: 0,
      deductScore: 0,
      scoreCount: 0,
      createdAt: '2026-09-15T10:00:00.000Z',
      updatedAt: '2026-09-15T10:00:00.000Z',
    });
    expect(usernames(await list(staff.ofGrade))).toHaveLength(6);
    expect(usernames(await list(staff.ofSchool))).toHaveLength(12);
    expect(usernames(await list(admin))).toEqual(usernames(await list(staff.ofSchool)));
  });

  it('filters by class, grade, part of the name and disabled, together', async () => {
    const [first, second] = school.grades;
    expect(usernames(await list(admin, `&classId=${first.classes[1].id}`))).toEqual(['s1b1', 's1b2', 's1b3']);
    expect(usernames(await list(admin, `&gradeId=${second.id}&search=B`))).toEqual(['s2b1', 's2b2', 's2b3']);
    expect(usernames(await list(admin, '&search=%25'))).toEqual([]);
    expect(usernames(await list(admin, '&disabled=true'))).toEqual([]);
    expect(usernames(await list(admin, `&gradeId=${first.id}&classId=${second.classes[0].id}`))).toEqual([]);
  });

  it('returns sorted pages, with the total in X-Total-Count', async () => {
    const page = await list(admin, '&limit=5&page=3&sortBy=username&order=desc');
    expect(usernames(page)).toEqual(['s1a2', 's1a1']);
    expect(page.headers['x-total-count']).toBe('12');
    expect(usernames(await list(admin, '&limit=5&page=4'))).toEqual([]);
  });
});

describe('PATCH /users/:id', () => {
  let student: { id: number; username: string };
  beforeEach(async () => {
    student = await newStudent();
  });
  const change = (who: AdminClient, body: object) => who.patch(url(student.id), body);

  it('changes the named fields and returns the account', async () => {
    const answer = await change(staff.ofClass, { username: `renamed ${student.id}`, actualName: '李伟' });
    expect(answer).toMatchObject({ status: 200, success: true });
    expect(answer.data).toEqual({
      ...((await staff.ofClass.get(url(student.id))).data as object),
      username: `renamed ${student.id}`,
      actualName: '李伟',
      className: 'Class A',
      disabled: false,
      email: null,
      emailBound: false,
      emailBoundAt: null,
    });
  });

  it('moves a student with records, and frees the seat in the old class', async () => {
    await office.post('/scores', { userId: student.id, scoreChange: 5 });
    const { db } = test.database;
    const [from, to] = school.grades[0].classes;
    const seat = await db
      .insertInto('seat')
      .values({
        school_id: school.id,
        class_id: from.id,
        group_index: 1,
        row_index: student.id % 20,
        col_index: 20,
        student_id: student.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const seated = async () =>
      (
        await db
          .selectFrom('seat')
          .where('id', '=', seat.id)
          .select(['class_id', 'student_id'])
          .executeTakeFirst()
      )?.student_id;

    await change(staff.ofGrade, { actualName: 'stays', classId: from.id });
    expect(await seated()).toBe(student.id);
    const moved = await change(staff.ofGrade, { classId: to.id });
    expect(moved.data).toMatchObject({ classId: to.id, className: 'Class B', totalScore: 5 });
    expect(await seated()).toBeNull();
  });

  it('answers 403 outside the range, 404 to a foreign class and 409 to a taken username', async () => {
    expect((await change(staff.ofClass, { classId: school.grades[0].classes[1].id })).status).toBe(403);
    expect((await change(staff.ofGrade, { classId: school.grades[1].classes[0].id })).status).toBe(403);
    expect((await change(staff.ofSchool, { classId: other.grades[0].classes[0].id })).status).toBe(404);
    expect(await change(staff.ofSchool, { username: 's1a1' })).toMatchObject({
      status: 409,
      message: 'The username "s1a1" is taken',
    });
    expect((await change(staff.ofSchool, {})).status).toBe(400);
  });

  it.each([
    ['a short password', { password: '12345' }, 'password'],
    ['only null for a password', { password: null }, 'changes nothing'],
    ['an invalid email address', { email: 'nobody' }, 'email'],
    ['an empty address', { email: '' }, 'email'],
    ['an empty name', { actualName: ' ' }, 'actualName'],
    ['an unknown field alone', { passwordHash: 'x' }, 'changes nothing'],
    ['a misspelt field', { actualname: 'x' }, 'actualname'],
    ['a total', { totalScore: 100 }, 'totalScore'],
  ])('answers %s with 400', async (_what, body, named) => {
    const answer = await change(staff.ofSchool, body);
    expect(answer).toMatchObject({ status: 400, message: expect.stringContaining(named) });
  });

  it('keeps the number of disabled students correct', async () => {
    const counted = async () => {
      const found = await admin.get(`/users?schoolDb=${school.schoolDb}&disabled=true&limit=1`);
      return Number(found.headers['x-total-count']);
    };
    const before = await counted();
    await change(staff.ofClass, { disabled: true });
    await change(staff.ofClass, { disabled: true });
    expect(await counted()).toBe(before + 1);
    await change(staff.ofClass, { disabled: false });
    expect(await counted()).toBe(before);
  });
});

describe('DELETE /users/:id', () => {
  it('deletes records, sessions and standings, frees the seat, and returns the student', async () => {
    const student = await newStudent();
    const { db } = test.database;
    const classId = school.grades[0].classes[0].id;
    await office.post('/scores', { userId: student.id, scoreChange: 5 });
    const signedIn = await test.signInStudent(school.schoolDb, student.username);
    const place = { school_id: school.id, class_id: classId };
    const seat = await db
      .insertInto('seat')
      .values({ ...place, group_index: 2, row_index: 1, col_index: 1, student_id: student.id })
      .returning('id')
      .executeTakeFirstOrThrow();

    const deleted = await staff.ofClass.delete(url(student.id));
    expect(deleted.data).toEqual({ id: student.id, username: student.username, classId });
    expect((await staff.ofClass.get(url(student.id))).status).toBe(404);
    expect((await signedIn.get('/auth/student/me')).status).toBe(401);
    const freed = await db
      .selectFrom('seat')
      .where('id', '=', seat.id)
      .select('student_id')
      .executeTakeFirst();
    expect(freed).toEqual({ student_id: null });
    expect((await staff.ofClass.delete(url(student.id))).status).toBe(404);
  });
});
