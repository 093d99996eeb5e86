import type { ClassComparison, DayTotals, RankedStudent } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStaff, type Staff } from '../../../test/administrators.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';
import { createSampleSchool, type SampleSchool, startTestApp } from '../../../test/test-app.ts';

const today = '2026-09-15';
const noon = (day: string) => `${day}T12:00:00.000Z`;

let chief: AdminClient;
let school: SampleSchool;
let staff: { ofSchool: Staff; ofGrade: Staff; ofClass: Staff };
let schools = 0;

const test = await startTestApp();

beforeEach(async () => {
  test.clock.set(noon(today));
  chief = await test.signIn();
  school = await createSampleSchool(chief, `School ${++schools}`);
  staff = await createStaff(test, school);
});

const studentOf = (grade: 0 | 1, place: 0 | 1, index = 0) =>
  school.grades[grade].classes[place].students[index]?.id as number;

async function give(day: string, userId: number, ...changes: number[]): Promise<number[]> {
  test.clock.set(noon(day));
  const admin = await test.signIn();
  const items = changes.map((scoreChange) => ({ userId, scoreChange }));
  const answer = await admin.post('/scores/batch', { schoolDb: school.schoolDb, items });
  expect(answer).toMatchObject({ status: 200, data: { failedCount: 0 } });
  test.clock.set(noon(today));
  return (answer.data as { details: { logId: number }[] }).details.map(({ logId }) => logId);
}

async function ask(by: AdminClient, path: string, query = ''): Promise<InternalAnswer> {
  return by.get(`/stats/${path}?schoolDb=${school.schoolDb}${query}`);
}

async function read<T>(by: AdminClient, path: string, query = ''): Promise<T> {
  const answer = await ask(by, path, query);
  expect(answer).toMatchObject({ status: 200, success: true });
  return answer.data as T;
}

describe('GET /stats/overview of the internal API', () => {
  const overview = (by: AdminClient, query = '') => read(by, 'overview', query);

  it('returns zeros for a class without students', async () => {
    const empty = await chief.created<{ id: number }>('/classes', {
      schoolDb: school.schoolDb,
      gradeId: school.grades[0].id,
      name: 'Empty',
    });
    expect(await overview(chief, `&classId=${empty.id}`)).toEqual({
      totalUsers: 0,
      totalScores: 0,
      avgScore: 0,
      maxScore: 0,
      minScore: 0,
    });
  });

  it('adds up the range of each administrator, with the mean to two decimals', async () => {
    await give(today, studentOf(0, 0), 5, -1);
    await give(today, studentOf(0, 1), -7);
    await give(today, studentOf(1, 0), 30);
    expect(await overview(chief)).toEqual({
      totalUsers: 12,
      totalScores: 27,
      avgScore: 2.25,
      maxScore: 30,
      minScore: -7,
    });
    expect(await overview(staff.ofSchool)).toEqual(await overview(chief));
    expect(await overview(staff.ofGrade)).toEqual({
      totalUsers: 6,
      totalScores: -3,
      avgScore: -0.5,
      maxScore: 4,
      minScore: -7,
    });
    expect(await overview(staff.ofClass)).toEqual({
      totalUsers: 3,
      totalScores: 4,
      avgScore: 1.33,
      maxScore: 4,
      minScore: 0,
    });
  });

  it('filters by grade and class, and includes disabled students', async () => {
    await give(today, studentOf(1, 1), 9);
    await chief.patch(`/users/${studentOf(1, 1)}`, { schoolDb: school.schoolDb, disabled: true });
    const [, grade] = school.grades;
    expect(await overview(chief, `&gradeId=${grade.id}`)).toMatchObject({ totalUsers: 6, totalScores: 9 });
    const inClass = await overview(chief, `&classId=${grade.classes[1].id}`);
    expect(inClass).toEqual({ totalUsers: 3, totalScores: 9, avgScore: 3, maxScore: 9, minScore: 0 });
    const contradiction = `&gradeId=${school.grades[0].id}&classId=${grade.classes[1].id}`;
    expect(await overview(chief, contradiction)).toMatchObject({ totalUsers: 0, maxScore: 0 });
  });

  it('excludes revoked records and those of closed terms', async () => {
    const [revoked] = await give(today, studentOf(0, 0), 8, 3);
    await chief.delete(`/scores/logs/${revoked}?schoolDb=${school.schoolDb}`);
    expect(await overview(staff.ofClass)).toMatchObject({ totalScores: 3, maxScore: 3 });
    const classId = school.grades[0].classes[0].id;
    const term = { schoolDb: school.schoolDb, classId, action: 'archive' };
    expect(await chief.post('/admin/term-switch', term)).toMatchObject({ status: 200 });
    expect(await overview(staff.ofClass)).toMatchObject({ totalUsers: 3, totalScores: 0, maxScore: 0 });
  });
});

describe('GET /stats/records', () => {
  const days = (by: AdminClient, query = '') => read<DayTotals[]>(by, 'records', query);
  const zeros = { count: 0, totalScore: 0, addScore: 0, deductScore: 0 };

  it('returns the last seven UTC days by default, oldest first, with zeros for empty days', async () => {
    await give('2026-09-08', studentOf(0, 0), 100);
    await give('2026-09-09', studentOf(0, 0), 4, -1, 0);
    await give(today, studentOf(1, 0), 2);
    expect(await days(chief)).toEqual([
      { date: '2026-09-09', count: 3, totalScore: 3, addScore: 4, deductScore: -1 },
      ...['10', '11', '12', '13', '14'].map((day) => ({ date: `2026-09-${day}`, ...zeros })),
      { date: today, count: 1, totalScore: 2, addScore: 2, deductScore: 0 },
    ]);
  });

  it('splits days at UTC midnight', async () => {
    for (const [instant, scoreChange] of [
      ['2026-09-13T23:59:59.999Z', 1],
      ['2026-09-14T00:00:00.000Z', 2],
      ['2026-09-14T23:59:59.999Z', 4],
    ] as const) {
      test.clock.set(instant);
      const admin = await test.signIn();
      await admin.post('/scores/add', { schoolDb: school.schoolDb, userId: studentOf(0, 0), scoreChange });
    }
    const admin = await test.signIn();
    for (const query of ['&days=2', `&days=2&userId=${studentOf(0, 0)}`]) {
      expect((await days(admin, query)).map(({ date, addScore }) => [date, addScore])).toEqual([
        ['2026-09-13', 1],
        ['2026-09-14', 6],
      ]);
    }
  });

  it('is limited to the range, and filters by grade, class and student', async () => {
    await give(today, studentOf(0, 0), 1);
    await give(today, studentOf(0, 0, 1), 10);
    await give(today, studentOf(0, 1), 100);
    await give(today, studentOf(1, 0), 1000);
    const sum = async (by: AdminClient, query: string) => (await days(by, `&days=1${query}`))[0]?.totalScore;
    const [grade, elsewhere] = school.grades;
    expect(await sum(chief, '')).toBe(1111);
    expect(await sum(staff.ofGrade, '')).toBe(111);
    expect(await sum(staff.ofClass, '')).toBe(11);
    expect(await sum(chief, `&gradeId=${elsewhere.id}`)).toBe(1000);
    expect(await sum(chief, `&classId=${grade.classes[1].id}`)).toBe(100);
    expect(await sum(staff.ofClass, `&userId=${studentOf(0, 0, 1)}`)).toBe(10);
    expect(await sum(chief, `&userId=${studentOf(0, 0, 1)}&classId=${grade.classes[0].id}`)).toBe(10);
    expect(await sum(chief, `&userId=${studentOf(0, 0, 1)}&classId=${grade.classes[1].id}`)).toBe(0);
    expect(await sum(chief, `&userId=${studentOf(0, 0, 1)}&gradeId=${elsewhere.id}`)).toBe(0);
  });

  it('excludes revoked records and those of closed terms', async () => {
    const [revoked] = await give(today, studentOf(0, 0), 8, 3);
    const own = `&days=1&userId=${studentOf(0, 0)}`;
    await chief.delete(`/scores/logs/${revoked}?schoolDb=${school.schoolDb}`);
    for (const query of ['&days=1', own]) {
      expect(await days(chief, query)).toMatchObject([{ count: 1, totalScore: 3 }]);
    }
    const classId = school.grades[0].classes[0].id;
    await chief.post('/admin/term-switch', { schoolDb: school.schoolDb, classId, action: 'reset' });
    for (const query of ['&days=1', own])
      expect(await days(chief, query)).toEqual([{ date: today, ...zeros }]);
  });

  it('reaches back 366 days, in pages like every list', async () => {
    const year = await ask(chief, 'records', '&days=366');
    expect(year.headers['x-total-count']).toBe('366');
    expect(year.data as DayTotals[]).toHaveLength(366);
    expect((year.data as DayTotals[])[0]?.date).toBe('2025-09-15');
    const page = await ask(chief, 'records', '&days=366&page=2&limit=3');
    expect(page.data).toEqual((year.data as DayTotals[]).slice(3, 6));
    expect(page.headers['x-total-count']).toBe('366');
  });
});

describe('GET /stats/classes', () => {
  const compare = (by: AdminClient, query = '') => read<ClassComparison[]>(by, 'classes', query);

  it('returns every class of the range with its totals and recent sums', async () => {
    await give('2026-09-01', studentOf(0, 0), 20);
    await give('2026-09-14', studentOf(0, 0), 5, -3);
    const [grade] = school.grades;
    const [first, second] = grade.classes;
    const expected = {
      classId: first.id,
      className: 'Class A',
      gradeId: grade.id,
      gradeName: 'Grade 1',
      studentCount: 3,
      totalScore: 22,
      avgScore: 7.33,
      recent: { count: 2, totalScore: 2, addScore: 5, deductScore: -3 },
    };
    expect((await compare(chief, '&days=2'))[0]).toEqual(expected);
    expect((await compare(chief, '&days=1'))[0]).toEqual({
      ...expected,
      recent: { count: 0, totalScore: 0, addScore: 0, deductScore: 0 },
    });
    expect((await compare(chief, '&days=15'))[0]?.recent).toMatchObject({ count: 3, totalScore: 22 });
    const ids = async (by: AdminClient, query = '') =>
      (await compare(by, query)).map(({ classId }) => classId);
    const ofOther = school.grades[1].classes.map(({ id }) => id);
    expect(await ids(chief)).toEqual([first.id, second.id, ...ofOther]);
    expect(await ids(staff.ofGrade)).toEqual([first.id, second.id]);
    expect(await ids(staff.ofClass)).toEqual([first.id]);
    expect(await ids(staff.ofClass, `&gradeId=${grade.id}`)).toEqual([first.id]);
    expect(await ids(chief, `&gradeId=${school.grades[1].id}`)).toEqual(ofOther);
    const page = await ask(chief, 'classes', '&page=2&limit=3');
    expect(page.headers['x-total-count']).toBe('4');
    expect((page.data as ClassComparison[]).map(({ classId }) => classId)).toEqual([ofOther[1]]);
  });

  it('returns a mean of 0 for a class without students', async () => {
    const { schoolDb, grades } = school;
    const empty = await chief.created<{ id: number }>('/classes', {
      schoolDb,
      gradeId: grades[0].id,
      name: 'Empty',
    });
    const found = (await compare(chief)).find(({ classId }) => classId === empty.id);
    expect(found).toMatchObject({ studentCount: 0, totalScore: 0, avgScore: 0, recent: { count: 0 } });
  });
});

describe('GET /stats/leaders', () => {
  const leaders = (by: AdminClient, query = '') => read<RankedStudent[]>(by, 'leaders', query);

  /** Creates totals of 12, 10 and 6. Their last seven days sum to 1, 10, 6, and the seven before to 0, 0, 9 - 9. */
  async function threeStudents() {
    const [veteran, riser, mixed] = [studentOf(1, 0), studentOf(0, 1), studentOf(0, 0)];
    await give('2026-08-20', veteran, 11);
    await give(today, veteran, 1);
    await give('2026-09-09', riser, 10);
    await give('2026-09-08', mixed, 9);
    await give('2026-09-02', mixed, -18);
    await give('2026-09-01', mixed, 9);
    await give(today, mixed, 6);
    return { veteran, riser, mixed };
  }
  const scores = (list: RankedStudent[]) =>
    list.map(({ rank, id, totalScore, recentScore, previousScore }) => [
      rank,
      id,
      totalScore,
      recentScore,
      previousScore,
    ]);

  it.each(['', '&by=total'])('ranks by total by default (%j), with every field', async (query) => {
    const { veteran, riser, mixed } = await threeStudents();
    const list = await leaders(chief, query);
    expect(list).toHaveLength(12);
    expect(list[0]).toEqual({
      rank: 1,
      id: veteran,
      username: 's2a1',
      actualName: expect.any(String),
      classId: school.grades[1].classes[0].id,
      className: 'Class A',
      totalScore: 12,
      recentScore: 1,
      previousScore: 0,
    });
    const best = [
      [1, veteran, 12, 1, 0],
      [2, riser, 10, 10, 0],
      [3, mixed, 6, 6, -9],
    ];
    expect(scores(list).slice(0, 3)).toEqual(best);
    // A page computes the same numbers in another way.
    expect(scores(await leaders(chief, `${query}&limit=3`))).toEqual(best);
  });

  it('ranks by the points of the last days', async () => {
    const { veteran, riser, mixed } = await threeStudents();
    expect(scores(await leaders(chief, '&by=recent&limit=3'))).toEqual([
      [1, riser, 10, 10, 0],
      [2, mixed, 6, 6, -9],
      [3, veteran, 12, 1, 0],
    ]);
    expect((await leaders(chief, '&by=recent&days=30&limit=1'))[0]).toMatchObject({
      id: veteran,
      recentScore: 12,
      previousScore: 0,
    });
  });

  it('ranks by the increase of the last days over as many days before', async () => {
    const { veteran, riser, mixed } = await threeStudents();
    expect(scores(await leaders(chief, '&by=improvement&limit=3'))).toEqual([
      [1, mixed, 6, 6, -9],
      [2, riser, 10, 10, 0],
      [3, veteran, 12, 1, 0],
    ]);
  });

  it.each(['total', 'recent', 'improvement'])(
    'by %s excludes disabled students, sorts ties by id, and shares ranks across pages',
    async (by) => {
      const [best] = [studentOf(1, 1)];
      await give(today, best, 50);
      await give(today, studentOf(0, 0), 3);
      await give(today, studentOf(1, 0), -2);
      await chief.patch(`/users/${best}`, { schoolDb: school.schoolDb, disabled: true });
      const query = `&by=${by}`;
      const all = await leaders(chief, query);
      const rest = school.grades
        .flatMap((grade) => grade.classes.flatMap((each) => each.students.map(({ id }) => id)))
        .filter((id) => id !== best && id !== studentOf(0, 0) && id !== studentOf(1, 0));
      expect(all.map(({ id }) => id)).toEqual([studentOf(0, 0), ...rest, studentOf(1, 0)]);
      expect(all.map(({ rank }) => rank)).toEqual([1, ...rest.map(() => 2), 11]);
      const page = await ask(chief, 'leaders', `${query}&page=3&limit=4`);
      expect(page.data).toEqual(all.slice(8, 12));
      expect(page.headers['x-total-count']).toBe('11');
    },
  );

  it('is limited to the range, grade or class, and excludes revoked records', async () => {
    const [revoked] = await give(today, studentOf(0, 0, 2), 40);
    await chief.delete(`/scores/logs/${revoked}?schoolDb=${school.schoolDb}`);
    await give(today, studentOf(0, 0, 1), 3);
    await give(today, studentOf(0, 1), 4);
    await give(today, studentOf(1, 0), 5);
    const [grade] = school.grades;
    for (const by of ['total', 'recent', 'improvement']) {
      const ids = async (who: AdminClient, query = '') =>
        (await leaders(who, `&by=${by}&limit=6${query}`))
          .filter((found) => found.recentScore > 0)
          .map(({ id }) => id);
      expect(await ids(chief)).toEqual([studentOf(1, 0), studentOf(0, 1), studentOf(0, 0, 1)]);
      expect(await ids(staff.ofGrade)).toEqual([studentOf(0, 1), studentOf(0, 0, 1)]);
      expect(await ids(staff.ofClass)).toEqual([studentOf(0, 0, 1)]);
      expect(await ids(chief, `&gradeId=${grade.id}`)).toEqual(await ids(staff.ofGrade));
      expect(await ids(chief, `&classId=${grade.classes[1].id}`)).toEqual([studentOf(0, 1)]);
    }
  });
});

it.each(['records', 'classes', 'leaders'])('GET /stats/%s accepts 1 to 366 days', async (path) => {
  for (const [days, status] of [
    [0, 400],
    [1, 200],
    [366, 200],
    [367, 400],
  ] as const) {
    expect([days, (await ask(chief, path, `&days=${days}`)).status]).toEqual([days, status]);
  }
});
