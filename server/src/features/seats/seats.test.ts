import type { Seat } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import type { CredentialClient } from '../../../test/identities.ts';
import {
  createSampleSchool,
  type SampleClass,
  type SampleSchool,
  startTestApp,
} from '../../../test/test-app.ts';

let school: SampleSchool;
let office: CredentialClient;
let klass: SampleClass;
let neighbour: SampleClass;
let schools = 0;

const test = await startTestApp();
const admin = await test.signIn();

beforeEach(async () => {
  school = await createSampleSchool(admin, `School ${++schools}`);
  office = await school.issue({});
  [klass, neighbour] = school.grades[0].classes;
});

const student = (i: number, of = klass) => of.students[i] as { id: number; username: string };
const inSchool = (query = '') => `schoolDb=${school.schoolDb}${query}`;

async function enrol(username: string, classId = klass.id): Promise<number> {
  const { data } = await office.post('/students', { username, classId, password: 'secret-password' });
  return (data as { id: number }).id;
}

const layout = (groupCount: number, rowsPerGroup: number, colsPerGroup: number) => ({
  groupCount,
  rowsPerGroup,
  colsPerGroup,
});

const generate = (size: object, classId = klass.id) =>
  admin.post('/seats/data/generate', { schoolDb: school.schoolDb, classId, ...size });
const generated = async (size: object, classId = klass.id) =>
  (await generate(size, classId)).data as { seats: Seat[]; unseated: number };
const seatsOf = async (classId = klass.id) =>
  (await admin.get(`/seats/data?${inSchool(`&classId=${classId}`)}`)).data as Seat[];
const sit = (seat: Seat | undefined, userId: unknown) =>
  admin.patch(`/seats/data/${seat?.id}`, { schoolDb: school.schoolDb, userId });
const sitting = async () => (await seatsOf()).map((seat) => seat.userId);

describe('Generated layout', () => {
  it('has every seat of every group, by group, row and column', async () => {
    const { seats } = await generated(layout(2, 2, 3));
    const places = [1, 2].flatMap((g) => [1, 2].flatMap((r) => [1, 2, 3].map((c) => [g, r, c])));
    expect(seats.map(({ groupIndex, row, col }) => [groupIndex, row, col])).toEqual(places);
    expect(seats[0]).toEqual({
      id: expect.any(Number),
      classId: klass.id,
      groupIndex: 1,
      row: 1,
      col: 1,
      userId: student(0).id,
      username: student(0).username,
      actualName: expect.any(String),
    });
    expect(seats[3]).toMatchObject({ userId: null, username: null, actualName: null });
    expect(await seatsOf()).toEqual(seats);
  });

  it('seats the enabled students in the order of a list by username', async () => {
    for (const username of ['Zoe', 'aaron', '李伟', 's1a10']) await enrol(username);
    await office.patch(`/students/${student(1).id}`, { disabled: true });
    const { data } = await office.get(
      `/students?classId=${klass.id}&disabled=false&sortBy=username&limit=100`,
    );
    const listed = (data as { list: { id: number }[] }).list.map(({ id }) => id);
    expect(listed).toHaveLength(6);
    const { seats, unseated } = await generated(layout(1, 2, 4));
    expect(seats.map((seat) => seat.userId)).toEqual([...listed, null, null]);
    expect(unseated).toBe(0);
  });

  it('returns the number of enabled students without a seat', async () => {
    await office.patch(`/students/${student(2).id}`, { disabled: true });
    expect(await generated(layout(1, 1, 1))).toMatchObject({
      seats: [{ userId: student(0).id }],
      unseated: 1,
    });
    expect(await generated(layout(1, 1, 2))).toMatchObject({ unseated: 0 });
  });

  it('replaces the earlier layout of this class only', async () => {
    const [old] = (await generated(layout(2, 2, 2))).seats;
    const others = await generated(layout(1, 2, 2), neighbour.id);
    const { seats } = await generated(layout(1, 1, 3));
    expect(await seatsOf()).toEqual(seats);
    expect(await seatsOf(neighbour.id)).toEqual(others.seats);
    expect((await sit(old, null)).status).toBe(404);
  });

  it('may have 20 groups of 20 rows of 20 seats', async () => {
    const { seats } = await generated(layout(20, 20, 20));
    expect(seats).toHaveLength(8_000);
    expect(seats.at(-1)).toMatchObject({ groupIndex: 20, row: 20, col: 20 });
  });

  it('with another size or an unknown field answers 400 and keeps the old layout', async () => {
    const { seats } = await generated(layout(1, 1, 3));
    for (const bad of [0, 21, -1, 1.5, '2', null, undefined]) {
      expect((await generate(layout(bad as number, 2, 2))).status).toBe(400);
      expect((await generate(layout(2, bad as number, 2))).status).toBe(400);
      expect((await generate(layout(2, 2, bad as number))).status).toBe(400);
    }
    expect((await generate({ ...layout(2, 2, 2), group_count: 2 })).status).toBe(400);
    expect((await admin.post('/seats/data/generate', { classId: klass.id, ...layout(1, 1, 1) })).status).toBe(
      400,
    );
    expect(await seatsOf()).toEqual(seats);
  });
});

describe('GET /seats/data', () => {
  it('lists by class, group, row and column, and page by page', async () => {
    const second = await generated(layout(1, 1, 2), neighbour.id);
    const first = await generated(layout(2, 1, 1));
    const all = await admin.get(`/seats/data?${inSchool()}`);
    expect(all.data).toEqual([...first.seats, ...second.seats]);
    expect(all.headers['x-total-count']).toBe('4');
    const page = await admin.get(`/seats/data?${inSchool('&page=2&limit=3')}`);
    expect(page.data).toEqual(second.seats.slice(1));
    expect(page.headers['x-total-count']).toBe('4');
  });

  it('lists only classes in the caller’s range', async () => {
    const own = await generated(layout(1, 1, 3));
    await generated(layout(1, 1, 3), neighbour.id);
    const { ofClass } = await createStaff(test, school);
    expect((await ofClass.get(`/seats/data?${inSchool()}`)).data).toEqual(own.seats);
  });
});

describe('Seated student', () => {
  it('swaps with the student on the new seat', async () => {
    const { seats } = await generated(layout(1, 1, 3));
    const answer = await sit(seats[2], student(0).id);
    expect(answer).toMatchObject({
      status: 200,
      data: { id: seats[2]?.id, row: 1, col: 3, userId: student(0).id, username: student(0).username },
    });
    expect(await sitting()).toEqual([student(2).id, student(1).id, student(0).id]);
  });

  it('leaves the old seat empty when the new one was empty', async () => {
    const { seats } = await generated(layout(1, 1, 4));
    await sit(seats[3], student(0).id);
    expect(await sitting()).toEqual([null, student(1).id, student(2).id, student(0).id]);
  });

  it('without an earlier seat replaces the student on the new one', async () => {
    const { seats } = await generated(layout(1, 1, 2));
    expect(await sit(seats[0], student(2).id)).toMatchObject({ data: { userId: student(2).id } });
    expect(await sitting()).toEqual([student(2).id, student(1).id]);
  });

  it('may be assigned to the same seat again', async () => {
    const { seats } = await generated(layout(1, 1, 3));
    expect(await sit(seats[1], student(1).id)).toMatchObject({ status: 200, data: seats[1] });
    expect(await seatsOf()).toEqual(seats);
  });

  it('may be disabled, and keeps the seat when disabled later', async () => {
    await office.patch(`/students/${student(0).id}`, { disabled: true });
    const { seats } = await generated(layout(1, 1, 3));
    expect((await sit(seats[2], student(0).id)).status).toBe(200);
    await office.patch(`/students/${student(1).id}`, { disabled: true });
    expect(await sitting()).toEqual([student(1).id, student(2).id, student(0).id]);
  });

  it('frees the seat by moving to another class or by deletion', async () => {
    await generated(layout(1, 1, 3));
    await generated(layout(1, 2, 2), neighbour.id);
    await office.patch(`/students/${student(0).id}`, { classId: neighbour.id });
    await office.delete(`/students/${student(2).id}?confirm=true`);
    expect(await sitting()).toEqual([null, student(1).id, null]);
    const { seats } = await generated(layout(1, 2, 2), neighbour.id);
    expect(seats.map((seat) => seat.userId)).toContain(student(0).id);
  });
});

describe('Seat', () => {
  it('is freed by null, even when empty', async () => {
    const { seats } = await generated(layout(1, 1, 3));
    const free = { ...seats[1], userId: null, username: null, actualName: null };
    for (const _ of [1, 2]) expect(await sit(seats[1], null)).toMatchObject({ status: 200, data: free });
    expect(await sitting()).toEqual([student(0).id, null, student(2).id]);
  });

  it('answers 400 for a student of another class in the range, and 403 outside it', async () => {
    const { seats } = await generated(layout(1, 1, 3));
    const userId = student(0, neighbour).id;
    const answer = await sit(seats[0], userId);
    expect(answer).toMatchObject({ status: 400, message: expect.stringContaining('not in the class') });
    const { ofClass } = await createStaff(test, school);
    const body = { schoolDb: school.schoolDb, userId };
    expect((await ofClass.patch(`/seats/data/${seats[0]?.id}`, body)).status).toBe(403);
    expect(await seatsOf()).toEqual(seats);
  });

  it('is not changed by invalid values, with 400 or 404', async () => {
    const { seats } = await generated(layout(1, 1, 3));
    for (const userId of [undefined, 0, -1, 'x', 1.5, []]) {
      expect((await sit(seats[0], userId)).status).toBe(400);
    }
    expect((await sit(seats[0], 999_999)).status).toBe(404);
    expect((await sit({ id: 999_999 } as Seat, null)).status).toBe(404);
    expect((await sit({ id: 'x' } as never, null)).status).toBe(400);
    expect(await seatsOf()).toEqual(seats);
  });

  it('is deleted with its class', async () => {
    await generated(layout(1, 1, 3));
    const others = await generated(layout(1, 1, 3), neighbour.id);
    await office.delete(`/classes/${klass.id}?confirm=true`);
    expect((await admin.get(`/seats/data?${inSchool()}`)).data).toEqual(others.seats);
  });
});
