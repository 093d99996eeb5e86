import { dayAt, type Overview, type ScoreRecord } from '@classledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CredentialClient } from '../../../test/identities.ts';
import { openSchool } from '../../../test/test-app.ts';
import { wholeDays } from './count-records.ts';

const dayMs = 86_400_000;
const firstInstant = Date.parse('2026-03-01T00:00:00.000Z');
const days = 5;
const runs = 250;

const instant = fc
  .oneof(
    fc.tuple(fc.nat(days), fc.constantFrom(-1, 0, 1)).map(([day, edge]) => day * dayMs + edge),
    fc.nat(days * dayMs),
  )
  .map((offset) => new Date(firstInstant + offset).toISOString());

const { test, school, office } = await openSchool();
const readers: CredentialClient[] = [
  office,
  await school.issue({ scopeType: 'grade', scopeGradeId: school.grades[0].id }),
  await school.issue({ scopeType: 'class', scopeClassId: school.grades[0].classes[0].id }),
];
const places = school.grades.flatMap((grade) => [...grade.classes]);
const students = places.flatMap((place) => [...place.students]);
const classes = places.map((place) => place.id);

// The same history in each run: writes, moves, revocations and deletions over six days.
const steps = fc.sample(
  fc.record({
    at: instant,
    changes: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: -20, max: 20 })), {
      minLength: 1,
      maxLength: 6,
    }),
    student: fc.nat(students.length - 2),
    next: fc.constantFrom('nothing', 'nothing', 'move', 'revoke', 'disable'),
    place: fc.nat(classes.length - 1),
  }),
  { numRuns: 60, seed: 20_260_301 },
);
for (const { at, changes, student, next, place } of steps) {
  test.clock.set(at);
  const items = changes.map((scoreChange, i) => ({
    userId: students[(student + i) % students.length]?.id,
    scoreChange,
  }));
  const written = await office.post('/scores', { items });
  expect(written.data).toMatchObject({ failedCount: 0 });
  const { details } = written.data as { details: { logId: number }[] };
  const userId = students[student]?.id;
  if (next === 'move') await office.patch(`/students/${userId}`, { classId: classes[place] });
  if (next === 'disable') await office.patch(`/students/${userId}`, { disabled: true });
  if (next === 'revoke') await office.delete(`/scores/${details[0]?.logId}`);
}
expect((await office.delete(`/students/${students.at(-1)?.id}?confirm=true`)).code).toBe(0);

const all: ScoreRecord[] = [];
for (let page = 1; ; page++) {
  const { list } = (await office.get(`/scores?limit=100&page=${page}`)).data as { list: ScoreRecord[] };
  all.push(...list);
  if (list.length === 0) break;
}
expect(all.length).toBeGreaterThan(120);

describe('Totals of score records', () => {
  const inRange = [
    () => true,
    (record: ScoreRecord) => record.gradeId === school.grades[0].id,
    (record: ScoreRecord) => record.classId === school.grades[0].classes[0].id,
  ];

  interface Filter {
    readonly reader: number;
    readonly student: number | null;
    readonly by: 'userId' | 'username';
    readonly place: number | null;
    readonly grade: number | null;
    readonly type: 'add' | 'deduct' | null;
    readonly dates: readonly [string | null, string | null];
  }

  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
  const filters: fc.Arbitrary<Filter> = fc.record({
    reader: fc.nat(2),
    student: fc.option(fc.nat(11), { nil: null, freq: 2 }),
    by: fc.constantFrom('userId', 'username'),
    place: maybe(fc.nat(3)),
    grade: maybe(fc.nat(1)),
    type: maybe(fc.constantFrom('add', 'deduct')),
    dates: fc
      .tuple(maybe(instant), maybe(instant))
      .map(([a, b]) => (a !== null && b !== null && a > b ? ([b, a] as const) : ([a, b] as const))),
  });

  function expectedOf({ reader, student, place, grade, type, dates: [from, to] }: Filter): ScoreRecord[] {
    return all.filter(
      (record) =>
        inRange[reader]?.(record) &&
        (student === null || record.userId === students[student]?.id) &&
        (place === null || record.classId === classes[place]) &&
        (grade === null || record.gradeId === school.grades[grade]?.id) &&
        (type === null || (type === 'add' ? record.scoreChange > 0 : record.scoreChange < 0)) &&
        (from === null || record.createdAt >= from) &&
        (to === null || record.createdAt <= to),
    );
  }

  function queryOf({
    student,
    by,
    place,
    grade,
    type,
    dates: [startDate, endDate],
  }: Filter): URLSearchParams {
    const named = student === null ? null : students[student];
    const fields = {
      [by]: by === 'userId' ? named?.id : named?.username,
      classId: place === null ? null : classes[place],
      gradeId: grade === null ? null : school.grades[grade]?.id,
      type,
      startDate,
      endDate,
    };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) {
      if (value !== null && value !== undefined) query.set(name, String(value));
    }
    return query;
  }

  async function read<T>({ reader }: Filter, path: string): Promise<T> {
    const answer = await (readers[reader] as CredentialClient).get(path);
    expect([path, answer.status, answer.code]).toEqual([path, 200, 0]);
    return answer.data as T;
  }

  it('equal the number of listed records, for any filter and range', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const expected = expectedOf(filter);
        const query = queryOf(filter);
        const listed: ScoreRecord[] = [];
        for (let page = 1; page === 1 || listed.length < expected.length; page++) {
          const path = `/scores?${query}&limit=100&page=${page}`;
          const { list, total } = await read<{ list: ScoreRecord[]; total: number }>(filter, path);
          expect(total).toBe(expected.length);
          if (list.length === 0) break;
          listed.push(...list);
        }
        expect(listed).toEqual(expected);
      }),
      { numRuns: runs },
    );
  });

  it('equal the sums and leaders of the overview, for any dates and range', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (some) => {
        const filter = { ...some, student: null, place: null, grade: null, type: null };
        const records = expectedOf(filter);
        const path = `/stats/overview?${queryOf(filter)}`;
        const { scores, topStudents, range } = await read<Overview>(filter, path);
        const added = records.reduce((sum, record) => sum + Math.max(0, record.scoreChange), 0);
        const deducted = records.reduce((sum, record) => sum + Math.min(0, record.scoreChange), 0);
        expect(scores).toMatchObject({
          totalScore: added + deducted,
          addScore: added,
          deductScore: deducted,
          recordCount: records.length,
        });
        expect(range).toEqual({ startDate: filter.dates[0], endDate: filter.dates[1] });

        const sums = new Map<number, { id: number; totalScore: number; scoreCount: number }>();
        for (const { userId, scoreChange } of records) {
          const sum = sums.get(userId) ?? { id: userId, totalScore: 0, scoreCount: 0 };
          sums.set(userId, sum);
          sum.totalScore += scoreChange;
          sum.scoreCount++;
        }
        const leaders = [...sums.values()]
          .sort((a, b) => b.totalScore - a.totalScore || a.id - b.id)
          .slice(0, 10);
        expect(topStudents.map(({ id, totalScore, scoreCount }) => ({ id, totalScore, scoreCount }))).toEqual(
          leaders,
        );
        expect(topStudents.map((leader) => leader.rank)).toEqual(leaders.map((_, i) => i + 1));
      }),
      { numRuns: runs },
    );
  });

  it('pass the ledger verification', async () => {
    await test.expectProven();
  });
});

describe('Splitting a range of instants into days', () => {
  it('covers every millisecond exactly once, in zones with clock changes', () => {
    const wide = fc.integer({ min: -3, max: 3 }).chain((day) =>
      fc
        .oneof(
          fc.constantFrom(-1, 0, 1),
          fc.nat(dayMs),
          fc.integer({ min: -48, max: 48 }).map((n) => n * 1_800_000),
        )
        .map((offset) => day * dayMs + offset),
    );
    const around = fc.constantFrom(
      ['UTC', '1970-01-01'] as const,
      ['Asia/Kathmandu', '2026-09-01'] as const,
      ['America/Santiago', '2026-09-06'] as const,
      ['America/Santiago', '2026-04-05'] as const,
      ['America/Havana', '2026-11-01'] as const,
      ['Pacific/Apia', '2011-12-30'] as const,
    );
    fc.assert(
      fc.property(around, fc.option(wide), fc.option(wide), wide, ([zone, noon], a, b, passed) => {
        const middle = Date.parse(noon);
        const probe = middle + passed;
        const [start, end] = (a !== null && b !== null && a > b ? [b, a] : [a, b]).map((ms) =>
          ms === null ? null : ms + middle,
        );
        const iso = (ms: number | null | undefined) => (ms == null ? undefined : new Date(ms).toISOString());
        const { firstDay, lastDay, edges } = wholeDays(zone, iso(start), iso(end));
        const day = dayAt(zone, probe);
        const inDays = (firstDay === null || day >= firstDay) && (lastDay === null || day <= lastDay);
        const inEdges = edges.filter(
          (edge) => Date.parse(edge.from) <= probe && probe <= Date.parse(edge.to),
        ).length;
        const inside = (start == null || probe >= start) && (end == null || probe <= end);
        expect((inDays ? 1 : 0) + inEdges).toBe(inside ? 1 : 0);
      }),
      { numRuns: 3_000 },
    );
  });
});
