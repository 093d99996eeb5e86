import { describe, expect, it } from 'vitest';
import { createAdmin, createStaff, openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { createSampleSchool } from '../../../test/test-app.ts';

interface Entry {
  id: number;
  name: string;
}

const { test, admin, school, other, staff } = await openStaffedSchool();

let made = 0;
const unique = (what: string) => `${what} ${++made}`;
const createGrade = (name = unique('grade'), by: AdminClient = admin, schoolDb = school.schoolDb) =>
  by.post('/grades', { schoolDb, name });
const createClass = (gradeId: number, name = unique('class'), by: AdminClient = admin) =>
  by.post('/classes', { schoolDb: school.schoolDb, gradeId, name });
const idsOf = (answer: { data: unknown }) => (answer.data as Entry[]).map((entry) => entry.id);

describe('Grades', () => {
  it('are created with every field, and listed oldest first with the total', async () => {
    const created = await createGrade('Grade 9');
    expect(created).toMatchObject({ status: 200, success: true });
    expect(created.data).toEqual({
      id: expect.any(Number),
      name: 'Grade 9',
      schoolId: school.id,
      createdAt: test.clock.now().toISOString(),
      updatedAt: test.clock.now().toISOString(),
      archived: false,
      classCount: 0,
      studentCount: 0,
    });
    const list = await admin.get(`/grades?schoolDb=${school.schoolDb}`);
    expect(idsOf(list)).toEqual([...idsOf(list)].sort((a, b) => a - b));
    expect((list.data as Entry[]).at(-1)).toEqual(created.data);
    expect(list.headers['x-total-count']).toBe(String(idsOf(list).length));
  });

  it('need a name that is unique in the school, otherwise 409', async () => {
    expect((await createGrade('Taken grade')).status).toBe(200);
    expect(await createGrade(' Taken grade ')).toMatchObject({ status: 409, success: false, data: null });
    expect((await createGrade('taken grade')).status).toBe(200);
    expect((await createGrade('Taken grade', admin, other.schoolDb)).status).toBe(200);
  });

  it('are listed within the range: all, the own one, or that of the own class', async () => {
    const query = `/grades?schoolDb=${school.schoolDb}`;
    expect(idsOf(await staff.ofSchool.get(query))).toEqual(idsOf(await admin.get(query)));
    for (const member of [staff.ofGrade, staff.ofClass]) {
      const list = await member.get(query);
      expect(idsOf(list)).toEqual([school.grades[0].id]);
      expect(list.headers['x-total-count']).toBe('1');
    }
  });

  it('are deleted with their classes and students only', async () => {
    const doomed = await createSampleSchool(admin, 'School that shrinks');
    const [grade, kept] = doomed.grades;
    const office = await doomed.issue({});
    const [student] = grade.classes[0].students;
    await office.post('/scores', { userId: student?.id, scoreChange: 4 });
    const answer = await admin.delete(`/grades/${grade.id}?schoolDb=${doomed.schoolDb}`);
    expect(answer.data).toEqual({
      id: grade.id,
      name: 'Grade 1',
      cascadeDeleted: { classes: 2, students: 6 },
    });
    expect(idsOf(await admin.get(`/grades?schoolDb=${doomed.schoolDb}`))).toEqual([kept.id]);
    expect(idsOf(await admin.get(`/classes?schoolDb=${doomed.schoolDb}`))).toEqual(
      kept.classes.map((entry) => entry.id),
    );
    expect((await office.get('/students')).data).toMatchObject({ total: 6 });
    expect((await office.get('/scores')).data).toMatchObject({ total: 0 });
    expect((await admin.delete(`/grades/${grade.id}?schoolDb=${doomed.schoolDb}`)).status).toBe(404);
  });
});

describe('Classes', () => {
  it('are created with every field, including the name of their grade', async () => {
    const [grade] = school.grades;
    const created = await createClass(grade.id, 'Class 9');
    expect(created).toMatchObject({ status: 200, success: true });
    expect(created.data).toEqual({
      id: expect.any(Number),
      name: 'Class 9',
      gradeId: grade.id,
      gradeName: 'Grade 1',
      schoolId: school.id,
      createdAt: test.clock.now().toISOString(),
      updatedAt: test.clock.now().toISOString(),
      archived: false,
      studentCount: 0,
      disabledStudentCount: 0,
      totalScore: 0,
      addScore: 0,
      deductScore: 0,
      scoreCount: 0,
    });
    const list = await admin.get(`/classes?schoolDb=${school.schoolDb}`);
    expect(idsOf(list)).toEqual([...idsOf(list)].sort((a, b) => a - b));
    expect((list.data as Entry[]).at(-1)).toEqual(created.data);
  });

  it('need a name that is unique in the grade, otherwise 409', async () => {
    const [first, second] = school.grades;
    expect((await createClass(first.id, 'Taken class')).status).toBe(200);
    expect(await createClass(first.id, 'Taken class')).toMatchObject({ status: 409, data: null });
    expect((await createClass(second.id, 'Taken class')).status).toBe(200);
  });

  it('are listed within the range', async () => {
    const query = `/classes?schoolDb=${school.schoolDb}`;
    const all = (await admin.get(query)).data as (Entry & { gradeId: number })[];
    const ofGrade = all.filter((entry) => entry.gradeId === school.grades[0].id);
    expect((await staff.ofSchool.get(query)).data).toEqual(all);
    expect((await staff.ofGrade.get(query)).data).toEqual(ofGrade);
    expect((await staff.ofClass.get(query)).data).toEqual(ofGrade.slice(0, 1));
    expect((await staff.ofGrade.get(query)).headers['x-total-count']).toBe(String(ofGrade.length));
    expect((await staff.ofClass.get(query)).headers['x-total-count']).toBe('1');
  });

  it('are filtered by a grade in the range', async () => {
    const [first] = school.grades;
    const list = await admin.get(`/classes?schoolDb=${school.schoolDb}&gradeId=${first.id}`);
    const entries = list.data as { gradeId: number }[];
    expect(entries.length).toBeGreaterThanOrEqual(2);
    expect(entries.every((entry) => entry.gradeId === first.id)).toBe(true);
    expect(list.headers['x-total-count']).toBe(String(entries.length));
    const own = await staff.ofClass.get(`/classes?schoolDb=${school.schoolDb}&gradeId=${first.id}`);
    expect(idsOf(own)).toEqual([first.classes[0].id]);
  });

  it('are deleted with their students only', async () => {
    const doomed = await createSampleSchool(admin, 'School that loses a class');
    const [target, kept] = doomed.grades[0].classes;
    const answer = await admin.delete(`/classes/${target.id}?schoolDb=${doomed.schoolDb}`);
    expect(answer.data).toEqual({ id: target.id, name: 'Class A', cascadeDeleted: { students: 3 } });
    const left = idsOf(await admin.get(`/classes?schoolDb=${doomed.schoolDb}`));
    expect(left).toEqual([kept, ...doomed.grades[1].classes].map((entry) => entry.id));
    expect((await (await doomed.issue({})).get('/students')).data).toMatchObject({ total: 9 });
    expect((await admin.delete(`/classes/${target.id}?schoolDb=${doomed.schoolDb}`)).status).toBe(404);
  });
});

describe('Names of grades and classes', () => {
  it.each([
    ['no name', undefined],
    ['an empty name', ''],
    ['only white space', ' \t '],
    ['101 characters', 'x'.repeat(101)],
  ])('are rejected with 400: %s', async (_what, name) => {
    const grade = await admin.post('/grades', { schoolDb: school.schoolDb, name });
    expect(grade).toMatchObject({ status: 400, success: false, data: null });
    const gradeId = school.grades[0].id;
    expect((await admin.post('/classes', { schoolDb: school.schoolDb, gradeId, name })).status).toBe(400);
  });

  it('may have 100 characters of any script', async () => {
    expect((await createGrade('年'.repeat(100))).status).toBe(200);
    expect((await createClass(school.grades[0].id, '😀'.repeat(100))).status).toBe(200);
  });

  it('do not suffice for a class, which needs a gradeId', async () => {
    const answer = await admin.post('/classes', { schoolDb: school.schoolDb, name: 'x' });
    expect(answer).toMatchObject({ status: 400, message: 'gradeId is required' });
  });
});

describe('Lists of the internal API', () => {
  it('return everything without page or limit, otherwise at most 500 entries a page', async () => {
    const large = await admin.created<{ id: number; schoolDb: string }>('/schools', { name: 'Large School' });
    await test.database.pool.query(
      `INSERT INTO grade (school_id, name, created_at) SELECT $1, 'Grade ' || n, now() FROM generate_series(1, 520) n`,
      [large.id],
    );
    const list = async (query: string) => {
      const answer = await admin.get(`/grades?schoolDb=${large.schoolDb}${query}`);
      expect(answer).toMatchObject({ status: 200, headers: { 'x-total-count': '520' } });
      return idsOf(answer);
    };
    const all = await list('');
    expect(all).toHaveLength(520);
    expect(await list('&page=1')).toEqual(all.slice(0, 500));
    expect(await list('&page=2')).toEqual(all.slice(500));
    expect(await list('&limit=1000')).toEqual(all.slice(0, 500));
    expect(await list('&page=3&limit=7')).toEqual(all.slice(14, 21));
    expect(await list('&page=9007199254740991&limit=500')).toEqual([]);
  });
});

describe('Administrator whose grade or class was deleted', () => {
  it('stays signed in, with an empty range', async () => {
    const shrunk = await createSampleSchool(admin, 'School that lost a grade');
    const [lost, left] = shrunk.grades;
    const { ofGrade, ofClass } = await createStaff(test, shrunk);
    const witness = await createAdmin(test, {
      username: 'witness',
      role: 'grade_admin',
      schoolId: shrunk.id,
      gradeId: left.id,
    });
    expect((await admin.delete(`/grades/${lost.id}?schoolDb=${shrunk.schoolDb}`)).status).toBe(200);
    for (const member of [ofGrade, ofClass]) {
      expect((await member.get('/auth/me')).data).toMatchObject({
        schoolId: shrunk.id,
        gradeId: null,
        classId: null,
      });
      for (const path of ['/grades', '/classes']) {
        expect((await member.get(`${path}?schoolDb=${shrunk.schoolDb}`)).status).toBe(403);
      }
      expect(await member.get('/api-tokens')).toMatchObject({ status: 200, data: [] });
      expect(await member.get('/api-tokens/logs')).toMatchObject({ status: 200, data: { list: [] } });
      expect((await member.get('/api-tokens/meta')).data).toMatchObject({ scopeTypes: [] });
    }
    expect(idsOf(await witness.get(`/grades?schoolDb=${shrunk.schoolDb}`))).toEqual([left.id]);
  });
});
