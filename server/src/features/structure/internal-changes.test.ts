import type { ClassSummary, GradeSummary } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { AdminClient } from '../../../test/identities.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';
import { createSampleSchool } from '../../../test/test-app.ts';

const schools = await StaffedSchools.open();
const { chief, school, staff } = schools;

const unique = (what = 'changed') => schools.newName(what);
const newGrade = () =>
  chief.created<GradeSummary>('/grades', { schoolDb: school.schoolDb, name: unique('grade') });
const newClass = (gradeId: number) =>
  chief.created<ClassSummary>('/classes', { schoolDb: school.schoolDb, gradeId, name: unique('class') });
const change = (kind: 'grades' | 'classes', id: number, body: object, by: AdminClient = chief) =>
  by.patch(`/${kind}/${id}`, { schoolDb: school.schoolDb, ...body });
const classesOf = async (schoolDb: string) =>
  (await chief.get(`/classes?schoolDb=${schoolDb}`)).data as ClassSummary[];
const gradesOf = async (schoolDb: string, by: AdminClient = chief) =>
  (await by.get(`/grades?schoolDb=${schoolDb}`)).data as GradeSummary[];

describe('Counts of grades and classes', () => {
  it('include the students and point totals of each class', async () => {
    const counted = await createSampleSchool(chief, 'School that is counted');
    const { schoolDb } = counted;
    const [first] = counted.grades[0].classes;
    const [one, two] = first.students.map(({ id }) => id);
    for (const [userId, scoreChange] of [
      [one, 5],
      [one, 0],
      [two, -2],
    ] as const) {
      expect(await chief.post('/scores/add', { schoolDb, userId, scoreChange })).toMatchObject({
        status: 200,
      });
    }
    await chief.patch(`/users/${two}`, { schoolDb, disabled: true });
    const [found, ...others] = await classesOf(schoolDb);
    expect(found).toMatchObject({
      id: first.id,
      studentCount: 3,
      disabledStudentCount: 1,
      totalScore: 3,
      addScore: 5,
      deductScore: -2,
      scoreCount: 3,
    });
    for (const other of others) {
      expect(other).toMatchObject({ studentCount: 3, disabledStudentCount: 0, totalScore: 0, scoreCount: 0 });
    }
  });

  it('include the classes and students of each grade, and follow moves and deletions', async () => {
    const counted = await createSampleSchool(chief, 'School that moves');
    const { schoolDb } = counted;
    const [first, second] = counted.grades;
    const counts = async () =>
      (await gradesOf(schoolDb)).map(({ classCount, studentCount }) => [classCount, studentCount]);
    expect(await counts()).toEqual([
      [2, 6],
      [2, 6],
    ]);
    await chief.patch(`/classes/${first.classes[0].id}`, { schoolDb, gradeId: second.id, name: 'Class C' });
    expect(await counts()).toEqual([
      [1, 3],
      [3, 9],
    ]);
    await chief.delete(`/users/${second.classes[0].students[0]?.id}?schoolDb=${schoolDb}`);
    await chief.delete(`/classes/${first.classes[1].id}?schoolDb=${schoolDb}`);
    expect(await counts()).toEqual([
      [0, 0],
      [3, 8],
    ]);
  });
});

describe('Renaming a grade', () => {
  it('returns the record with its counts and changes only the name', async () => {
    const [before] = await gradesOf(school.schoolDb);
    const name = unique();
    const renamed = await change('grades', school.grades[0].id, { name: ` ${name} ` });
    expect(renamed).toMatchObject({ status: 200, success: true });
    expect(renamed.data).toEqual({ ...before, name });
    expect((await gradesOf(school.schoolDb))[0]).toEqual({ ...before, name });
    expect((await classesOf(school.schoolDb))[0]).toMatchObject({ gradeName: name });
  });

  it('answers 409 to the name of another grade, but not to its own or another school’s', async () => {
    const [one, two] = [await newGrade(), await newGrade()];
    expect((await change('grades', one.id, { name: one.name })).status).toBe(200);
    expect(await change('grades', one.id, { name: two.name })).toMatchObject({ status: 409, data: null });
    const { schoolDb } = schools.other;
    const elsewhere = await chief.created<GradeSummary>('/grades', { schoolDb, name: unique() });
    expect((await change('grades', one.id, { name: elsewhere.name })).status).toBe(200);
  });
});

describe('Renaming a class', () => {
  it('returns the record with its counts and changes only the name', async () => {
    const [before] = await classesOf(school.schoolDb);
    const name = unique();
    const { id } = school.grades[0].classes[0];
    const renamed = await change('classes', id, { name });
    expect(renamed.data).toEqual({ ...before, name });
    expect((await classesOf(school.schoolDb))[0]).toEqual({ ...before, name });
  });

  it('answers 409 to a name in the same grade, but not in another grade', async () => {
    const grade = await newGrade();
    const [one, two] = [await newClass(grade.id), await newClass(grade.id)];
    const elsewhere = await newClass((await newGrade()).id);
    expect(await change('classes', one.id, { name: two.name })).toMatchObject({ status: 409, data: null });
    expect((await change('classes', one.id, { name: one.name })).status).toBe(200);
    expect((await change('classes', one.id, { name: elsewhere.name })).status).toBe(200);
  });
});

describe('Moving a class', () => {
  it('moves its students, records and administrator along', async () => {
    const moving = await createSampleSchool(chief, unique('School'));
    const [from, to] = moving.grades;
    const [place] = from.classes;
    const { schoolDb } = moving;
    const userId = place.students[0]?.id as number;
    await chief.post('/scores/add', { schoolDb, userId, scoreChange: 4 });
    const teacher = await schools.member('class_admin', { gradeId: from.id, classId: place.id }, moving.id);
    const body = { schoolDb, gradeId: to.id, name: 'Class Z' };
    const moved = await chief.patch(`/classes/${place.id}`, body);
    expect(moved.data).toMatchObject({
      id: place.id,
      name: 'Class Z',
      gradeId: to.id,
      gradeName: 'Grade 2',
      studentCount: 3,
      totalScore: 4,
    });
    expect((await chief.get(`/users/${userId}?schoolDb=${schoolDb}`)).data).toMatchObject({
      gradeId: to.id,
      className: 'Class Z',
      totalScore: 4,
    });
    expect((await teacher.get('/auth/me')).data).toMatchObject({ gradeId: to.id, classId: place.id });
    expect((await chief.get(`/stats/overview?schoolDb=${schoolDb}&gradeId=${to.id}`)).data).toMatchObject({
      totalUsers: 9,
      totalScores: 4,
    });
  });

  it('to a grade with a class of the same name answers 409 and moves nothing', async () => {
    const [one, two] = [await newGrade(), await newGrade()];
    const moving = await newClass(one.id);
    const { schoolDb } = school;
    await chief.created('/classes', { schoolDb, gradeId: two.id, name: moving.name });
    expect(await change('classes', moving.id, { gradeId: two.id })).toMatchObject({
      status: 409,
      data: null,
    });
    expect((await classesOf(schoolDb)).find(({ id }) => id === moving.id)).toEqual(moving);
  });

  it('needs both grades in the range, otherwise 403', async () => {
    const { grade, otherGrade, first, third } = schools.places;
    const status = async (by: AdminClient, target: { id: number }, gradeId: number) =>
      (await change('classes', target.id, { gradeId }, by)).status;
    expect(await status(staff.ofGrade, first, otherGrade.id)).toBe(403);
    expect(await status(staff.ofGrade, third, grade.id)).toBe(403);
    const moving = await newClass(grade.id);
    expect(await status(staff.ofSchool, moving, otherGrade.id)).toBe(200);
    expect(await status(staff.ofSchool, moving, grade.id)).toBe(200);
  });
});

describe('Change of a grade or class', () => {
  it.each([
    ['nothing', {}],
    ['an empty name', { name: '' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
  ])('with %s answers 400', async (_what, body) => {
    const { grade, first } = schools.places;
    expect(await change('grades', grade.id, body)).toMatchObject({ status: 400, success: false, data: null });
    expect(await change('classes', first.id, body)).toMatchObject({
      status: 400,
      success: false,
      data: null,
    });
  });
});
