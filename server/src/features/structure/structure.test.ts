import type { Class, ClassSummary, Grade, GradeSummary } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, createStaff, openStaffedSchool } from '../../../test/administrators.ts';
import { createSampleSchool } from '../../../test/test-app.ts';

const { test, admin, school, other, staff, office } = await openStaffedSchool();
const { schoolDb } = school;
const [firstGrade] = school.grades;

let counter = 0;
let name: string;
beforeEach(() => {
  name = `Made ${++counter}`;
  test.clock.advance(1_000);
});
const now = () => test.clock.now().toISOString();

async function made<T>(path: string, body: object): Promise<T> {
  const answer = await office.post(path, body);
  expect(answer).toMatchObject({ status: 200, code: 0 });
  return answer.data as T;
}
const makeGrade = (title = name) => made<Grade>('/grades', { name: title });
const makeClass = (gradeId: number, title = name) => made<Class>('/classes', { name: title, gradeId });
/** Creates students who get 2 points each. */
async function makeStudents(classId: number, count: number): Promise<number[]> {
  const batch = Array.from({ length: count }, (_, i) => ({ username: `${classId}.${i}` }));
  const body = { classId, defaultPassword: 'secret-password', batch };
  const { details } = await made<{ details: { id: number }[] }>('/students', body);
  await made('/scores', { scoreChange: 2, items: details.map(({ id }) => ({ userId: id })) });
  return details.map(({ id }) => id);
}
async function everyPage<T>(path: string): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const url = `${path}${path.includes('?') ? '&' : '?'}limit=3&page=${page}`;
    const { list, ...rest } = (await office.get(url)).data as { list: T[]; total: number };
    all.push(...list);
    if (list.length < 3) {
      expect(rest).toEqual({ total: all.length, page, limit: 3 });
      return all;
    }
  }
}

const listInside = (kind: 'grades' | 'classes', by = admin, query = '', at = schoolDb) =>
  by.get(`/${kind}?schoolDb=${at}${query}`);
const idsOf = ({ data }: { data: unknown }) => (data as { id: number }[]).map(({ id }) => id);
const lastOf = async (kind: 'grades' | 'classes') => ((await listInside(kind)).data as unknown[]).at(-1);

describe('Grade', () => {
  it('a grade is created with its trimmed name and every field, in both APIs', async () => {
    const grade = { id: expect.any(Number), schoolId: school.id, createdAt: now(), updatedAt: now() };
    const external = await makeGrade(`  ${name}  `);
    expect(external).toEqual({ ...grade, name, archived: false });
    expect((await everyPage<Grade>('/grades')).at(-1)).toEqual(external);
    const internal = await admin.created<GradeSummary>('/grades', { schoolDb, name: `${name} too` });
    const counts = { classCount: 0, studentCount: 0 };
    expect(internal).toEqual({ ...grade, name: `${name} too`, archived: false, ...counts });
    expect(await lastOf('grades')).toEqual(internal);
  });

  it('the name of a grade is unique in the school, otherwise 40901', async () => {
    const grade = await makeGrade();
    const another = await makeGrade(`${name} too`);
    const taken = { status: 409, code: 40901, data: null };
    expect(await office.post('/grades', { name: ` ${name} ` })).toMatchObject(taken);
    expect(await office.patch(`/grades/${another.id}`, { name })).toMatchObject(taken);
    expect((await office.patch(`/grades/${grade.id}`, { name })).code).toBe(0);
    await makeGrade(name.toUpperCase());
    await admin.created('/grades', { schoolDb: other.schoolDb, name });
  });

  it('the classes and students of a renamed grade show its new name, and nothing else changes', async () => {
    const grade = await makeGrade();
    const { id: classId } = await makeClass(grade.id);
    const [studentId] = await makeStudents(classId, 1);
    const before = await lastOf('grades');
    test.clock.advance(1_000);
    const renamed = { name: `${name}, renamed`, updatedAt: now() };
    const answer = await office.patch(`/grades/${grade.id}`, { name: ` ${name}, renamed` });
    expect(answer.data).toEqual({ ...grade, ...renamed });
    expect(await lastOf('grades')).toEqual({ ...(before as GradeSummary), ...renamed });
    const gradeName = renamed.name;
    expect((await office.get(`/students/${studentId}`)).data).toMatchObject({
      ...{ gradeName, recentScores: [{ gradeName }] },
    });
    expect(await everyPage(`/classes?gradeId=${grade.id}`)).toMatchObject([{ gradeName }]);
  });
});

describe('Class', () => {
  it('a class is created in a grade with its trimmed name and every field, in both APIs', async () => {
    const grade = await makeGrade();
    const place = { gradeId: grade.id, gradeName: grade.name, schoolId: school.id, archived: false };
    const found = { id: expect.any(Number), ...place, createdAt: now(), updatedAt: now() };
    const external = await makeClass(grade.id, ' Class 1 ');
    expect(external).toEqual({ ...found, name: 'Class 1' });
    expect(await everyPage(`/classes?gradeId=${grade.id}`)).toEqual([external]);
    const body = { schoolDb, gradeId: grade.id, name: 'Class 2' };
    const internal = await admin.created<ClassSummary>('/classes', body);
    expect(internal).toEqual({
      ...{ ...found, name: 'Class 2', studentCount: 0, disabledStudentCount: 0 },
      ...{ totalScore: 0, addScore: 0, deductScore: 0, scoreCount: 0 },
    });
    expect(await lastOf('classes')).toEqual(internal);
  });

  it('the name of a class is unique in its grade, otherwise 40901', async () => {
    const [grade, another] = [await makeGrade(), await makeGrade(`${name} too`)];
    await makeClass(grade.id, 'A');
    const { id } = await makeClass(grade.id, 'B');
    const elsewhere = await makeClass(another.id, 'A');
    const taken = { status: 409, code: 40901, data: null };
    expect(await office.post('/classes', { name: ' A', gradeId: grade.id })).toMatchObject(taken);
    expect(await office.patch(`/classes/${id}`, { name: 'A' })).toMatchObject(taken);
    expect(await office.patch(`/classes/${elsewhere.id}`, { gradeId: grade.id })).toMatchObject(taken);
    expect(await everyPage(`/classes?gradeId=${another.id}`)).toEqual([elsewhere]);
    expect((await office.patch(`/classes/${id}`, { name: 'B' })).code).toBe(0);
    const moved = await office.patch(`/classes/${elsewhere.id}`, { gradeId: grade.id, name: 'C' });
    expect(moved.code).toBe(0);
    const names = (await everyPage<Class>(`/classes?gradeId=${grade.id}`)).map((one) => one.name);
    expect(names).toEqual(['A', 'B', 'C']);
  });

  it('a class moves to another grade with its administrator and points', async () => {
    const [from, to] = [await makeGrade(), await makeGrade(`${name} too`)];
    const { id } = await makeClass(from.id);
    await makeStudents(id, 2);
    const place = { schoolId: school.id, gradeId: from.id, classId: id };
    const head = await createAdmin(test, { username: name, role: 'class_admin', ...place });
    test.clock.advance(1_000);
    const answer = await office.patch(`/classes/${id}`, { gradeId: to.id });
    const moved = { id, name, gradeId: to.id, gradeName: to.name, updatedAt: now() };
    expect(answer.data).toMatchObject(moved);
    expect((await head.get('/auth/me')).data).toMatchObject({ gradeId: to.id, classId: id });
    const sums = await admin.get(`/stats/overview?schoolDb=${schoolDb}&gradeId=${to.id}`);
    expect(sums.data).toMatchObject({ totalUsers: 2, totalScores: 4 });
    await test.expectVerifiedLedger();
  });
});

describe('Lists of grades and classes', () => {
  it('lists of grades and classes are ordered by id, paged, filtered by grade and limited to the range', async () => {
    const grades = await everyPage<Grade>('/grades');
    const classes = await everyPage<Class>('/classes');
    for (const all of [grades, classes]) {
      expect(idsOf({ data: all })).toEqual(idsOf({ data: all }).sort((a, b) => a - b));
    }
    const ofGrade = (id: number) => classes.filter(({ gradeId }) => gradeId === id);
    for (const { id } of grades) expect(await everyPage(`/classes?gradeId=${id}`)).toEqual(ofGrade(id));
    const own = ofGrade(firstGrade.id);
    const ownGrade = grades.filter(({ id }) => id === firstGrade.id);
    for (const [by, query, seenGrades, seenClasses] of [
      [admin, '', grades, classes],
      [staff.ofSchool, '', grades, classes],
      [staff.ofGrade, '', ownGrade, own],
      [staff.ofClass, '', ownGrade, own.slice(0, 1)],
      [admin, `&gradeId=${firstGrade.id}`, null, own],
      [staff.ofClass, `&gradeId=${firstGrade.id}`, null, own.slice(0, 1)],
    ] as const) {
      const lists = { grades: seenGrades, classes: seenClasses };
      for (const [kind, seen] of Object.entries(lists)) {
        if (seen === null) continue;
        const answer = await listInside(kind as 'grades', by, query);
        expect(answer.data).toMatchObject(seen);
        expect(answer.headers['x-total-count']).toBe(String(seen.length));
      }
    }
  });

  it('lists of the internal API show the students and points of each class and grade, after every change', async () => {
    const { schoolDb: at, grades } = other;
    const [first, second] = grades;
    const [one, two] = idsOf({ data: first.classes[0].students });
    const give = (userId: number | undefined, scoreChange: number) =>
      admin.created('/scores/add', { schoolDb: at, userId, scoreChange });
    for (const points of [5, 0]) await give(one, points);
    await give(two, -2);
    await admin.patch(`/users/${two}`, { schoolDb: at, disabled: true });
    const untouched = { studentCount: 3, disabledStudentCount: 0, totalScore: 0, scoreCount: 0 };
    const changed = { id: first.classes[0].id, studentCount: 3, disabledStudentCount: 1 };
    expect((await listInside('classes', admin, '', at)).data).toMatchObject([
      { ...changed, totalScore: 3, addScore: 5, deductScore: -2, scoreCount: 3 },
      ...[untouched, untouched, untouched],
    ]);
    /** Returns the numbers of classes and students of each grade. */
    const counts = async () => {
      const { data } = await listInside('grades', admin, '&limit=2&page=1', at);
      return (data as GradeSummary[]).map(({ classCount, studentCount }) => `${classCount} ${studentCount}`);
    };
    expect(await counts()).toEqual(['2 6', '2 6']);
    const move = { schoolDb: at, gradeId: second.id, name: 'Class C' };
    await admin.patch(`/classes/${first.classes[0].id}`, move);
    expect(await counts()).toEqual(['1 3', '3 9']);
    await admin.delete(`/users/${second.classes[0].students[0]?.id}?schoolDb=${at}`);
    await admin.delete(`/classes/${first.classes[1].id}?schoolDb=${at}`);
    expect(await counts()).toEqual(['0 0', '3 8']);
  });
});

it('an administrator whose grade or class was deleted stays signed in, with an empty range', async () => {
  const shrunk = await createSampleSchool(admin, 'School that lost a grade');
  const [lost, left] = shrunk.grades;
  const { ofGrade, ofClass } = await createStaff(test, shrunk);
  const place = { schoolId: shrunk.id, gradeId: left.id };
  const witness = await createAdmin(test, { username: 'witness', role: 'grade_admin', ...place });
  expect((await admin.delete(`/grades/${lost.id}?schoolDb=${shrunk.schoolDb}`)).status).toBe(200);
  for (const member of [ofGrade, ofClass]) {
    expect((await member.get('/auth/me')).data).toMatchObject({
      ...{ schoolId: shrunk.id, gradeId: null, classId: null },
    });
    for (const kind of ['grades', 'classes'] as const) {
      expect((await listInside(kind, member, '', shrunk.schoolDb)).status).toBe(403);
    }
    expect(await member.get('/api-tokens')).toMatchObject({ status: 200, data: [] });
    expect(await member.get('/api-tokens/logs')).toMatchObject({ status: 200, data: { list: [] } });
    expect((await member.get('/api-tokens/meta')).data).toMatchObject({ scopeTypes: [] });
  }
  expect(idsOf(await listInside('grades', witness, '', shrunk.schoolDb))).toEqual([left.id]);
});
