import { describe, expect, it } from 'vitest';
import { LockedRows } from './locked-rows.ts';
import { expectOneWinner, idOf, RaceSchool, sendWrites } from './race-school.ts';

const race = await RaceSchool.open();

const things: Record<string, () => Promise<string>> = {
  student: async () =>
    `/students/${(await race.newStudent(race.school.grades[0].classes[0].id)).id}?confirm=true`,
  class: async () => `/classes/${(await race.newClass(race.school.grades[0].id, 1)).id}?confirm=true`,
  grade: async () => `/grades/${await race.newGrade()}?confirm=true`,
  template: async () => {
    const body = { name: race.newName('Template'), scoreChange: 1 };
    return `/templates/${idOf(await race.here.post('/templates', body))}`;
  },
};

describe.each([1, 2] as const)('Deletions sent to %i server processes at once', (processes) => {
  it.each(Object.keys(things))('delete a %s once and answer 40401 to all others', async (what) => {
    const sender = race.sender(processes);
    for (let round = 0; round < 3; round++) {
      const path = await (things[what] as () => Promise<string>)();
      expectOneWinner(await Promise.all(Array.from({ length: 12 }, (_, i) => sender(i).delete(path))), 40401);
    }
    await race.expectVerifiedLedger();
  });

  it('keep every total right when a grade is deleted during score writes and a move of its class', async () => {
    const sender = race.sender(processes);
    for (let round = 0; round < 5; round++) {
      const doomed = await race.newGrade();
      const place = await race.newClass(doomed, 2);
      const move = { gradeId: race.school.grades[0].id, name: race.newName('Moved') };
      const answers = await Promise.all([
        ...sendWrites(sender, place.students, 6),
        sender(round).delete(`/grades/${doomed}?confirm=true`),
        sender(round + 1).patch(`/classes/${place.id}`, move),
        ...sendWrites(sender, place.students, 6),
      ]);
      for (const answer of answers) expect([0, 40401]).toContain(answer.code);
    }
    await race.expectVerifiedLedger();
  });
});

describe('a class that moves out of a grade just before the grade is deleted', () => {
  it('keeps its students, records and totals', async () => {
    const doomed = await race.newGrade();
    const place = await race.newClass(doomed, 2);
    const student = place.students[0]?.id as number;
    await race.newRecord(student);
    // The deletion has found the class in its grade and waits for a student while the class moves.
    const held = await LockedRows.ofStudent(race.test, student);
    const deletion = race.here.delete(`/grades/${doomed}?confirm=true`);
    await held.waitUntilWaiting(1);
    const gradeId = race.school.grades[1].id;
    const move = await race.here.patch(`/classes/${place.id}`, { gradeId, name: race.newName('Moved') });
    expect(move).toMatchObject({ status: 200, data: { gradeId } });
    await held.release();
    const cascadeDeleted = { classes: 0, students: 0 };
    expect(await deletion).toMatchObject({ status: 200, data: { cascadeDeleted } });
    expect((await race.here.get(`/students?classId=${place.id}`)).data).toMatchObject({ total: 2 });
    expect((await race.here.get(`/scores?classId=${place.id}`)).data).toMatchObject({ total: 1 });
    await race.expectVerifiedLedger();
  });
});
