import type { BulkStudents } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';
import type { SampleStudent } from '../../../test/test-app.ts';

const { test, admin, school, staff, office } = await openStaffedSchool();

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

  it.each([{}, { password: null }, { passwordHash: 'x' }])('answers 400 to %j', async (body) => {
    expect(await change(staff.ofSchool, body)).toMatchObject({
      status: 400,
      message: expect.stringContaining('changes nothing'),
    });
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

describe('Email address of a student', () => {
  const address = 'li.wei@mail.example';
  const student = school.grades[0].classes[0].students[0] as SampleStudent;
  const bind = async (who: AdminClient, email: string | null) =>
    (await who.patch(url(student.id), { email })).data;
  const read = async (who: AdminClient) => (await who.get(url(student.id))).data;

  it('an email address of a student is bound when it is set, and unbound by null', async () => {
    const at = test.clock.now().toISOString();
    const bound = { email: address, emailBound: true, emailBoundAt: at };
    expect(await bind(staff.ofClass, ` ${address} `)).toMatchObject(bound);
    test.clock.advance(1000);
    await staff.ofClass.patch(url(student.id), { actualName: 'Li Wei' });
    expect(await read(staff.ofClass)).toMatchObject(bound);
    expect(await bind(staff.ofClass, 'new@mail.example')).toMatchObject({
      email: 'new@mail.example',
      emailBoundAt: test.clock.now().toISOString(),
    });
    const unbound = { email: null, emailBound: false, emailBoundAt: null };
    expect(await bind(staff.ofClass, null)).toMatchObject(unbound);
    expect(await read(staff.ofClass)).toMatchObject(unbound);
  });

  it('an email address of a student is visible to administrators of the school and to the student', async () => {
    await bind(staff.ofSchool, address);
    for (const who of [staff.ofSchool, staff.ofGrade, staff.ofClass]) {
      expect(await read(who)).toMatchObject({ email: address, emailBound: true });
    }
    const self = await test.signInStudent(school.schoolDb, student.username);
    expect((await self.get('/auth/student/me')).data).toMatchObject({ email: address });
  });
});

let named = 0;
const fresh = () => `fresh${++named}`;
const create = (who: AdminClient, body: object) => {
  const isWhole = ['password', 'students', 'defaultPassword'].some((name) => name in body);
  const password = isWhole ? {} : { generatePassword: true };
  return who.post('/users', { schoolDb: school.schoolDb, ...password, ...body });
};
const own = () => school.grades[0].classes[0].id;

const bulk = ({ data }: InternalAnswer) => data as BulkStudents;

describe('POST /users for one student', () => {
  it.each([
    ['neither password nor generatePassword', {}, 'password is required'],
    ['generatePassword: false', { generatePassword: false }, 'password is required'],
    ['both', { password: 'kindle42', generatePassword: true }, 'not both'],
  ])('creating a student with %s in the password fields answers 400', async (_what, body, message) => {
    const student = { schoolDb: school.schoolDb, username: fresh(), classId: own() };
    expect(await staff.ofClass.post('/users', { ...student, ...body })).toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
      data: null,
    });
  });

  it.each([
    '𠮷田',
    '𬸦𰻞',
    '王👨‍👩‍👧',
    'Zoe\u0308',
    'Zo\u00EB',
    '张\uE863\u{F0001}',
    'བཀྲ་ཤིས།',
    '２０２６（Ａ）',
    '李\u200B\u00A0伟',
    '葛\u{E0100}城',
  ])('a new student keeps the name %s unchanged, and is found by each character of it', async (name) => {
    const username = `${fresh()}${name.replace(/\s/g, '')}`;
    const { data } = await create(staff.ofClass, { username, actualName: name, classId: own() });
    expect(data).toMatchObject({ username, actualName: name });
    for (const search of [...name.replace(/\s/g, '')]) {
      const path = `/users?schoolDb=${school.schoolDb}&search=${encodeURIComponent(search)}`;
      const found = (await staff.ofClass.get(path)).data as { username: string; actualName: string }[];
      expect(found.map((one) => [one.username, one.actualName])).toContainEqual([username, name]);
    }
  });

  it.each([
    ['no class', { username: 'x' }, 'classId is required'],
    ['a username with a line break', { username: 'a\nb', classId: 1 }, 'username'],
    ['a default password without a batch', { defaultPassword: 'kindle42' }, 'students is required'],
  ])('creating a student with %s answers 400', async (_what, body, message) => {
    const answer = await create(staff.ofClass, body);
    expect(answer).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });
});

describe('POST /users for a batch', () => {
  it('uses the class of a class administrator, and fails entries without a class of others', async () => {
    const students = [{ username: fresh() }];
    expect(bulk(await create(staff.ofClass, { students })).successCount).toBe(1);
    const [without, withOne] = [fresh(), fresh()];
    const mixed = bulk(
      await create(staff.ofSchool, {
        students: [{ username: without }, { username: withOne, classId: own() }],
      }),
    );
    expect(mixed.details).toMatchObject([
      { success: false, code: 40003, reason: 'classId is required', username: without },
      { success: true, username: withOne },
    ]);
  });
});
