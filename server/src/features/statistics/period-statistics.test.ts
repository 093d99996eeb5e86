import { type Class, dayAt, type ScoreRecord, type Student } from '@classledger/contract';
import { expect, it } from 'vitest';
import { openSchool } from '../../../test/test-app.ts';

/** Compares the statistics of the external API with sums over the records that it lists. */

type DayPage = { list: { date: string }[]; total: number; nextCursor: string | null };

const { test, admin, school, office, gradeHead, teacher } = await openSchool();
const timeZone = 'Asia/Shanghai';
await admin.patch('/school-settings', { schoolDb: school.schoolDb, timeZone });
const [grade, otherGrade] = school.grades;
const [classA, classB] = grade.classes;
const [classC] = otherGrade.classes;
const [ann, ben] = classA.students;

// The day changes at 16:00 UTC.
const history = [
  ['2026-09-01T15:59:59.999Z', ben, 0],
  ['2026-09-01T16:00:00.000Z', ann, -2],
  ['2026-09-02T02:00:00.000Z', classB.students[0], 7],
  ['2026-09-04T15:59:59.999Z', ann, 5],
  ['2026-09-04T16:00:00.000Z', classC.students[0], 11],
  ['2026-09-05T10:00:00.000Z', ann, 3],
] as const;
const dates = ['2026-09-01', '2026-09-02', '2026-09-03', '2026-09-04', '2026-09-05'];
// Points of a closed term and revoked points count nowhere.
test.clock.set('2026-08-20T10:00:00.000Z');
await office.give(ann.id, 100);
const ended = { schoolDb: school.schoolDb, classId: classA.id, action: 'archive' };
await (await test.signIn()).created('/admin/term-switch', ended);
for (const [at, { id }, change] of history) {
  test.clock.set(at);
  await office.give(id, change);
}
await office.delete(`/scores/${await office.give(ann.id, 40)}`);
// Then the first day of class A has no records.
await office.patch(`/students/${ben.id}`, { classId: classB.id });
const records = await office.readAll<ScoreRecord>('/scores');
expect(records).toHaveLength(history.length);

const dayOf = ({ createdAt }: ScoreRecord) => dayAt(timeZone, Date.parse(createdAt));
function sum(some: readonly ScoreRecord[]) {
  const changes = some.map(({ scoreChange }) => scoreChange);
  const of = (summed: number[]) => summed.reduce((all, change) => all + change, 0);
  const addScore = of(changes.filter((change) => change > 0));
  const totalScore = of(changes);
  return { totalScore, addScore, deductScore: totalScore - addScore, scoreCount: some.length };
}

const readers = { school: office, grade: gradeHead, class: teacher };
const periods: { from?: string; to?: string }[] = [
  {},
  { from: '2026-09-02' },
  { to: '2026-09-01' },
  { from: '2026-09-02', to: '2026-09-04' },
  { from: '2026-09-03', to: '2026-09-03' },
  { from: '1999-01-01', to: '2099-12-31' },
  { from: '2026-10-01' },
];
type Place = { gradeId?: number; classId?: number };
const filters: Place[] = [{}, { gradeId: grade.id }, { classId: classB.id }, { classId: classC.id }];
const cases = (['school', 'grade', 'class'] as const).flatMap((range) =>
  filters.flatMap((filter) => periods.map((period) => ({ range, filter, period }))),
);

it.each(cases)('sums in the range of a $range equal its records: $filter $period', async (of) => {
  const { from = '2026-09-01', to = '2026-09-05' } = of.period;
  const { gradeId, classId } = of.filter;
  const by = readers[of.range];
  const read = (list: string) =>
    by.readAll(`/stats/${list}?${new URLSearchParams({ ...of.filter, ...of.period } as never)}`);
  const inPeriod = records.filter((record) => dayOf(record) >= from && dayOf(record) <= to);

  const all = await by.readAll<Student>('/students');
  const students = all.filter(
    (one) => (gradeId ?? one.gradeId) === one.gradeId && (classId ?? one.classId) === one.classId,
  );
  expect(await read('students')).toEqual(
    students.map(({ id, classId, className, gradeId, gradeName }) => ({
      ...{ id, classId, className, gradeId, gradeName },
      ...sum(inPeriod.filter(({ userId }) => userId === id)),
    })),
  );

  const counted = records.filter(({ userId }) => students.some(({ id }) => id === userId));
  const first = counted.map(dayOf).toSorted()[0] ?? '9999';
  expect(await read('days')).toEqual(
    dates
      .filter((date) => date >= first && date >= from && date <= to)
      .map((date) => ({ date, ...sum(counted.filter((record) => dayOf(record) === date)) })),
  );

  if (classId !== undefined) return;
  const classes = await by.readAll<Class>(`/classes?${new URLSearchParams(of.filter as never)}`);
  expect(await read('classes')).toEqual(
    classes.map(({ id, name, gradeId, gradeName }) => ({
      ...{ id, name, gradeId, gradeName },
      studentCount: all.filter((student) => student.classId === id).length,
      ...sum(inPeriod.filter((record) => record.classId === id)),
    })),
  );
});

it.each([
  ['asc', dates],
  ['desc', dates.toReversed()],
])('days are each listed once page by page, %s', async (order, expected) => {
  const path = `/stats/days?order=${order}&limit=2`;
  const seen: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: DayPage = await office.read(`${path}&after=${after}`);
    expect(page.total).toBe(5);
    seen.push(...page.list.map(({ date }) => date));
    after = page.nextCursor;
  }
  expect(seen).toEqual(expected);
  expect(await office.read(`${path}&page=3`)).toMatchObject({ list: [{ date: expected[4] }] });
});

it.each([
  'from=2026-09-31',
  'from=yesterday',
  'to=2026-09-01T00:00:00Z',
  'from=1899-12-31',
  'from=2026-09-02&to=2026-09-01',
  'after=abcdefgh',
  'page=1&after=',
])('statistics answer 40002 to ?%s', async (query) => {
  for (const list of ['students', 'classes', 'days'])
    expect(await office.get(`/stats/${list}?${query}`), list).toMatchObject({ status: 400, code: 40002 });
});
