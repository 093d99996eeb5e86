import type { Overview, Student } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { CredentialClient } from '../../../test/identities.ts';
import { createSampleSchool, issueOffices, type SampleSchool, startTestApp } from '../../../test/test-app.ts';

/* Sums and leaders between any dates are compared in list-scores.test.ts. */

const test = await startTestApp();
const admin = await test.signIn();
let school: SampleSchool;
let office: CredentialClient;
let gradeHead: CredentialClient;
let teacher: CredentialClient;

async function openSchool(): Promise<void> {
  test.clock.set('2026-09-15T10:00:00.000Z');
  school = await createSampleSchool(admin);
  ({ office, gradeHead, teacher } = await issueOffices(school));
}
await openSchool();

async function read(by = office, query = ''): Promise<Overview> {
  const answer = await by.get(`/stats/overview${query}`);
  expect([query, answer.status, answer.code]).toEqual([query, 200, 0]);
  return answer.data as Overview;
}
async function give(userId: number, ...changes: number[]): Promise<void> {
  const items = changes.map((scoreChange) => ({ userId, scoreChange }));
  expect((await office.post('/scores', { items })).data).toMatchObject({ failedCount: 0 });
}
const studentOf = (grade: 0 | 1, place: 0 | 1, index = 0) =>
  school.grades[grade].classes[place].students[index]?.id as number;

describe('GET /stats/overview of the external API', () => {
  it('the overview of an empty school has zeros and no leaders', async () => {
    const empty = await admin.created<{ schoolDb: string }>('/schools', { name: 'Empty' });
    expect(await read(await admin.issue(empty.schoolDb))).toEqual({
      scope: { type: 'school', gradeId: null, classId: null },
      range: { startDate: null, endDate: null },
      structure: { gradeCount: 0, classCount: 0, studentCount: 0, disabledStudentCount: 0 },
      scores: { totalScore: 0, addScore: 0, deductScore: 0, recordCount: 0, todayRecordCount: 0 },
      topStudents: [],
    });
  });

  it('the overview counts only the range of the credential, and dates do not limit the numbers of people', async () => {
    await give(studentOf(0, 0), 1, -2);
    await give(studentOf(0, 1), 10);
    await give(studentOf(1, 0), 100, -200);
    for (const id of [studentOf(0, 0, 1), studentOf(1, 1, 1)]) {
      await office.patch(`/students/${id}`, { disabled: true });
    }
    const [grade] = school.grades;
    const [own] = grade.classes;
    const ofSchool = {
      scope: { type: 'school', gradeId: null, classId: null },
      structure: { gradeCount: 2, classCount: 4, studentCount: 12, disabledStudentCount: 2 },
    };
    expect(await read(office)).toMatchObject({
      ...ofSchool,
      scores: { totalScore: -91, addScore: 111, deductScore: -202, recordCount: 5, todayRecordCount: 5 },
    });
    expect(await read(office, '?startDate=2030-01-01')).toMatchObject({
      ...ofSchool,
      scores: { totalScore: 0, addScore: 0, deductScore: 0, recordCount: 0, todayRecordCount: 5 },
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
  });

  it('the overview ranks students with records only, disabled ones included, by total with ties by id', async () => {
    await openSchool();
    const [a, b, c] = [studentOf(0, 0), studentOf(0, 1), studentOf(1, 0)];
    await give(c, 5);
    await give(b, 9, -4);
    await give(a, 0);
    await office.patch(`/students/${c}`, { disabled: true });
    const { username, actualName, classId, className } = (await office.get(`/students/${b}`)).data as Student;
    for (const query of ['', '?startDate=2026-09-15']) {
      const { topStudents } = await read(office, query);
      expect(topStudents).toMatchObject([{ rank: 1 }, { rank: 2, id: c }, { rank: 3, id: a, totalScore: 0 }]);
      expect(topStudents[0]).toEqual({
        ...{ rank: 1, id: b, username, actualName, classId, className, totalScore: 5, scoreCount: 2 },
      });
    }
  });

  it('the overview includes every write that was answered before the request, under parallel load', async () => {
    await openSchool();
    let done = 0;
    const writer = async () => {
      for (; done < 20; done++) await give(studentOf(0, 0), 1);
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
});
