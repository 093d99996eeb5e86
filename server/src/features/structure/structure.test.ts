import type { Class, Grade, Overview } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSchool } from '../../../test/test-app.ts';

const { test, admin, school, office, gradeHead, teacher } = await openSchool();

describe('External API for grades and classes', () => {
  let counter = 0;
  let name: string;

  beforeEach(() => {
    name = `Made ${++counter}`;
    test.clock.advance(1_000);
  });

  async function made<T>(path: string, body: object, by = office): Promise<T> {
    const answer = await by.post(path, body);
    expect(answer).toMatchObject({ status: 200, code: 0 });
    return answer.data as T;
  }
  const makeGrade = (title = name) => made<Grade>('/grades', { name: title });
  const makeClass = (gradeId: number, title = name) => made<Class>('/classes', { name: title, gradeId });
  async function makeStudents(classId: number, count: number): Promise<number[]> {
    const batch = Array.from({ length: count }, (_, i) => ({ username: `${classId}.${i}` }));
    const { details } = await made<{ details: { id: number }[] }>('/students', {
      classId,
      defaultPassword: 'secret-password',
      batch,
    });
    const items = details.map(({ id }) => ({ userId: id }));
    await made('/scores', { scoreChange: 2, items });
    return details.map(({ id }) => id);
  }
  async function everyPage<T>(path: string, by = office): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; ; page++) {
      const { list } = (await by.get(`${path}${path.includes('?') ? '&' : '?'}limit=100&page=${page}`))
        .data as {
        list: T[];
      };
      all.push(...list);
      if (list.length < 100) return all;
    }
  }

  describe('Grade', () => {
    it('is created with its trimmed name and every field', async () => {
      const grade = await makeGrade(`  ${name}  `);
      expect(grade).toEqual({
        id: expect.any(Number),
        name,
        schoolId: school.id,
        createdAt: test.clock.now().toISOString(),
        updatedAt: test.clock.now().toISOString(),
        archived: false,
      });
      expect((await everyPage<Grade>('/grades')).at(-1)).toEqual(grade);
    });

    it('needs a name of 1 to 100 characters', async () => {
      expect((await makeGrade('年'.repeat(99) + counter)).name).toHaveLength(99 + String(counter).length);
      for (const bad of ['', ' ', 'x'.repeat(101), 5, null, ['x']]) {
        const answer = await office.post('/grades', { name: bad });
        expect([bad, answer.status, answer.code]).toEqual([bad, 400, 40002]);
      }
      expect(await office.post('/grades', {})).toMatchObject({ status: 400, code: 40001 });
    });

    it('needs a name that is unique in the school, otherwise 40901', async () => {
      const grade = await makeGrade();
      const other = await makeGrade(`${name} too`);
      for (const answer of [
        await office.post('/grades', { name: ` ${name} ` }),
        await office.patch(`/grades/${other.id}`, { name }),
      ]) {
        expect(answer).toMatchObject({ status: 409, code: 40901, data: null });
      }
      expect((await office.patch(`/grades/${grade.id}`, { name })).code).toBe(0);
      expect((await office.post('/grades', { name: name.toUpperCase() })).code).toBe(0);
      const elsewhere = await admin.created<{ schoolDb: string }>('/schools', { name: 'Elsewhere' });
      expect((await (await admin.issue(elsewhere.schoolDb)).post('/grades', { name })).code).toBe(0);
    });

    it('shows its new name in its classes and students', async () => {
      const grade = await makeGrade();
      const { id: classId } = await makeClass(grade.id);
      const [studentId] = await makeStudents(classId, 1);
      const answer = await office.patch(`/grades/${grade.id}`, { name: ` ${name}, renamed` });
      expect(answer.data).toEqual({ ...grade, name: `${name}, renamed` });
      expect((await office.get(`/students/${studentId}`)).data).toMatchObject({
        gradeName: `${name}, renamed`,
        recentScores: [{ gradeName: `${name}, renamed` }],
      });
      expect(await everyPage(`/classes?gradeId=${grade.id}`)).toMatchObject([
        { gradeName: `${name}, renamed` },
      ]);
    });

    it('can be renamed by its grade credential, but not by a class credential', async () => {
      const own = school.grades[0].id;
      expect((await gradeHead.patch(`/grades/${own}`, { name })).data).toMatchObject({ id: own, name });
      expect((await gradeHead.patch(`/grades/${school.grades[1].id}`, { name })).code).toBe(40303);
      expect((await teacher.patch(`/grades/${own}`, { name })).code).toBe(40303);
      expect((await gradeHead.post('/grades', { name: `${name} too` })).code).toBe(40303);
    });

    it('is deleted with its classes, students and records, and returns their numbers', async () => {
      const before = ((await office.get('/stats/overview')).data as Overview).scores;
      const grade = await makeGrade();
      const classes = [await makeClass(grade.id, 'A'), await makeClass(grade.id, 'B')];
      const students = [...(await makeStudents(classes[0]?.id as number, 3))];
      await makeStudents(classes[1]?.id as number, 2);
      await made('/templates', { name, scoreChange: 1, classId: classes[0]?.id });
      await office.patch(`/students/${students[0]}`, { disabled: true });

      expect((await office.delete(`/grades/${grade.id}`)).code).toBe(40004);
      const answer = await office.delete(`/grades/${grade.id}?confirm=true`);
      expect(answer).toMatchObject({ status: 200, code: 0 });
      expect(answer.data).toEqual({ id: grade.id, name, cascadeDeleted: { classes: 2, students: 5 } });

      expect((await office.get(`/students?gradeId=${grade.id}`)).data).toMatchObject({ total: 0 });
      expect((await office.get(`/scores?gradeId=${grade.id}`)).data).toMatchObject({ total: 0 });
      expect((await office.get(`/students/${students[0]}`)).code).toBe(40401);
      expect(await everyPage(`/classes?gradeId=${grade.id}`)).toEqual([]);
      const templates = await everyPage<{ name: string }>('/templates');
      expect(templates.map((template) => template.name)).not.toContain(name);
      expect(((await office.get('/stats/overview')).data as Overview).scores).toEqual(before);
      expect((await office.delete(`/grades/${grade.id}?confirm=true`)).code).toBe(40401);
      await test.expectProven();
    });

    it('is deleted alone when empty', async () => {
      const grade = await makeGrade();
      expect((await office.delete(`/grades/${grade.id}?confirm=true`)).data).toMatchObject({
        cascadeDeleted: { classes: 0, students: 0 },
      });
      expect((await makeGrade()).id).not.toBe(grade.id);
    });
  });

  describe('Class', () => {
    it('is created in a grade, with every field', async () => {
      const grade = await makeGrade();
      const created = await made<Class>('/classes', { name: ' Class 1 ', gradeId: grade.id });
      expect(created).toEqual({
        id: expect.any(Number),
        name: 'Class 1',
        gradeId: grade.id,
        gradeName: grade.name,
        schoolId: school.id,
        createdAt: test.clock.now().toISOString(),
        updatedAt: test.clock.now().toISOString(),
        archived: false,
      });
      expect(await everyPage(`/classes?gradeId=${grade.id}`)).toEqual([created]);
    });

    it('can be created by the credential of its grade, but not by a class credential', async () => {
      const gradeId = school.grades[0].id;
      expect((await gradeHead.post('/classes', { name, gradeId })).code).toBe(0);
      expect((await gradeHead.post('/classes', { name, gradeId: school.grades[1].id })).code).toBe(40303);
      expect((await teacher.post('/classes', { name: `${name} too`, gradeId })).code).toBe(40303);
    });

    it('needs a valid name and a grade', async () => {
      const { id: gradeId } = await makeGrade();
      for (const [body, code] of [
        [{ gradeId }, 40001],
        [{ name }, 40001],
        [{ name: '', gradeId }, 40002],
        [{ name: 'x'.repeat(101), gradeId }, 40002],
        [{ name, gradeId: '1' }, 40002],
        [{ name, gradeId: 0 }, 40002],
        [{ name, gradeId: 999_999_999 }, 40303],
      ] as const) {
        expect([body, (await office.post('/classes', body)).code]).toEqual([body, code]);
      }
    });

    it('needs a name that is unique in its grade, otherwise 40901', async () => {
      const [grade, other] = [await makeGrade(), await makeGrade(`${name} too`)];
      await makeClass(grade.id, 'A');
      const { id } = await makeClass(grade.id, 'B');
      const { id: elsewhere } = await makeClass(other.id, 'A');
      for (const answer of [
        await office.post('/classes', { name: ' A', gradeId: grade.id }),
        await office.patch(`/classes/${id}`, { name: 'A' }),
        await office.patch(`/classes/${elsewhere}`, { gradeId: grade.id }),
      ]) {
        expect(answer).toMatchObject({ status: 409, code: 40901, data: null });
      }
      expect((await office.patch(`/classes/${elsewhere}`, { gradeId: grade.id, name: 'C' })).code).toBe(0);
      expect(await everyPage(`/classes?gradeId=${grade.id}`)).toMatchObject([
        { name: 'A' },
        { name: 'B' },
        { name: 'C' },
      ]);
    });

    it('can be renamed by any credential that covers it', async () => {
      const { id } = school.grades[0].classes[0];
      for (const [i, by] of [office, gradeHead, teacher].entries()) {
        const answer = await by.patch(`/classes/${id}`, { name: ` ${name}.${i} ` });
        expect(answer.data).toMatchObject({ id, name: `${name}.${i}`, gradeId: school.grades[0].id });
      }
      expect((await teacher.patch(`/classes/${school.grades[0].classes[1].id}`, { name })).code).toBe(40303);
    });

    it('can be moved to another grade with its content, by a school credential only', async () => {
      const [from, to] = [await makeGrade(), await makeGrade(`${name} too`)];
      const { id } = await makeClass(from.id);
      const [studentId] = await makeStudents(id, 2);
      const answer = await office.patch(`/classes/${id}`, { gradeId: to.id });
      expect(answer.data).toMatchObject({ id, name, gradeId: to.id, gradeName: to.name });
      expect((await office.get(`/students/${studentId}`)).data).toMatchObject({
        gradeId: to.id,
        totalScore: 2,
      });
      expect((await office.get(`/students?gradeId=${from.id}`)).data).toMatchObject({ total: 0 });
      expect((await office.get(`/scores?gradeId=${to.id}`)).data).toMatchObject({ total: 2 });

      const inside = school.grades[0].classes[1].id;
      expect((await gradeHead.patch(`/classes/${inside}`, { gradeId: to.id })).code).toBe(40303);
      expect((await gradeHead.patch(`/classes/${id}`, { gradeId: school.grades[0].id })).code).toBe(40303);
      const own = { gradeId: school.grades[0].id };
      expect((await teacher.patch(`/classes/${school.grades[0].classes[0].id}`, own)).code).toBe(40303);
      expect((await office.patch(`/classes/${id}`, { gradeId: 999_999_999 })).code).toBe(40303);
    });

    it('is deleted with students, records and templates, and returns the number of students', async () => {
      const grade = await makeGrade();
      const { id } = await makeClass(grade.id);
      const { id: kept } = await makeClass(grade.id, 'kept');
      const [studentId] = await makeStudents(id, 4);
      await makeStudents(kept, 1);
      await made('/templates', { name, scoreChange: 1, classId: id });

      expect((await office.delete(`/classes/${id}`)).code).toBe(40004);
      const answer = await office.delete(`/classes/${id}?confirm=true`);
      expect(answer.data).toEqual({ id, name, cascadeDeleted: { students: 4 } });
      expect((await office.get(`/students/${studentId}`)).code).toBe(40401);
      expect((await office.get(`/scores?gradeId=${grade.id}`)).data).toMatchObject({ total: 1 });
      expect(await everyPage(`/classes?gradeId=${grade.id}`)).toMatchObject([{ id: kept }]);
      const templates = await everyPage<{ name: string }>('/templates');
      expect(templates.map((template) => template.name)).not.toContain(name);
      expect((await office.delete(`/classes/${id}?confirm=true`)).code).toBe(40401);
      await test.expectProven();
    });

    it('can be deleted by the credential of its grade, but not by its class credential', async () => {
      const { id } = await makeClass(school.grades[0].id);
      const own = await admin.issue(school.schoolDb, { scopeType: 'class', scopeClassId: id });
      expect((await own.delete(`/classes/${id}?confirm=true`)).code).toBe(40303);
      expect((await own.delete(`/classes/${id}`)).code).toBe(40303);
      expect((await gradeHead.delete(`/classes/${id}?confirm=true`)).code).toBe(0);
    });
  });

  describe('Lists', () => {
    it('are ordered by id, paged, and limited to the range', async () => {
      const grades = await everyPage<Grade>('/grades');
      const classes = await everyPage<Class>('/classes');
      const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
      expect(grades).toEqual([...grades].sort(byId));
      expect(classes).toEqual([...classes].sort(byId));
      for (const [path, all] of [
        ['/grades', grades],
        ['/classes', classes],
      ] as const) {
        const read: unknown[] = [];
        for (let page = 1; read.length < all.length; page++) {
          const { data } = await office.get(`${path}?limit=3&page=${page}`);
          expect(data).toMatchObject({ total: all.length, page, limit: 3 });
          read.push(...(data as { list: unknown[] }).list);
        }
        expect(read).toEqual(all);
      }
      const gradeId = school.grades[0].id;
      const ofGrade = classes.filter((found) => found.gradeId === gradeId);
      expect(await everyPage('/classes', gradeHead)).toEqual(ofGrade);
      expect(await everyPage('/grades', gradeHead)).toEqual(grades.filter((grade) => grade.id === gradeId));
      expect(await everyPage('/grades', teacher)).toEqual(grades.filter((grade) => grade.id === gradeId));
      const own = ofGrade.filter((found) => found.id === school.grades[0].classes[0].id);
      expect(await everyPage('/classes', teacher)).toEqual(own);
    });

    it('of classes can be filtered by grade', async () => {
      const classes = await everyPage<Class>('/classes');
      for (const { id } of await everyPage<Grade>('/grades')) {
        const ofGrade = classes.filter((found) => found.gradeId === id);
        expect((await office.get(`/classes?gradeId=${id}&limit=100`)).data).toMatchObject({
          list: ofGrade,
          total: ofGrade.length,
        });
      }
    });
  });
});
