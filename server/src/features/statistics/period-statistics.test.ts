import { dayAt, type ScoreRecord } from '@classledger/contract';
import { expect, it } from 'vitest';
import { openSchool } from '../../../test/test-app.ts';

/** Compares the statistics of the external API with sums over the records that it lists. */

const { test, admin, school, office, gradeHead, teacher } = await openSchool();
const timeZone = 'Asia/Shanghai';
await admin.patch('/school-settings', { schoolDb: school.schoolDb, timeZone });
const [grade, otherGrade] = school.grades;
const [classA, classB] = grade.classes;
const [classC] = otherGrade.classes;
const [ann, ben] = classA.students;

// The day changes at 16:00 UTC.
const history = [
  ['2026-09-01T15:59:59.999Z', ann, 5],
  ['2026-09-01T16:00:00.000Z', ann, -2],
  ['2026-09-02T02:00:00.000Z', classB.students[0], 7],
  ['2026-09-04T15:59:59.999Z', ben, 0],
  ['2026-09-04T16:00:00.000Z', classC.students[0], 11],
  ['2026-09-05T10:00:00.000Z', ann, 3],
] as const;
// Points of a closed term and revoked points count nowhere.
test.clock.set('2026-08-20T10:00:00.000Z');
await office.give(ann.id, 100);
await (await test.signIn()).created('/admin/term-switch', {
  ...{ schoolDb: school.schoolDb, classId: classA.id, action: 'archive' },
});
for (const [at, { id }, change] of history) {
  test.clock.set(at);
  await office.give(id, change);
}
await office.delete(`/scores/${await office.give(ann.id, 40)}`);
// The records of a student who moves count for the new class.
await office.patch(`/students/${ben.id}`, { classId: classB.id });
const records = await office.readAll<ScoreRecord>('/scores');
expect(records).toHaveLength(history.length);

function sum(some: readonly ScoreRecord[]) {
  const of = (isCounted: (change: number) => boolean) =>
    some.reduce((all, { scoreChange }) => all + (isCounted(scoreChange) ? scoreChange : 0), 0);
  return {
    ...{ totalScore: of(() => true), scoreCount: some.length },
    ...{ addScore: of((change) => change > 0), deductScore: of((change) => change < 0) + 0 },
  };
}
const dayOf = ({ createdAt }: ScoreRecord) => dayAt(timeZone, Date.parse(createdAt));

const readers = { school: office, grade: gradeHead, class: teacher };
const periods = [
  {},
  { from: '2026-09-02' },
  { to: '2026-09-01' },
  { from: '2026-09-02', to: '2026-09-04' },
  { from: '2026-09-03', to: '2026-09-03' },
  { from: '1999-01-01', to: '2099-12-31' },
  { from: '2026-10-01' },
];
const filters = [{}, { gradeId: grade.id }, { classId: classB.id }, { classId: classC.id }];
const cases = Object.keys(readers).flatMap((range) =>
  filters.flatMap((filter) =>
    periods.map((period) => ({ range: range as keyof typeof readers, filter, period })),
  ),
);
const pathOf = (list: string, ...query: object[]) =>
  `/stats/${list}?${new URLSearchParams(Object.assign({}, ...query))}`;

it.each(cases)('statistics in the range of a $range equal its records: $filter $period', async (of) => {
  const { from = '2026-09-01', to = '2026-09-05' } = of.period as { from?: string; to?: string };
  const { gradeId, classId } = of.filter as { gradeId?: number; classId?: number };
  const by = readers[of.range];
  const inPeriod = records.filter((record) => dayOf(record) >= from && dayOf(record) <= to);

  const students = await by.readAll<{ id: number; classId: number; gradeId: number }>('/students');
  const wanted = students.filter(
    (student) =>
      (gradeId ?? student.gradeId) === student.gradeId && (classId ?? student.classId) === student.classId,
  );
  expect(await by.readAll(pathOf('students', of.filter, of.period))).toEqual(
    wanted.map(({ id }) => ({
      ...expectedPlace(students, id),
      ...sum(inPeriod.filter(({ userId }) => userId === id)),
    })),
  );

  const days = await by.readAll<{ date: string }>(pathOf('days', of.filter, of.period));
  const counted = records.filter(({ userId }) => wanted.some(({ id }) => id === userId));
  const first = counted.map(dayOf).toSorted()[0] ?? '9999';
  expect(days).toEqual(
    ['2026-09-01', '2026-09-02', '2026-09-03', '2026-09-04', '2026-09-05']
      .filter((date) => date >= first && date >= from && date <= to)
      .map((date) => ({ date, ...sum(counted.filter((record) => dayOf(record) === date)) })),
  );

  if (classId !== undefined) return;
  const classes = await by.readAll<{ id: number; name: string; gradeId: number; gradeName: string }>(
    '/classes',
  );
  expect(await by.readAll(pathOf('classes', of.filter, of.period))).toEqual(
    classes
      .filter((one) => (gradeId ?? one.gradeId) === one.gradeId)
      .map(({ id, name, gradeId, gradeName }) => ({
        ...{ id, name, gradeId, gradeName },
        studentCount: students.filter((student) => student.classId === id).length,
        ...sum(inPeriod.filter((record) => record.classId === id)),
      })),
  );
});

function expectedPlace(students: readonly object[], id: number) {
  const found = students.find((student) => Reflect.get(student, 'id') === id) as Record<string, unknown>;
  const { classId, className, gradeId, gradeName } = found;
  return { id, classId, className, gradeId, gradeName };
}

it.each([
  ['asc', ['2026-09-01', '2026-09-02', '2026-09-03', '2026-09-04', '2026-09-05']],
  ['desc', ['2026-09-05', '2026-09-04', '2026-09-03', '2026-09-02', '2026-09-01']],
])('days are each listed once page by page, %s', async (order, expected) => {
  const seen: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: { list: { date: string }[]; total: number; nextCursor: string | null } = await office.read(
      `/stats/days?order=${order}&limit=2&after=${after}`,
    );
    expect(page.total).toBe(5);
    seen.push(...page.list.map(({ date }) => date));
    after = page.nextCursor;
  }
  expect(seen).toEqual(expected);
  const second = await office.read(`/stats/days?order=${order}&limit=2&page=2`);
  expect(second).toMatchObject({ list: [{ date: expected[2] }, { date: expected[3] }] });
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
