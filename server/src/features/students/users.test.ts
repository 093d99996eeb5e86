import type { BulkStudents } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';
import type { SampleStudent } from '../../../test/test-app.ts';

const { test, admin, school, staff, office } = await openStaffedSchool();

const [ownClass, nextClass] = school.grades[0].classes;
const usernames = ({ data }: InternalAnswer) => (data as { username: string }[]).map((one) => one.username);
const list = (who: AdminClient, query = '') => who.get(`/users?schoolDb=${school.schoolDb}${query}`);
const url = (id: number) => `/users/${id}?schoolDb=${school.schoolDb}`;

let made = 0;
const fresh = () => `made${++made}`;
const newStudent = () => {
  const body = { schoolDb: school.schoolDb, username: fresh(), password: 'secret-password' };
  return admin.created<SampleStudent>('/users', { ...body, classId: ownClass.id });
};

let seats = 0;
/** Puts a student on a new seat, and returns a function that reads who has it. */
async function giveSeat(studentId: number) {
  const { db } = test.database;
  const place = { school_id: school.id, class_id: ownClass.id, row_index: 1, col_index: 1 };
  const { id } = await db
    .insertInto('seat')
    .values({ ...place, group_index: ++seats, student_id: studentId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return async () =>
    (await db.selectFrom('seat').where('id', '=', id).select('student_id').executeTakeFirst())?.student_id;
}

describe('GET /users', () => {
  it('lists the students of the range by id, without account data', async () => {
    const ofClass = await list(staff.ofClass);
    expect(usernames(ofClass)).toEqual(['s1a1', 's1a2', 's1a3']);
    expect(ofClass.headers['x-total-count']).toBe('3');
    const at = '2026-09-15T10:00:00.000Z';
    expect((ofClass.data as object[])[0]).toEqual({
      ...{ id: expect.any(Number), username: 's1a1', actualName: 's1a1' },
      ...{ externalId: null, cardNumber: null, passwordState: 'shared', disabled: false, erased: false },
      ...{ classId: ownClass.id, className: 'Class A' },
      ...{ gradeId: school.grades[0].id, gradeName: 'Grade 1' },
      ...{ totalScore: 0, addScore: 0, deductScore: 0, scoreCount: 0, createdAt: at, updatedAt: at },
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
  let student: SampleStudent;
  beforeEach(async () => {
    student = await newStudent();
  });
  const change = (who: AdminClient, body: object) => who.patch(url(student.id), body);

  it('changes the named fields and returns the account', async () => {
    const renamed = { username: `renamed ${student.id}`, actualName: '李伟' };
    const answer = await change(staff.ofClass, renamed);
    expect(answer.data).toEqual({
      ...((await staff.ofClass.get(url(student.id))).data as object),
      ...{ ...renamed, className: 'Class A', disabled: false },
      ...{ email: null, emailBound: false, emailBoundAt: null },
    });
  });

  it('moves a student with records, and frees the seat in the old class', async () => {
    await office.give(student.id, 5);
    const seated = await giveSeat(student.id);
    await change(staff.ofGrade, { actualName: 'stays', classId: ownClass.id });
    expect(await seated()).toBe(student.id);
    const moved = await change(staff.ofGrade, { classId: nextClass.id });
    expect(moved.data).toMatchObject({ classId: nextClass.id, className: 'Class B', totalScore: 5 });
    expect(await seated()).toBeNull();
  });

  it.each([{}, { password: null }, { passwordHash: 'x' }])('answers 400 to %j', async (body) => {
    expect(await change(staff.ofSchool, body)).toMatchObject({
      status: 400,
      message: expect.stringContaining('changes nothing'),
    });
  });
});

it('DELETE /users/:id deletes records, sessions and standings, frees the seat, and returns the student', async () => {
  const student = await newStudent();
  await office.give(student.id, 5);
  const signedIn = await test.signInStudent(school.schoolDb, student.username);
  const seated = await giveSeat(student.id);

  const deleted = await staff.ofClass.delete(url(student.id));
  const { id, username } = student;
  expect(deleted.data).toEqual({ id, username, classId: ownClass.id });
  expect((await signedIn.get('/auth/student/me')).status).toBe(401);
  expect(await seated()).toBeNull();
  expect((await staff.ofClass.delete(url(student.id))).status).toBe(404);
});

describe('Email address of a student', () => {
  const address = 'li.wei@mail.example';
  const student = school.grades[0].classes[0].students[0] as SampleStudent;
  const bind = async (who: AdminClient, email: string | null) =>
    (await who.patch(url(student.id), { email })).data;
  const read = async (who: AdminClient) => (await who.get(url(student.id))).data;

  it('an email address of a student is bound when it is set, and unbound by null', async () => {
    const bound = { email: address, emailBound: true, emailBoundAt: test.clock.now().toISOString() };
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

const create = (who: AdminClient, body: object) => {
  const isWhole = ['password', 'students', 'defaultPassword'].some((name) => name in body);
  const password = isWhole ? {} : { generatePassword: true };
  return who.post('/users', { schoolDb: school.schoolDb, ...password, ...body });
};

describe('POST /users for one student', () => {
  it.each([
    ['neither password nor generatePassword', {}, 'password is required'],
    ['generatePassword: false', { generatePassword: false }, 'password is required'],
    ['both', { password: 'kindle42', generatePassword: true }, 'not both'],
  ])('creating a student with %s in the password fields answers 400', async (_what, body, message) => {
    const student = { schoolDb: school.schoolDb, username: fresh(), classId: ownClass.id };
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
    const { data } = await create(staff.ofClass, { username, actualName: name, classId: ownClass.id });
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

it('POST /users for a batch uses the class of a class administrator, and fails entries without a class of others', async () => {
  const one = await create(staff.ofClass, { students: [{ username: fresh() }] });
  expect(one.data).toMatchObject({ successCount: 1 });
  const students = [{ username: fresh() }, { username: fresh(), classId: ownClass.id }];
  const mixed = (await create(staff.ofSchool, { students })).data as BulkStudents;
  expect(mixed.details).toMatchObject([
    { success: false, code: 40003, reason: 'classId is required', username: students[0]?.username },
    { success: true, username: students[1]?.username },
  ]);
});
