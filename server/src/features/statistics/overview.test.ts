import type { Overview, Student } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminClient, CredentialClient } from '../../../test/identities.ts';
import { createSampleSchool, officesOf, type SampleSchool, startTestApp } from '../../../test/test-app.ts';

const test = await startTestApp();
let admin: AdminClient;

describe('GET /stats/overview of the external API', () => {
  let school: SampleSchool;
  let office: CredentialClient;
  let gradeHead: CredentialClient;
  let teacher: CredentialClient;
  let counter = 0;

  beforeEach(async () => {
    test.clock.set('2026-09-15T10:00:00.000Z');
    admin = await test.signIn();
    school = await createSampleSchool(admin, `School ${++counter}`);
    ({ office, gradeHead, teacher } = await officesOf(school));
  });

  async function read(by = office, query = ''): Promise<Overview> {
    const answer = await by.get(`/stats/overview${query}`);
    expect([query, answer.status, answer.code]).toEqual([query, 200, 0]);
    return answer.data as Overview;
  }
  async function give(userId: number | undefined, ...changes: number[]): Promise<void> {
    const items = changes.map((scoreChange) => ({ userId, scoreChange }));
    expect((await office.post('/scores', { items })).data).toMatchObject({ failedCount: 0 });
  }
  const studentOf = (grade: 0 | 1, place: 0 | 1, index = 0) =>
    school.grades[grade].classes[place].students[index]?.id as number;

  it('returns zeros and no leaders for an empty school', async () => {
    const empty = await admin.created<{ schoolDb: string }>('/schools', { name: `Empty ${counter}` });
    expect(await read(await admin.issue(empty.schoolDb))).toEqual({
      scope: { type: 'school', gradeId: null, classId: null },
      range: { startDate: null, endDate: null },
      structure: { gradeCount: 0, classCount: 0, studentCount: 0, disabledStudentCount: 0 },
      scores: { totalScore: 0, addScore: 0, deductScore: 0, recordCount: 0, todayRecordCount: 0 },
      topStudents: [],
    });
  });

  it('limits every number to the range of the credential', async () => {
    await give(studentOf(0, 0), 1, -2);
    await give(studentOf(0, 1), 10);
    await give(studentOf(1, 0), 100, -200);
    await office.patch(`/students/${studentOf(0, 0, 1)}`, { disabled: true });
    await office.patch(`/students/${studentOf(1, 1, 1)}`, { disabled: true });
    const [grade] = school.grades;
    const [own] = grade.classes;

    expect(await read(office)).toMatchObject({
      scope: { type: 'school', gradeId: null, classId: null },
      structure: { gradeCount: 2, classCount: 4, studentCount: 12, disabledStudentCount: 2 },
      scores: { totalScore: -91, addScore: 111, deductScore: -202, recordCount: 5, todayRecordCount: 5 },
    });
    expect(await read(gradeHead)).toMatchObject({
      scope: { type: 'grade', gradeId: grade.id, classId: null },
      structure: { gradeCount: 1, classCount: 2, studentCount: 6, disabledStudentCount: 1 },
      scores: { totalScore: 9, addScore: 11, deductScore: -2, recordCount: 3, todayRecordCount: 3 },
    });
    expect(await read(teacher)).toMatchObject({
      scope: { type: 'class', gradeId: null, classId: own.id },
      structure: { gradeCount: 1, classCount: 1, studentCount: 3, disabledStudentCount: 1 },
      scores: { totalScore: -1, addScore: 1, deductScore: -2, recordCount: 2, todayRecordCount: 2 },
    });
    const leaders = async (by: CredentialClient) => (await read(by)).topStudents.map((leader) => leader.id);
    expect(await leaders(office)).toEqual([studentOf(0, 1), studentOf(0, 0), studentOf(1, 0)]);
    expect(await leaders(gradeHead)).toEqual([studentOf(0, 1), studentOf(0, 0)]);
    expect(await leaders(teacher)).toEqual([studentOf(0, 0)]);
  });

  it('ranks leaders by total with ties by id, only students with records', async () => {
    const [a, b, c] = [studentOf(0, 0), studentOf(0, 1), studentOf(1, 0)];
    await give(c, 5);
    await give(b, 9, -4);
    await give(a, 0);
    const { topStudents } = await read();
    expect(
      topStudents.map(({ rank, id, totalScore, scoreCount }) => [rank, id, totalScore, scoreCount]),
    ).toEqual([
      [1, b, 5, 2],
      [2, c, 5, 1],
      [3, a, 0, 1],
    ]);
    const student = (await office.get(`/students/${b}`)).data as Student;
    expect(topStudents[0]).toEqual({
      rank: 1,
      id: b,
      username: student.username,
      actualName: student.actualName,
      classId: student.classId,
      className: student.className,
      totalScore: 5,
      scoreCount: 2,
    });
    expect((await read(office, '?startDate=2026-09-15')).topStudents).toEqual(topStudents);
  });

  it('returns at most ten leaders, including disabled students and negative totals', async () => {
    const everyone = school.grades.flatMap((grade) => grade.classes.flatMap((place) => place.students));
    for (const [i, student] of everyone.entries()) await give(student.id, i - 11);
    await office.patch(`/students/${everyone[11]?.id}`, { disabled: true });
    const expected = [...everyone].reverse().slice(0, 10);
    for (const query of ['', '?endDate=2026-09-15']) {
      const { topStudents } = await read(office, query);
      expect(topStudents.map((leader) => leader.id)).toEqual(expected.map((student) => student.id));
      expect(topStudents.map((leader) => leader.totalScore)).toEqual([0, -1, -2, -3, -4, -5, -6, -7, -8, -9]);
      expect(topStudents.map((leader) => leader.rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
  });

  it('filters sums and leaders by dates, but not head counts', async () => {
    const [a, b] = [studentOf(0, 0), studentOf(0, 1)];
    test.clock.set('2026-09-10T23:59:59.999Z');
    await give(a, 100);
    test.clock.set('2026-09-11T00:00:00.000Z');
    await give(b, 3, -1);
    test.clock.set('2026-09-12T23:59:59.999Z');
    await give(b, 4);
    test.clock.set('2026-09-13T00:00:00.000Z');
    await give(a, -50);

    const whole = await read();
    const between = await read(office, '?startDate=2026-09-11&endDate=2026-09-12');
    expect(between.structure).toEqual(whole.structure);
    expect(between).toMatchObject({
      range: { startDate: '2026-09-11T00:00:00.000Z', endDate: '2026-09-12T23:59:59.999Z' },
      scores: { totalScore: 6, addScore: 7, deductScore: -1, recordCount: 3, todayRecordCount: 1 },
      topStudents: [{ rank: 1, id: b, totalScore: 6, scoreCount: 3 }],
    });
    expect(between.topStudents).toHaveLength(1);
    expect(await read(office, '?endDate=2026-09-10')).toMatchObject({
      range: { startDate: null, endDate: '2026-09-10T23:59:59.999Z' },
      scores: { totalScore: 100, recordCount: 1 },
      topStudents: [{ id: a, totalScore: 100, scoreCount: 1 }],
    });
    expect(await read(office, '?startDate=2026-09-12T22:00:00%2B02:00')).toMatchObject({
      range: { startDate: '2026-09-12T22:00:00+02:00', endDate: null },
      scores: { totalScore: -46, addScore: 4, deductScore: -50, recordCount: 2 },
      topStudents: [
        { id: b, totalScore: 4 },
        { id: a, totalScore: -50 },
      ],
    });
    expect(await read(office, '?startDate=2030-01-01')).toMatchObject({
      scores: { totalScore: 0, addScore: 0, deductScore: 0, recordCount: 0, todayRecordCount: 1 },
      topStudents: [],
    });
  });

  it.each(['2026-09-11T00:00:00Z', '2026-09-11T08:00:00.5+08:00', '2026-09-11t00:00:00.123456z'])(
    'returns the time %s exactly as sent',
    async (time) => {
      const sent = encodeURIComponent(time);
      expect((await read(office, `?startDate=${sent}&endDate=2026-09-30`)).range).toEqual({
        startDate: time,
        endDate: '2026-09-30T23:59:59.999Z',
      });
    },
  );

  it('counts the records of the current UTC day as today’s, regardless of the dates', async () => {
    test.clock.set('2026-09-20T23:59:59.999Z');
    await give(studentOf(0, 0), 1, 2);
    expect((await read()).scores.todayRecordCount).toBe(2);
    test.clock.set('2026-09-21T00:00:00.000Z');
    expect((await read()).scores.todayRecordCount).toBe(0);
    await give(studentOf(0, 1), 3);
    expect((await read()).scores.todayRecordCount).toBe(1);
    expect((await read(office, '?endDate=2026-09-20')).scores).toMatchObject({
      recordCount: 2,
      todayRecordCount: 1,
    });
    expect((await read(teacher)).scores.todayRecordCount).toBe(0);
  });

  it('includes disabled students and their records', async () => {
    const id = studentOf(0, 0);
    await give(id, 5);
    const before = await read();
    await office.patch(`/students/${id}`, { disabled: true });
    const after = await read();
    expect(after.structure).toEqual({ ...before.structure, disabledStudentCount: 1 });
    expect(after.scores).toEqual(before.scores);
    expect(after.topStudents).toEqual(before.topStudents);
  });

  it('includes every write that was answered before the request, under parallel load', async () => {
    const id = studentOf(0, 0);
    let done = 0;
    const writer = async () => {
      for (let i = 0; i < 20; i++) {
        await give(id, 1);
        done = i + 1;
      }
    };
    const reader = async () => {
      while (done < 20) {
        const known = done;
        const { scores, topStudents } = await read(teacher);
        expect(scores.recordCount).toBeGreaterThanOrEqual(known);
        expect(topStudents[0]?.scoreCount ?? 0).toBeGreaterThanOrEqual(known);
      }
    };
    await Promise.all([writer(), reader(), reader(), reader()]);
    expect((await read(teacher)).scores.recordCount).toBe(20);
  });

  it('needs stats:read; scores:read does not suffice', async () => {
    const credential = await school.issue({ scopes: ['scores:read'] });
    expect(await credential.get('/stats/overview')).toMatchObject({ status: 403, code: 40302 });
  });
});
