import type { Seat } from '@classledger/contract';
import { beforeEach, expect, it } from 'vitest';
import { createAdmin } from '../../../test/administrators.ts';
import { type NewClass, openSchool, type SampleStudent } from '../../../test/test-app.ts';

const { test, admin, school, office } = await openSchool();
const { schoolDb } = school;
const [{ id: gradeId, classes }] = school.grades;

let klass: NewClass;
const neighbour = await school.newClass(gradeId);
beforeEach(async () => {
  klass = await school.newClass(gradeId);
});

const student = (i: number, of = klass) => of.students[i] as SampleStudent;
const named = (i: number) => {
  const { id, username } = student(i);
  return { userId: id, username, actualName: username };
};
const nobody = { userId: null, username: null, actualName: null };
const seatsOf = (classId = klass.id) =>
  admin.read<Seat[]>(`/seats/data?schoolDb=${schoolDb}&classId=${classId}`);

interface Seating {
  readonly seats: Seat[];
  readonly unseated: number;
}
const generate = ([groupCount, rowsPerGroup, colsPerGroup]: readonly number[], { id: classId } = klass) =>
  admin.post('/seats/data/generate', { schoolDb, classId, groupCount, rowsPerGroup, colsPerGroup });
const generated = async (...how: Parameters<typeof generate>) => (await generate(...how)).data as Seating;
const sit = (seat: Seat | undefined, userId: unknown) =>
  admin.patch(`/seats/data/${seat?.id}`, { schoolDb, userId });
/** Returns the index of the student on each seat. */
const sitting = async () =>
  (await seatsOf()).map(({ userId }) =>
    userId === null ? null : klass.students.findIndex(({ id }) => id === userId),
  );

// Comes first, because the other tests create seats.
it('GET /seats/data lists classes in the range by class, group, row and column, and page by page', async () => {
  const [first, second] = classes;
  const later = await generated([1, 1, 2], { ...klass, id: second.id });
  const earlier = await generated([2, 1, 1], { ...klass, id: first.id });
  const place = { schoolId: school.id, gradeId, classId: first.id };
  const teacher = await createAdmin(test, { username: 'teacher', role: 'class_admin', ...place });
  for (const [by, query, seats, total] of [
    [admin, '', [...earlier.seats, ...later.seats], '4'],
    [admin, '&page=2&limit=3', later.seats.slice(1), '4'],
    [teacher, '', earlier.seats, '2'],
  ] as const) {
    const answer = await by.get(`/seats/data?schoolDb=${schoolDb}${query}`);
    expect([answer.data, answer.headers['x-total-count']]).toEqual([seats, total]);
  }
});

it('a generated layout has every seat of every group in order, and replaces the earlier layout of this class only', async () => {
  const [old] = (await generated([2, 2, 2])).seats;
  const others = await generated([1, 2, 2], neighbour);
  const { seats } = await generated([2, 2, 3]);
  const places = [1, 2].flatMap((g) => [1, 2].flatMap((r) => [1, 2, 3].map((c) => [g, r, c])));
  expect(seats.map(({ groupIndex, row, col }) => [groupIndex, row, col])).toEqual(places);
  const first = { id: expect.any(Number), classId: klass.id, groupIndex: 1, row: 1, col: 1, ...named(0) };
  expect(seats[0]).toEqual(first);
  expect(seats[3]).toMatchObject(nobody);
  expect(await seatsOf()).toEqual(seats);
  expect(await seatsOf(neighbour.id)).toEqual(others.seats);
  expect((await sit(old, null)).status).toBe(404);
});

it('a generated layout seats the enabled students in the order of a list by username', async () => {
  const batch = ['Zoe', 'aaron', '李伟', `${student(0).username}0`].map((username) => ({ username }));
  await office.created('/students', { classId: klass.id, batch });
  await office.patch(`/students/${student(1).id}`, { disabled: true });
  const listed = await office.read<{ list: { id: number }[] }>(
    `/students?classId=${klass.id}&disabled=false&sortBy=username`,
  );
  const ids = listed.list.map(({ id }) => id);
  expect(ids).toHaveLength(6);
  const { seats, unseated } = await generated([1, 2, 4]);
  expect(seats.map((seat) => seat.userId)).toEqual([...ids, null, null]);
  expect(unseated).toBe(0);
  expect(await generated([1, 1, 4])).toMatchObject({ unseated: 2 });
});

it.each([0, 1, 2])(
  'a generated layout may have 20 groups, rows and columns, but no more (%#)',
  async (extent) => {
    const layout = (size: number) => [1, 1, 1].with(extent, size);
    expect((await generated(layout(20))).seats).toHaveLength(20);
    expect((await generate(layout(21))).status).toBe(400);
    expect(await seatsOf()).toHaveLength(20);
  },
);

// races.test.ts compares sequences of changes with a model.
it('a disabled student may be seated, and a student who is disabled later keeps the seat', async () => {
  await office.patch(`/students/${student(0).id}`, { disabled: true });
  const { seats } = await generated([1, 1, 3]);
  expect((await sit(seats[2], student(0).id)).status).toBe(200);
  await office.patch(`/students/${student(1).id}`, { disabled: true });
  expect(await sitting()).toEqual([1, 2, 0]);
});

it('seating a student of another class answers 400, and a missing student 404', async () => {
  const { seats } = await generated([1, 1, 3]);
  const answer = await sit(seats[0], student(0, neighbour).id);
  expect(answer).toMatchObject({ status: 400, message: expect.stringContaining('not in the class') });
  expect((await sit(seats[0], 999_999_999)).status).toBe(404);
  expect(await seatsOf()).toEqual(seats);
});

it('seats are freed when the student moves to another class or is deleted, and are deleted with their class', async () => {
  await generated([1, 1, 3]);
  await admin.patch(`/users/${student(1).id}`, { schoolDb, actualName: 'stays', classId: klass.id });
  await office.patch(`/students/${student(0).id}`, { classId: neighbour.id });
  await office.delete(`/students/${student(2).id}?confirm=true`);
  expect(await sitting()).toEqual([null, 1, null]);
  const { seats } = await generated([1, 2, 2], neighbour);
  expect(seats.map((seat) => seat.userId)).toContain(student(0).id);
  await office.delete(`/classes/${klass.id}?confirm=true`);
  const all = await admin.read<Seat[]>(`/seats/data?schoolDb=${schoolDb}`);
  expect(all.filter(({ classId }) => classId === klass.id)).toEqual([]);
  expect(await seatsOf(neighbour.id)).toEqual(seats);
});

const at = (groupIndex: number, row: number, col: number, who: object = {}) => {
  return { groupIndex, row, col, ...who };
};
const put = (seats: unknown, { id } = klass, as = office) => as.put(`/classes/${id}/seats`, { seats });
const read = ({ id } = klass, as = office) => as.read<Seating>(`/classes/${id}/seats`);

it('PUT seats replaces all seats of a class, and returns them by group, row and column like the internal API', async () => {
  await put([at(3, 3, 3, { userId: student(2).id })]);
  await put([at(1, 1, 1)], neighbour);
  const numbers = { externalId: `sis-${klass.id}`, cardNumber: `card-${klass.id}` };
  await office.patch(`/students/${student(0).id}`, numbers);
  const answer = await put([
    at(2, 1, 1, { userId: student(1).id, username: student(1).username }),
    at(1, 1, 2, { ...numbers, username: ` ${student(0).username} ` }),
    at(1, 1, 1, { userId: null, username: null }),
  ]);
  const place = { id: expect.any(Number), classId: klass.id };
  const seats = [
    { ...place, ...at(1, 1, 1), ...nobody },
    { ...place, ...at(1, 1, 2), ...named(0) },
    { ...place, ...at(2, 1, 1), ...named(1) },
  ];
  expect(answer).toMatchObject({ status: 200, code: 0 });
  expect(answer.data).toEqual({ seats, unseated: 1 });
  expect(await read()).toEqual(answer.data);
  expect(await seatsOf()).toEqual((answer.data as Seating).seats);
  expect((await read(neighbour)).seats).toHaveLength(1);
  expect(await put([])).toMatchObject({ data: { seats: [], unseated: 3 } });
});

it('PUT seats accepts up to 1,000 seats, and answers 40002 to more', async () => {
  const all = Array.from({ length: 1_000 }, (_, i) =>
    at(1 + (i % 20), 1 + (Math.floor(i / 20) % 20), 1 + Math.floor(i / 400)),
  );
  expect(await put(all)).toMatchObject({ code: 0, message: 'ok' });
  expect((await put([...all, at(20, 20, 20)])).code).toBe(40002);
  expect((await read()).seats).toHaveLength(1_000);
});

it('PUT seats changes nothing when one seat is wrong, and names the seat', async () => {
  await put([at(1, 1, 1, { userId: student(0).id })]);
  const before = await read();
  const [own, other] = [student(0), student(0, neighbour)];
  const erased = student(1);
  await admin.post(`/users/${erased.id}/erase`, { schoolDb });
  const wrong: [code: number, message: string, seats: unknown][] = [
    [40003, 'seats', undefined],
    [40001, 'col', [{ groupIndex: 1, row: 1 }]],
    [40002, 'seats.1', [at(1, 1, 1), at(1, 21, 1)]],
    [40002, 'name', [at(1, 1, 1, { name: 'x' })]],
    [40002, 'twice', [at(1, 1, 1), at(2, 1, 1), at(1, 1, 1)]],
    [40002, 'twice', [at(1, 1, 1, { userId: own.id }), at(1, 1, 2, { username: own.username })]],
    [40002, 'not in this class', [at(1, 1, 1, { userId: other.id })]],
    [40002, 'differ', [at(1, 1, 1, { userId: own.id, username: other.username })]],
    [40002, 'differ', [at(1, 1, 1, { username: own.username, cardNumber: '9' })]],
    [40401, 'seats.0', [at(1, 1, 1, { username: 'nobody' })]],
    [40901, 'erased', [at(1, 1, 1, { userId: erased.id })]],
  ];
  for (const [code, message, seats] of wrong) {
    const refused = { code, message: expect.stringContaining(message) };
    expect([seats, await put(seats)]).toMatchObject([seats, refused]);
  }
  expect(await read()).toMatchObject({ seats: before.seats });
});

it('PUT seats needs no students:read to name students, and shows their names without it', async () => {
  const writer = await school.issue({ scopes: ['structure:write'] });
  const reader = await school.issue({ scopes: ['structure:read'] });
  expect((await put([at(1, 1, 1, { userId: student(0).id })], klass, writer)).code).toBe(0);
  expect(await read(klass, reader)).toMatchObject({ seats: [named(0)] });
});
