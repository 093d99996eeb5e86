import type { DayTotals, RankedStudent } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';

/** Compares each statistic of one history with sums over its records. */

const { test, admin, school, staff, office } = await openStaffedSchool();
const { schoolDb } = school;
const today = '2026-09-15';
const now = test.clock.now().toISOString();
const empty = await admin.created<{ id: number; name: string }>('/classes', {
  ...{ schoolDb, gradeId: school.grades[0].id, name: 'Empty' },
});

const places = school.grades.flatMap((grade, g) => {
  const ofGrade = { gradeId: grade.id, gradeName: `Grade ${g + 1}` };
  return grade.classes.map(({ id }, c) => ({ ...ofGrade, classId: id, className: `Class ${'AB'[c]}` }));
});
type Place = (typeof places)[number];
const pupils = school.grades
  .flatMap((grade) => grade.classes.flatMap(({ students }) => students))
  .map(({ id, username }, i) => ({ ...(places[Math.floor(i / 3)] as Place), id, username }));
type Pupil = (typeof pupils)[number];
places.push({ ...(places[0] as Place), classId: empty.id, className: empty.name });
const [classA, classB, classC, classD] = places as [Place, Place, Place, Place];
const pupil = (username: string) => pupils.find((one) => one.username === username) as Pupil;

const history: readonly (readonly [at: string, username: string, change: number])[] = [
  ['2026-08-20T12:00:00.000Z', 's2a1', 11],
  ['2026-09-01T12:00:00.000Z', 's1a1', 9],
  ['2026-09-02T12:00:00.000Z', 's1a1', -18],
  ['2026-09-08T12:00:00.000Z', 's1a1', 9],
  ['2026-09-08T23:59:59.999Z', 's1b2', 100],
  ['2026-09-09T00:00:00.000Z', 's1b1', 10],
  ['2026-09-13T23:59:59.999Z', 's1a2', 1],
  ['2026-09-14T00:00:00.000Z', 's1a2', 2],
  ['2026-09-14T23:59:59.999Z', 's1a2', 4],
  [now, 's1a1', 6],
  [now, 's1a3', 0],
  [now, 's1b2', -7],
  [now, 's2a1', 1],
  [now, 's2a2', -2],
];
const records: { day: string; change: number; userId: number }[] = [];
for (const [at, username, change] of history) {
  test.clock.set(at);
  const { id: userId } = pupil(username);
  await office.give(userId, change);
  records.push({ day: at.slice(0, 10), change, userId });
}
// Revoked records and those of closed terms count nowhere; a disabled student is in every sum, but not ranked.
await office.delete(`/scores/${await office.give(pupil('s1a1').id, 40)}`);
const disabledId = pupil('s2b1').id;
for (const id of [disabledId, pupil('s2b2').id]) await office.give(id, 70);
await admin.created('/admin/term-switch', { schoolDb, classId: classD.classId, action: 'archive' });
await office.give(disabledId, 50);
records.push({ day: today, change: 50, userId: disabledId });
await office.patch(`/students/${disabledId}`, { disabled: true });

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
const round2 = (number: number) => Math.round(number * 100) / 100;
const recordsOf = (ids: readonly number[]) => records.filter(({ userId }) => ids.includes(userId));
const totalOf = (...ids: number[]) => sumOf(recordsOf(ids).map(({ change }) => change));
const averageOf = (ids: readonly number[]) => (ids.length === 0 ? 0 : round2(totalOf(...ids) / ids.length));
const dayBefore = (back: number) =>
  new Date(Date.parse(today) - back * 86_400_000).toISOString().slice(0, 10);
const sumsOf = (found: typeof records) => ({
  count: found.length,
  totalScore: sumOf(found.map(({ change }) => change)),
  addScore: sumOf(found.map(({ change }) => Math.max(0, change))),
  deductScore: sumOf(found.map(({ change }) => Math.min(0, change))),
});
const daysOf = (ids: readonly number[], days: number): DayTotals[] =>
  Array.from({ length: days }, (_, i) => {
    const date = dayBefore(days - 1 - i);
    return { date, ...sumsOf(recordsOf(ids).filter(({ day }) => day === date)) };
  });

function rankedOf(of: readonly Pupil[], by: string, days: number): RankedStudent[] {
  const ranked = of
    .filter(({ id }) => id !== disabledId)
    .map(({ id, username, classId, className }) => {
      const last = (from: number, to: number) =>
        sumsOf(recordsOf([id]).filter(({ day }) => day > dayBefore(from) && day <= dayBefore(to))).totalScore;
      const recent = { recentScore: last(days, 0), previousScore: last(2 * days, days) };
      const totalScore = totalOf(id);
      return { id, username, actualName: username, classId, className, totalScore, ...recent };
    });
  const merit = ({ totalScore, recentScore, previousScore }: (typeof ranked)[number]) =>
    by === 'total' ? totalScore : by === 'recent' ? recentScore : recentScore - previousScore;
  ranked.sort((a, b) => merit(b) - merit(a) || a.id - b.id);
  return ranked.map((one) => ({
    rank: 1 + ranked.findIndex((other) => merit(other) === merit(one)),
    ...one,
  }));
}

async function ask(by: AdminClient, path: string, query: string) {
  const { data, headers } = await by.get(`/stats/${path}?schoolDb=${schoolDb}${query}`);
  return { data, total: headers['x-total-count'] };
}

const views: [what: string, by: AdminClient, query: string, isIn: (place: Place) => boolean][] = [
  ['a super administrator', admin, '', () => true],
  ['a grade administrator', staff.ofGrade, '', ({ gradeId }) => gradeId === classA.gradeId],
  ['a class administrator', staff.ofClass, '', ({ classId }) => classId === classA.classId],
  ['one grade', admin, `&gradeId=${classC.gradeId}`, ({ gradeId }) => gradeId === classC.gradeId],
  ['the own grade', staff.ofClass, `&gradeId=${classA.gradeId}`, ({ classId }) => classId === classA.classId],
  ['one class', admin, `&classId=${classB.classId}`, ({ classId }) => classId === classB.classId],
  ['an empty class', admin, `&classId=${empty.id}`, ({ classId }) => classId === empty.id],
  ['a class of another grade', admin, `&gradeId=${classA.gradeId}&classId=${classC.classId}`, () => false],
];

describe.each(views)('Statistics of %s', (_what, by, query, isIn) => {
  const students = pupils.filter(isIn);
  const ids = students.map(({ id }) => id);

  it('GET /stats/overview returns students, sum, mean to two decimals and extremes', async () => {
    const totals = ids.length === 0 ? [0] : ids.map((id) => totalOf(id));
    expect((await ask(by, 'overview', query)).data).toEqual({
      ...{ totalUsers: ids.length, totalScores: sumOf(totals), avgScore: averageOf(ids) },
      ...{ maxScore: Math.max(...totals), minScore: Math.min(...totals) },
    });
  });

  it('GET /stats/records returns the last days, seven by default, oldest first, empty days with zeros', async () => {
    expect((await ask(by, 'records', query)).data).toEqual(daysOf(ids, 7));
    for (const days of [1, 366]) {
      const { data, total } = await ask(by, 'records', `${query}&days=${days}`);
      expect([data, total]).toEqual([daysOf(ids, days), String(days)]);
    }
    const page = await ask(by, 'records', `${query}&days=15&page=3&limit=3`);
    expect(page).toEqual({ data: daysOf(ids, 15).slice(6, 9), total: '15' });
  });

  it.each(['total', 'recent', 'improvement'])(
    'GET /stats/leaders ranks enabled students by %s, ties by id',
    async (order) => {
      // One day sums the records of the days; more days sum the earlier records instead.
      for (const [days, page] of [
        [1, 1],
        [7, 1],
        [30, 2],
      ] as const) {
        const expected = rankedOf(students, order, days);
        const total = String(expected.length);
        const asked = `${query}&by=${order}&days=${days}`;
        expect(await ask(by, 'leaders', asked)).toEqual({ data: expected, total });
        // A page computes the same numbers in another way.
        const { data } = await ask(by, 'leaders', `${asked}&limit=4&page=${page}`);
        expect(data).toEqual(expected.slice(page * 4 - 4, page * 4));
      }
    },
  );
});

it.each(views.filter(([, , query]) => !query.includes('classId')))(
  'each class has its totals for %s',
  async (_what, by, query, isIn) => {
    for (const days of [1, 15]) {
      const found = places.filter(isIn).sort((a, b) => a.classId - b.classId);
      const expected = found.map((place) => {
        const own = pupils.filter(({ classId }) => classId === place.classId).map(({ id }) => id);
        const recent = sumsOf(recordsOf(own).filter(({ day }) => day > dayBefore(days)));
        const totals = { totalScore: totalOf(...own), avgScore: averageOf(own) };
        return { ...place, studentCount: own.length, ...totals, recent };
      });
      const total = String(expected.length);
      expect(await ask(by, 'classes', `${query}&days=${days}`)).toEqual({ data: expected, total });
      const page = await ask(by, 'classes', `${query}&days=${days}&page=2&limit=2`);
      expect(page).toEqual({ data: expected.slice(2, 4), total });
    }
  },
);

it('leaders are ranked by total, with the points of seven days, by default', async () => {
  expect((await ask(admin, 'leaders', '')).data).toEqual(rankedOf(pupils, 'total', 7));
});

it.each([
  ['', true],
  [`&classId=${classA.classId}`, true],
  [`&gradeId=${classA.gradeId}`, true],
  [`&classId=${classB.classId}`, false],
  [`&gradeId=${classC.gradeId}`, false],
])('the days of a student are zeros outside the place that the query names: "%s"', async (query, isThere) => {
  const { id } = pupil('s1a2');
  const { data } = await ask(staff.ofSchool, 'records', `&userId=${id}&days=3${query}`);
  expect(data).toEqual(daysOf(isThere ? [id] : [], 3));
});
