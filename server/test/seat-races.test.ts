import type { Seat } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { AdminClient } from './identities.ts';
import { RaceSchool, type RaceStudent } from './race-school.ts';
import { randomFrom } from './random.ts';

const race = await RaceSchool.open();
const admins: readonly [AdminClient, AdminClient] = [await race.test.signIn(), await race.other.signIn()];

const admin = (i: number) => admins[(i % 2) as 0 | 1];

const { schoolDb } = race.school;
type Layout = readonly [groupCount: number, rowsPerGroup: number, colsPerGroup: number];

const generate = (i: number, classId: number, [groupCount, rowsPerGroup, colsPerGroup]: Layout) =>
  admin(i).post('/seats/data/generate', { schoolDb, classId, groupCount, rowsPerGroup, colsPerGroup });
const sit = (i: number, seat: Seat, userId: number | null) =>
  admin(i).patch(`/seats/data/${seat.id}`, { schoolDb, userId });
const seatsOf = async (classId: number) =>
  (await admin(0).get(`/seats/data?schoolDb=${schoolDb}&classId=${classId}`)).data as Seat[];

async function seated(students: number, seats: Layout) {
  const place = await race.newClass(race.school.grades[0].id, students);
  const answer = await generate(0, place.id, seats);
  return { ...place, seats: (answer.data as { seats: Seat[] }).seats };
}

const pick = <T>(random: () => number, from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
const sitting = (seats: readonly Seat[]) => seats.flatMap(({ userId }) => userId ?? []);
const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

describe('seats', () => {
  it('match a simple model of the seating rules after 60 changes', async () => {
    const random = randomFrom(1);
    const { id, seats, students } = await seated(6, [1, 2, 4]);
    const model = seats.map(({ userId }) => userId);
    for (let step = 0; step < 60; step++) {
      const at = Math.floor(random() * seats.length);
      const userId = random() < 0.25 ? null : pick(random, students).id;
      const left = userId === null ? -1 : model.indexOf(userId);
      if (left >= 0) model[left] = model[at] ?? null;
      model[at] = userId;
      const answer = await sit(step, seats[at] as Seat, userId);
      expect(answer).toMatchObject({ status: 200, data: { id: seats[at]?.id, userId } });
      expect([step, (await seatsOf(id)).map((seat) => seat.userId)]).toEqual([step, model]);
    }
  });

  it.each<[string, number, Layout]>([
    ['every student exactly once when a whole class swaps places', 0, [1, 2, 4]],
    ['each student at most once when seats are freed and taken', 0.3, [1, 1, 4]],
  ])('hold %s in parallel', async (_, freed, layout) => {
    const random = randomFrom(2);
    const { id, seats, students } = await seated(6, layout);
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          sit(i, pick(random, seats), random() < freed ? null : pick(random, students).id),
        ),
      );
      for (const { status } of answers) expect(status).toBe(200);
      const there = sitting(await seatsOf(id));
      expect(new Set(there).size).toBe(there.length);
      if (freed === 0) expect(sorted(there)).toEqual(sorted(students.map((student) => student.id)));
    }
  });

  it('form one complete layout after several layouts were generated in parallel', async () => {
    const { id, seats, students } = await seated(5, [1, 1, 1]);
    const sizes = [[1, 2, 2] as const, [2, 2, 2] as const, [1, 1, 3] as const, [3, 2, 1] as const];
    for (let round = 0; round < 3; round++) {
      const generated = await Promise.all([
        ...sizes.map((size, i) => generate(i + round, id, size)),
        // A seat of the replaced layout may still exist or be gone.
        sit(round, (await seatsOf(id))[0] ?? (seats[0] as Seat), (students[4] as RaceStudent).id),
      ]);
      const sitter = generated.pop();
      expect([200, 404]).toContain(sitter?.status);
      const now = await seatsOf(id);
      const layouts = generated.map(({ data }) => (data as { seats: Seat[] }).seats.map((seat) => seat.id));
      expect(layouts).toContainEqual(now.map((seat) => seat.id));
      expect(new Set(sitting(now)).size).toBe(Math.min(5, now.length));
    }
  });

  it('hold no student who moves to another class or is deleted at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const place = await seated(4, [1, 2, 3]);
      const refuge = await seated(1, [1, 2, 3]);
      const [leaver, doomed, stayer] = place.students as [RaceStudent, RaceStudent, RaceStudent];
      const three = [leaver, doomed, stayer];
      const layout = three.map(({ id: userId }, i) => ({ groupIndex: 2, row: 1, col: i + 1, userId }));
      const sender = race.sender;
      const answers = await Promise.all([
        sender(round).patch(`/students/${leaver.id}`, { classId: refuge.id }),
        sender(round).put(`/classes/${place.id}/seats`, { seats: layout }),
        sender(round + 1).delete(`/students/${doomed.id}?confirm=true`),
        ...place.seats.map((seat, i) => sit(i, seat, three[i % 3]?.id as number)),
        sit(round, refuge.seats[1] as Seat, leaver.id),
        generate(round, refuge.id, [1, 2, 2]),
      ]);
      for (const { status } of answers) expect([200, 400, 404]).toContain(status);
      const { rows } = await race.test.database.pool.query(
        `SELECT p.id FROM seat p JOIN student s ON s.id = p.student_id WHERE s.class_id <> p.class_id`,
      );
      expect(rows).toEqual([]);
      const there = sitting(await seatsOf(place.id));
      expect(there).toContain(stayer.id);
      expect(there).not.toContain(leaver.id);
      expect(there).not.toContain(doomed.id);
    }
  });
});
