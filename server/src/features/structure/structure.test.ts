import type { Class, Grade, GradeSummary, Template } from '@classledger/contract';
import { beforeEach, expect, it } from 'vitest';
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

const makeGrade = (title = name) => office.created<Grade>('/grades', { name: title });
const makeClass = (gradeId: number, title = name) =>
  office.created<Class>('/classes', { name: title, gradeId });
type Kind = 'grades' | 'classes';
const listInside = (kind: Kind, by = admin, query = '', at = schoolDb) =>
  by.get(`/${kind}?schoolDb=${at}${query}`);
const lastOf = async (kind: Kind) => ((await listInside(kind)).data as unknown[]).at(-1);

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

// changes.test.ts compares the names that classes, students and records show.
it('a renamed grade keeps its classes and students', async () => {
  const grade = await makeGrade();
  await school.newClass(grade.id, 1);
  const before = await lastOf('grades');
  test.clock.advance(1_000);
  const renamed = { name: `${name}, renamed`, updatedAt: now() };
  const answer = await office.patch(`/grades/${grade.id}`, { name: ` ${name}, renamed` });
  expect(answer.data).toEqual({ ...grade, ...renamed });
  expect(await lastOf('grades')).toEqual({ ...(before as GradeSummary), ...renamed });
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
  expect(await office.readAll(`/classes?gradeId=${another.id}`)).toEqual([elsewhere]);
  expect((await office.patch(`/classes/${id}`, { name: 'B' })).code).toBe(0);
  expect((await office.patch(`/classes/${elsewhere.id}`, { gradeId: grade.id, name: 'C' })).code).toBe(0);
  const names = (await office.readAll<Class>(`/classes?gradeId=${grade.id}`)).map((one) => one.name);
  expect(names).toEqual(['A', 'B', 'C']);
});

it('a class moves to another grade with its administrator and points', async () => {
  const [from, to] = [await makeGrade(), await makeGrade(`${name} too`)];
  const { id, students } = await school.newClass(from.id, 2);
  for (const student of students) await office.give(student.id, 2);
  const place = { schoolId: school.id, gradeId: from.id, classId: id };
  const head = await createAdmin(test, { username: name, role: 'class_admin', ...place });
  test.clock.advance(1_000);
  const answer = await office.patch(`/classes/${id}`, { gradeId: to.id });
  expect(answer.data).toMatchObject({ id, gradeId: to.id, gradeName: to.name, updatedAt: now() });
  expect(await head.read('/auth/me')).toMatchObject({ gradeId: to.id, classId: id });
  const sums = await admin.read(`/stats/overview?schoolDb=${schoolDb}&gradeId=${to.id}`);
  expect(sums).toMatchObject({ totalUsers: 2, totalScores: 4 });
  await test.expectVerifiedLedger();
});

it('lists of grades and classes are ordered by id, filtered by grade and limited to the range', async () => {
  const grades = await office.readAll<Grade>('/grades');
  const classes = await office.readAll<Class>('/classes');
  for (const all of [grades, classes]) expect(all).toEqual(all.toSorted((a, b) => a.id - b.id));
  const ofGrade = (id: number) => classes.filter(({ gradeId }) => gradeId === id);
  for (const { id } of grades) expect(await office.readAll(`/classes?gradeId=${id}`)).toEqual(ofGrade(id));
  const own = ofGrade(firstGrade.id);
  const ownGrade = grades.filter(({ id }) => id === firstGrade.id);
  for (const [kind, by, query, seen] of [
    ['grades', admin, '', grades],
    ['grades', staff.ofSchool, '', grades],
    ['grades', staff.ofGrade, '', ownGrade],
    ['grades', staff.ofClass, '', ownGrade],
    ['classes', admin, '', classes],
    ['classes', staff.ofSchool, '', classes],
    ['classes', staff.ofGrade, '', own],
    ['classes', staff.ofClass, '', own.slice(0, 1)],
    ['classes', admin, `&gradeId=${firstGrade.id}`, own],
    ['classes', staff.ofClass, `&gradeId=${firstGrade.id}`, own.slice(0, 1)],
  ] as const) {
    const answer = await listInside(kind, by, query);
    expect(answer.data).toMatchObject(seen);
    expect(answer.headers['x-total-count']).toBe(String(seen.length));
  }
});

it('lists of the internal API show the students and points of each class and grade, after every change', async () => {
  const { schoolDb: at, grades } = other;
  const [first, second] = grades;
  const [one, two] = first.classes[0].students.map(({ id }) => id);
  const give = (userId: number | undefined, scoreChange: number) =>
    admin.created('/scores/add', { schoolDb: at, userId, scoreChange });
  for (const points of [5, 0]) await give(one, points);
  await give(two, -2);
  await admin.patch(`/users/${two}`, { schoolDb: at, disabled: true });
  const untouched = { studentCount: 3, disabledStudentCount: 0, totalScore: 0, scoreCount: 0 };
  const changed = { id: first.classes[0].id, studentCount: 3, disabledStudentCount: 1 };
  expect(await admin.read(`/classes?schoolDb=${at}`)).toMatchObject([
    { ...changed, totalScore: 3, addScore: 5, deductScore: -2, scoreCount: 3 },
    ...[untouched, untouched, untouched],
  ]);
  /** Returns the numbers of classes and students of each grade. */
  const counts = async () => {
    const page = await admin.read<GradeSummary[]>(`/grades?schoolDb=${at}&limit=2&page=1`);
    return page.map(({ classCount, studentCount }) => `${classCount} ${studentCount}`);
  };
  expect(await counts()).toEqual(['2 6', '2 6']);
  await admin.patch(`/classes/${first.classes[0].id}`, { schoolDb: at, gradeId: second.id, name: 'Class C' });
  expect(await counts()).toEqual(['1 3', '3 9']);
  await admin.delete(`/users/${second.classes[0].students[0].id}?schoolDb=${at}`);
  await admin.delete(`/classes/${first.classes[1].id}?schoolDb=${at}`);
  expect(await counts()).toEqual(['0 0', '3 8']);
});

it('an administrator whose grade or class was deleted stays signed in, with an empty range', async () => {
  const shrunk = await createSampleSchool(admin, 'School that lost a grade');
  const [lost, left] = shrunk.grades;
  const { ofGrade, ofClass } = await createStaff(test, shrunk);
  const place = { schoolId: shrunk.id, gradeId: left.id };
  const witness = await createAdmin(test, { username: 'witness', role: 'grade_admin', ...place });
  expect((await admin.delete(`/grades/${lost.id}?schoolDb=${shrunk.schoolDb}`)).status).toBe(200);
  for (const member of [ofGrade, ofClass]) {
    const nowhere = { schoolId: shrunk.id, gradeId: null, classId: null };
    expect(await member.read('/auth/me')).toMatchObject(nowhere);
    for (const kind of ['grades', 'classes'] as const) {
      expect((await listInside(kind, member, '', shrunk.schoolDb)).status).toBe(403);
    }
    expect(await member.read('/api-tokens')).toEqual([]);
    expect(await member.read('/api-tokens/logs')).toMatchObject({ list: [] });
    expect(await member.read('/api-tokens/meta')).toMatchObject({ scopeTypes: [] });
  }
  expect((await listInside('grades', witness, '', shrunk.schoolDb)).data).toMatchObject([{ id: left.id }]);
});

/** The class of the class administrator, its neighbour in the grade, and one of another grade. */
const [classId, nextDoor] = firstGrade.classes.map(({ id }) => id) as [number, number];
const outside = school.grades[1].classes[0].id;
const makeTemplate = (body: object = {}) =>
  office.created<Template>('/templates', { name, scoreChange: 2, ...body });
const listTemplates = () => office.readAll<Template>('/templates');
const storedTemplate = async (id: number) => (await listTemplates()).find((template) => template.id === id);

it('a template’s name is unique among the templates of the school or class, otherwise 40901', async () => {
  const wide = await makeTemplate();
  const own = await makeTemplate({ classId });
  await makeTemplate({ classId: nextDoor });
  const other = await makeTemplate({ name: `${name} too`, classId });
  const taken = { status: 409, code: 40901, message: expect.stringContaining(name), data: null };
  expect(await office.post('/templates', { name: ` ${name} `, scoreChange: 1 })).toMatchObject(taken);
  expect(await office.post('/templates', { name, scoreChange: 1, classId })).toMatchObject(taken);
  expect(await office.patch(`/templates/${other.id}`, { name, scoreChange: 9 })).toMatchObject(taken);
  expect(await storedTemplate(other.id)).toEqual(other);
  expect((await office.patch(`/templates/${own.id}`, { name })).code).toBe(0);
  await office.delete(`/templates/${wide.id}`);
  expect((await makeTemplate()).id).not.toBe(wide.id);
});

it('templates of the school and of the classes in the range are listed by id and page by page', async () => {
  await makeTemplate();
  for (const place of [classId, nextDoor, outside]) await makeTemplate({ classId: place });
  const all = await listTemplates();
  expect(all).toEqual([...all].sort((a, b) => a.id - b.id));
  const of = (...owners: (number | null)[]) => all.filter((template) => owners.includes(template.classId));
  expect(of(null, classId).length).toBeLessThan(of(null, classId, nextDoor).length);
  const second = { list: all.slice(2, 4), total: all.length, page: 2, limit: 2 };
  expect(await office.read('/templates?limit=2&page=2')).toEqual(second);

  for (const [by, query, templates, total = templates.length] of [
    [staff.ofSchool, '', all],
    [staff.ofGrade, '', of(null, classId, nextDoor)],
    [staff.ofGrade, `&classId=${classId}`, of(null, classId)],
    [staff.ofClass, '', of(null, classId)],
    [staff.ofSchool, '&limit=1&page=2', all.slice(1, 2), all.length],
  ] as const) {
    const { data, headers } = await by.get(`/scores/templates?schoolDb=${schoolDb}${query}`);
    expect([data, headers['x-total-count']]).toEqual([templates, String(total)]);
  }
});

it.each(['classes', 'grades'])('templates of a class are deleted with it: DELETE /%s', async (kind) => {
  const grade = await makeGrade();
  const place = await makeClass(grade.id);
  const own = await makeTemplate({ classId: place.id });
  const wide = await makeTemplate();
  const { id } = kind === 'classes' ? place : grade;
  expect((await office.delete(`/${kind}/${id}?confirm=true`)).code).toBe(0);
  expect(await storedTemplate(own.id)).toBeUndefined();
  expect(await storedTemplate(wide.id)).toEqual(wide);
});
