import type { BulkStudents } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { type SampleStudent, studentPassword } from '../../../test/test-app.ts';

const { test, admin, school, office } = await openStaffedSchool();
const { schoolDb } = school;
const [grade] = school.grades;

interface Mate {
  readonly id: number;
  readonly username: string;
  readonly totalScore: number | null;
  readonly place: number | null;
}

/** Creates a class with one student per total. Names sort in reverse order of points. */
async function classOf(...totals: number[]) {
  const body = { schoolDb, gradeId: grade.id, name: `Class of ${totals.join(' ')}` };
  const { id: classId } = await admin.created<{ id: number }>('/classes', body);
  const usernames = totals.map((_, i) => `c${classId}-${String.fromCharCode(122 - i)}`);
  const batch = usernames.map((username) => ({ username }));
  const made = await office.post('/students', { classId, batch, defaultPassword: studentPassword });
  const ids = (made.data as BulkStudents).details.map(({ id }) => id as number);
  const items = ids.map((userId, i) => ({ userId, scoreChange: totals[i] }));
  await office.post('/scores', { items });
  const signIn = (index: number) => test.signInStudent(schoolDb, usernames[index] as string);
  return { classId, ids, signIn };
}

const show = (classmates: string) => admin.patch('/school-settings', { schoolDb, classmates });

/** Returns the answer to a student, as `[index in the class, points, place]`. */
async function seenBy({ ids, signIn }: Awaited<ReturnType<typeof classOf>>, index: number) {
  const answer = await (await signIn(index)).get('/student/classmates');
  expect(answer.status).toBe(200);
  return (answer.data as Mate[]).map(({ id, totalScore, place }) => [ids.indexOf(id), totalScore, place]);
}

describe('GET /student/classmates', () => {
  it('a student sees points and places of the front half of classmates by default, and the own points', async () => {
    const made = await classOf(9, 7, 7, 4, 3, -2);
    expect(await seenBy(made, 0)).toEqual([
      [0, 9, 1],
      [1, 7, 2],
      [2, 7, 2],
      // Sorted by name, so the order does not reveal the last one.
      [5, null, null],
      [4, null, null],
      [3, null, null],
    ]);
    expect((await seenBy(made, 4)).slice(3)).toEqual([
      [5, null, null],
      [4, 3, null],
      [3, null, null],
    ]);
  });

  it('the front half of classmates is rounded up, so the last of two or three stays hidden', async () => {
    expect(await seenBy(await classOf(3, 2, 1), 0)).toEqual([
      [0, 3, 1],
      [1, 2, 2],
      [2, null, null],
    ]);
    expect(await seenBy(await classOf(3, 2), 0)).toEqual([
      [0, 3, 1],
      [1, null, null],
    ]);
    expect(await seenBy(await classOf(4), 0)).toEqual([[0, 4, 1]]);
  });

  it('a shared place that reaches into the back half is not in the front half', async () => {
    const made = await classOf(9, 5, 5, 5, 1, 0);
    expect(await seenBy(made, 1)).toEqual([
      [0, 9, 1],
      [5, null, null],
      [4, null, null],
      [3, null, null],
      [2, null, null],
      [1, 5, null],
    ]);
    // With most students tied, the front half would be everyone.
    const level = await classOf(0, 0, 0, 0);
    expect(await seenBy(level, 2)).toEqual([
      [3, null, null],
      [2, 0, null],
      [1, null, null],
      [0, null, null],
    ]);
  });

  it('a student sees names only, or everyone’s points, as soon as the school decides so', async () => {
    const made = await classOf(5, 4, 4, 1);
    await show('names');
    expect(await seenBy(made, 0)).toEqual([
      [3, null, null],
      [2, null, null],
      [1, null, null],
      [0, 5, null],
    ]);
    await show('all');
    expect(await seenBy(made, 3)).toEqual([
      [0, 5, 1],
      [1, 4, 2],
      [2, 4, 2],
      [3, 1, 4],
    ]);
    await show('front');
    expect(await seenBy(made, 3)).toEqual([
      [0, 5, 1],
      [3, 1, null],
      [2, null, null],
      [1, null, null],
    ]);
  });

  it('returns pages with the same content, and the total', async () => {
    const made = await classOf(6, 5, 4, 3, 2, 1);
    const self = await made.signIn(5);
    const whole = (await self.get('/student/classmates')).data as Mate[];
    for (const [page, entries] of [
      [1, whole.slice(0, 4)],
      [2, whole.slice(4)],
      [3, []],
    ] as const) {
      const answer = await self.get(`/student/classmates?limit=4&page=${page}`);
      expect(answer.data).toEqual(entries);
      expect(answer.headers['x-total-count']).toBe('6');
    }
  });

  it('ignores disabled students in the list, the total and the front half', async () => {
    const made = await classOf(5, 4, 3, 2);
    const self = await made.signIn(2);
    await admin.patch(`/users/${made.ids[3]}`, { schoolDb, disabled: true });
    const answer = await self.get('/student/classmates');
    expect(answer.data).toMatchObject([{ place: 1 }, { place: 2 }, { totalScore: 3, place: null }]);
    expect(answer.headers['x-total-count']).toBe('3');
  });
});

const [mate, student] = school.grades[1].classes[0].students as [SampleStudent, SampleStudent];
const self = await test.signInStudent(school.schoolDb, student.username);
const logs = async (query: string) => (await self.get(`/student/logs${query}`)).data as { id: number }[];

it('GET /student/logs lists the student’s own live records, newest first, without authors', async () => {
  const at = test.clock.now().toISOString();
  const early = await office.give(student.id, 2, 'Homework');
  const revoked = await office.give(student.id, 50);
  test.clock.advance(1000);
  const late = await office.give(student.id, -1, 'Late');
  await office.give(mate.id, 7, 'of a classmate');
  await office.delete(`/scores/${revoked}?confirm=true`);
  const now = test.clock.now().toISOString();
  const answer = await self.get('/student/logs');
  expect(answer.data).toEqual([
    { id: late, scoreChange: -1, description: 'Late', occurredAt: now, createdAt: now },
    { id: early, scoreChange: 2, description: 'Homework', occurredAt: at, createdAt: at },
  ]);
  expect(answer.headers['x-total-count']).toBe('2');
  expect((await logs('?type=plus')).map((log) => log.id)).toEqual([early]);
  expect((await logs('?type=minus')).map((log) => log.id)).toEqual([late]);
});

it('GET /student/records-by-day returns one entry per UTC day, oldest first, including empty days', async () => {
  const [student, mate] = school.grades[1].classes[1].students as [SampleStudent, SampleStudent];
  const self = await test.signInStudent(school.schoolDb, student.username);
  const byDay = async (query = '') => (await self.get(`/student/records-by-day${query}`)).data;
  test.clock.set('2026-09-20T23:59:59.999Z');
  for (const change of [3, -1, 0]) await office.give(student.id, change);
  test.clock.set('2026-09-21T00:00:00.000Z');
  await office.give(student.id, -2);
  const revoked = await office.give(student.id, 100);
  await office.delete(`/scores/${revoked}?confirm=true`);
  await office.give(mate.id, 8);
  test.clock.set('2026-09-22T12:00:00.000Z');

  const zero = { count: 0, totalScore: 0, addScore: 0, deductScore: 0 };
  const lastThree = [
    { date: '2026-09-20', count: 3, totalScore: 2, addScore: 3, deductScore: -1 },
    { date: '2026-09-21', count: 1, totalScore: -2, addScore: 0, deductScore: -2 },
    { date: '2026-09-22', ...zero },
  ];
  expect(await byDay('?days=3')).toEqual(lastThree);
  expect(await byDay('?days=2')).toEqual(lastThree.slice(1));
  expect(await byDay('?days=1')).toEqual(lastThree.slice(2));
  expect(await byDay()).toEqual([
    ...['16', '17', '18', '19'].map((day) => ({ date: `2026-09-${day}`, ...zero })),
    ...lastThree,
  ]);
  const page = await self.get('/student/records-by-day?days=366&limit=2&page=183');
  expect(page.data).toEqual(lastThree.slice(1));
  expect(page.headers['x-total-count']).toBe('366');
  expect((await self.get('/student/records-by-day?days=367')).status).toBe(400);
});
