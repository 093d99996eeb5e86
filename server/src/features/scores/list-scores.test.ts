import type { BulkScores, Overview, ScoreRecord } from '@classledger/contract';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { openSchool, type SampleStudent } from '../../../test/test-app.ts';

const { test, school, office, gradeHead, teacher } = await openSchool();
const [firstGrade] = school.grades;
const [firstClass] = firstGrade.classes;
const places = school.grades.flatMap((grade) => [...grade.classes]);
const students = places.flatMap((place) => [...place.students]);

const dayMs = 86_400_000;
const firstInstant = Date.parse('2026-03-01T00:00:00.000Z');
const instant = fc
  .oneof(
    fc.tuple(fc.nat(5), fc.constantFrom(-1, 0, 1)).map(([day, edge]) => day * dayMs + edge),
    fc.nat(5 * dayMs),
  )
  .map((offset) => new Date(firstInstant + offset).toISOString());

// The same history in each run: writes, moves, revocations and deletions over six days.
const change = fc.oneof(fc.constant(0), fc.integer({ min: -20, max: 20 }));
const steps = fc.sample(
  fc.record({
    at: instant,
    changes: fc.array(change, { minLength: 1, maxLength: 6 }),
    student: fc.nat(students.length - 2),
    next: fc.constantFrom('nothing', 'nothing', 'move', 'revoke', 'disable'),
    place: fc.nat(places.length - 1),
  }),
  { numRuns: 60, seed: 20_260_301 },
);

/** Two records each at and around the bounds of UTC days, so that sorting has ties. */
const edges = [
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '2026-03-01T00:00:00.001Z',
  '2026-03-01T12:30:00.500Z',
  '2026-03-01T23:59:59.999Z',
  '2026-03-02T00:00:00.000Z',
].map((at) => ({ at, changes: [10_000, -10_000], student: 3, next: 'nothing', place: 0 }));
for (const { at, changes, student, next, place } of [...steps, ...edges]) {
  test.clock.set(at);
  const items = changes.map((scoreChange, i) => {
    return { userId: students[(student + i) % students.length]?.id, scoreChange };
  });
  const { details, failedCount } = await office.created<BulkScores>('/scores', { items });
  expect(failedCount).toBe(0);
  const userId = students[student]?.id;
  if (next === 'move') await office.patch(`/students/${userId}`, { classId: places[place]?.id });
  if (next === 'disable') await office.patch(`/students/${userId}`, { disabled: true });
  if (next === 'revoke') await office.delete(`/scores/${details[0]?.logId}`);
}
expect((await office.delete(`/students/${students.at(-1)?.id}?confirm=true`)).code).toBe(0);

const readPage = (query: string, by = office) =>
  by.read<{ list: ScoreRecord[]; total: number }>(`/scores?${query}`);
const readAll = (query: string, by = office) => by.readAll<ScoreRecord>(`/scores?${query}`);

const all = await readAll('');
expect(all.length).toBeGreaterThan(120);

afterAll(() => test.expectVerifiedLedger());

const value = (record: ScoreRecord, field: string) =>
  field === 'createdAt' ? Date.parse(record.createdAt) : (record[field as 'id'] as number);

it.each([
  ['', 'createdAt', 'desc'],
  ['sortBy=id&order=desc', 'id', 'desc'],
  ['sortBy=id&order=asc', 'id', 'asc'],
  ['sortBy=createdAt&order=desc', 'createdAt', 'desc'],
  ['sortBy=createdAt&order=asc', 'createdAt', 'asc'],
  ['sortBy=scoreChange&order=desc', 'scoreChange', 'desc'],
  ['sortBy=scoreChange&order=asc', 'scoreChange', 'asc'],
])('GET /scores?%s sorts by %s %s, ties by id, in pages', async (query, field, order) => {
  const sorted = [...all].sort((a, b) => value(a, field) - value(b, field) || a.id - b.id);
  const expected = order === 'asc' ? sorted : sorted.reverse();
  expect(await readAll(query)).toEqual(expected);
  const seventh = { list: expected.slice(18, 21), total: all.length, page: 7, limit: 3 };
  expect(await readPage(`${query}&limit=3&page=7`)).toEqual(seventh);
});

const filters = fc.record({
  reader: fc.nat(2),
  student: fc.option(fc.nat(11), { nil: null, freq: 2 }),
  by: fc.constantFrom('userId', 'username'),
  place: fc.option(fc.nat(3)),
  grade: fc.option(fc.nat(1)),
  type: fc.option(fc.constantFrom('add' as const, 'deduct' as const)),
  dates: fc
    .tuple(fc.option(instant), fc.option(instant))
    .map(([a, b]) => (a !== null && b !== null && a > b ? ([b, a] as const) : ([a, b] as const))),
});
type Filter = typeof filters extends fc.Arbitrary<infer F> ? F : never;

const readers = [office, gradeHead, teacher];
const inRange = [
  () => true,
  (record: ScoreRecord) => record.gradeId === firstGrade.id,
  (record: ScoreRecord) => record.classId === firstClass.id,
];
const isBetween = ({ createdAt }: ScoreRecord, [from, to]: Filter['dates']) =>
  (from === null || createdAt >= from) && (to === null || createdAt <= to);
const hasType = ({ scoreChange }: ScoreRecord, type: Filter['type']) =>
  type === null || (type === 'add' ? scoreChange > 0 : scoreChange < 0);

const expectedOf = ({ reader, student, place, grade, type, dates }: Filter): ScoreRecord[] =>
  all.filter(
    (record) =>
      inRange[reader]?.(record) &&
      (student === null || record.userId === students[student]?.id) &&
      (place === null || record.classId === places[place]?.id) &&
      (grade === null || record.gradeId === school.grades[grade]?.id) &&
      hasType(record, type) &&
      isBetween(record, dates),
  );

function queryOf({ student, by, place, grade, type, dates: [startDate, endDate] }: Filter): URLSearchParams {
  const named = student === null ? null : (students[student] as SampleStudent);
  const fields = {
    [by]: by === 'userId' ? named?.id : named?.username,
    classId: place === null ? null : places[place]?.id,
    gradeId: grade === null ? null : school.grades[grade]?.id,
    ...{ type, startDate, endDate },
  };
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
}

it('GET /scores selects the same records for the list and its total, for any filter and range', async () => {
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      expect(await readAll(`${queryOf(filter)}`, readers[filter.reader])).toEqual(expectedOf(filter));
    }),
    { numRuns: 60 },
  );
});

it('GET /scores trims a username, finds none in another case, and shows an empty page beyond the last', async () => {
  const [{ username, userId }] = all as [ScoreRecord];
  expect(await readAll(`username=${username.toUpperCase()}`)).toEqual([]);
  expect(await readAll(`username=%20${username}%20`)).toEqual(all.filter((one) => one.userId === userId));
  expect(await readPage(`userId=${userId}&limit=100&page=9`)).toMatchObject({ list: [] });
});

it.each([
  'startDate=2026-03-02&endDate=2026-03-01',
  'startDate=2026-03-01T00:00:00.001Z&endDate=2026-03-01T00:00:00.000Z',
  'startDate=2026-03-02&endDate=2026-03-02T01:00:00%2B02:00',
])('GET /scores and GET /stats/overview answer 40002 to %s', async (query) => {
  for (const path of ['/scores', '/stats/overview']) {
    expect(await office.get(`${path}?${query}`)).toMatchObject({ status: 400, code: 40002, data: null });
  }
});

it('GET /stats/overview of the external API returns the sums and leaders of the listed records, for any dates and range', async () => {
  await fc.assert(
    fc.asyncProperty(filters, async (some) => {
      const filter = { ...some, student: null, place: null, grade: null, type: null };
      const records = expectedOf(filter);
      const by = readers[filter.reader] ?? office;
      const { scores, topStudents, range } = await by.read<Overview>(`/stats/overview?${queryOf(filter)}`);
      const addScore = records.reduce((sum, record) => sum + Math.max(0, record.scoreChange), 0);
      const deductScore = records.reduce((sum, record) => sum + Math.min(0, record.scoreChange), 0);
      const totalScore = addScore + deductScore;
      expect(scores).toMatchObject({ totalScore, addScore, deductScore, recordCount: records.length });
      expect(range).toEqual({ startDate: filter.dates[0], endDate: filter.dates[1] });

      const leaders = [...Map.groupBy(records, ({ userId }) => userId)]
        .map(([id, own]) => ({
          id,
          totalScore: own.reduce((sum, { scoreChange }) => sum + scoreChange, 0),
          scoreCount: own.length,
        }))
        .sort((a, b) => b.totalScore - a.totalScore || a.id - b.id)
        .slice(0, 10);
      expect(topStudents).toMatchObject(leaders.map((leader, i) => ({ rank: i + 1, ...leader })));
    }),
    { numRuns: 40 },
  );
});
