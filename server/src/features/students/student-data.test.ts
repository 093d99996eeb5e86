import type { BulkStudents } from '@classledger/contract';
import { expect, it } from 'vitest';
import { openSchool, studentPassword } from '../../../test/test-app.ts';

const { test, admin, school, office } = await openSchool();
const { schoolDb } = school;
const [grade, { classes }] = school.grades;

interface Mate {
  readonly id: number;
  readonly totalScore: number | null;
  readonly place: number | null;
}
type Class = Awaited<ReturnType<typeof classOf>>;

/** Creates a class with one student per total. Names sort in reverse order of points. */
async function classOf(...totals: number[]) {
  const body = { schoolDb, gradeId: grade.id, name: `Class of ${totals.join(' ')}` };
  const { id: classId } = await admin.created<{ id: number }>('/classes', body);
  const usernames = totals.map((_, i) => `c${classId}-${String.fromCharCode(122 - i)}`);
  const batch = usernames.map((username) => ({ username }));
  const students = { classId, batch, defaultPassword: studentPassword };
  const { details } = await office.created<BulkStudents>('/students', students);
  const ids = details.map(({ id }) => id as number);
  const items = ids.map((userId, i) => ({ userId, scoreChange: totals[i] }));
  await office.post('/scores', { items });
  const signIn = (index: number) => test.signInStudent(schoolDb, usernames[index] as string);
  return { ids, signIn };
}

/** Returns the answer to a student, as `index in the class: points, place`. */
async function seenBy({ ids, signIn }: Class, index: number): Promise<string[]> {
  const mates = await (await signIn(index)).read<Mate[]>('/student/classmates');
  return mates.map(
    ({ id, totalScore, place }) => `${ids.indexOf(id)}: ${totalScore ?? '-'}, ${place ?? '-'}`,
  );
}

it.each<[what: string, totals: number[], index: number, seen: string[]]>([
  [
    'points and places of the front half, then names in an order that does not reveal the last one',
    [9, 7, 7, 4, 3, -2],
    0,
    ['0: 9, 1', '1: 7, 2', '2: 7, 2', '5: -, -', '4: -, -', '3: -, -'],
  ],
  [
    'the own points, outside the front half too',
    [9, 7, 7, 4, 3, -1],
    4,
    ['0: 9, 1', '1: 7, 2', '2: 7, 2', '5: -, -', '4: 3, -', '3: -, -'],
  ],
  [
    'a front half that is rounded up, so the last of three stays hidden',
    [3, 2, 1],
    0,
    ['0: 3, 1', '1: 2, 2', '2: -, -'],
  ],
  ['a front half of one in a class of two', [3, 2], 0, ['0: 3, 1', '1: -, -']],
  ['the own place when alone in the class', [4], 0, ['0: 4, 1']],
  [
    'no shared place that reaches into the back half',
    [9, 5, 5, 5, 1, 0],
    1,
    ['0: 9, 1', '5: -, -', '4: -, -', '3: -, -', '2: -, -', '1: 5, -'],
  ],
  ['no place when most students are tied', [0, 0, 0, 0], 2, ['3: -, -', '2: 0, -', '1: -, -', '0: -, -']],
])('GET /student/classmates shows a student %s', async (_what, totals, index, seen) => {
  expect(await seenBy(await classOf(...totals), index)).toEqual(seen);
});

it('GET /student/classmates shows names only, or everyone’s points, as soon as the school decides so', async () => {
  const made = await classOf(5, 4, 4, 1);
  for (const [classmates, index, seen] of [
    ['names', 0, ['3: -, -', '2: -, -', '1: -, -', '0: 5, -']],
    ['all', 3, ['0: 5, 1', '1: 4, 2', '2: 4, 2', '3: 1, 4']],
    ['front', 3, ['0: 5, 1', '3: 1, -', '2: -, -', '1: -, -']],
  ] as const) {
    await admin.patch('/school-settings', { schoolDb, classmates });
    expect(await seenBy(made, index)).toEqual(seen);
  }
});

it('GET /student/classmates returns pages with the same content and the total, without disabled students', async () => {
  const made = await classOf(6, 5, 4, 3, 2, 1, 0);
  await admin.patch(`/users/${made.ids[6]}`, { schoolDb, disabled: true });
  const self = await made.signIn(5);
  const whole = await self.read<Mate[]>('/student/classmates');
  // With the disabled student, the front half would have four places.
  expect(whole.map(({ place }) => place)).toEqual([1, 2, 3, null, null, null]);
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

it('GET /student/logs lists the student’s own live records, newest first, without authors', async () => {
  const [mate, student] = classes[0].students;
  const self = await test.signInStudent(schoolDb, student.username);
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
    { id: late, scoreChange: -1, description: 'Late', categoryId: null, occurredAt: now, createdAt: now },
    { id: early, scoreChange: 2, description: 'Homework', categoryId: null, occurredAt: at, createdAt: at },
  ]);
  expect(answer.headers['x-total-count']).toBe('2');
  expect(await self.read('/student/logs?limit=1')).toMatchObject([{ id: late }]);
  expect(await self.read('/student/logs?type=plus')).toMatchObject([{ id: early }]);
  expect(await self.read('/student/logs?type=minus')).toMatchObject([{ id: late }]);
});

it('GET /student/records-by-day returns one entry per UTC day, oldest first, including empty days', async () => {
  const [student, mate] = classes[1].students;
  const self = await test.signInStudent(schoolDb, student.username);
  const byDay = (query = '') => self.read(`/student/records-by-day${query}`);
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
  for (const days of [1, 2, 3]) expect(await byDay(`?days=${days}`)).toEqual(lastThree.slice(3 - days));
  expect(await byDay()).toEqual([
    ...['16', '17', '18', '19'].map((day) => ({ date: `2026-09-${day}`, ...zero })),
    ...lastThree,
  ]);
  const page = await self.get('/student/records-by-day?days=366&limit=2&page=183');
  expect(page.data).toEqual(lastThree.slice(1));
  expect(page.headers['x-total-count']).toBe('366');
  expect((await self.get('/student/records-by-day?days=367')).status).toBe(400);
});
