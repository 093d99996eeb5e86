import { describe, expect, it } from 'vitest';
import { expectWrittenOrNotFound, RaceSchool, sendWrites } from './race-school.ts';

const race = await RaceSchool.open();
/** Half of the requests reach each process, so they also meet others of their own process. */
const sender = race.sender(2);

describe('score writes at two processes', () => {
  it('keep totals right while their class is deleted', async () => {
    for (let round = 0; round < 5; round++) {
      const place = await race.newClass(race.school.grades[0].id, 2);
      const early = sendWrites(sender, place.students, 12);
      const deletion = sender(round).delete(`/classes/${place.id}?confirm=true`);
      const late = sendWrites(sender, place.students, 6);
      expectWrittenOrNotFound(await Promise.all([...early, ...late]));
      expect(await deletion).toMatchObject({ status: 200, data: { cascadeDeleted: { students: 2 } } });
      const left = await race.here.get(`/scores?userId=${place.students[0]?.id}`);
      expect(left.data).toMatchObject({ total: 0 });
    }
    await race.expectVerifiedLedger();
  });

  it('keep totals right while their grade is deleted', async () => {
    for (let round = 0; round < 3; round++) {
      const gradeId = await race.newGrade();
      const places = await Promise.all([race.newClass(gradeId, 2), race.newClass(gradeId, 1)]);
      const students = places.flatMap((place) => place.students);
      const early = sendWrites(sender, students, 12);
      const deletion = sender(round).delete(`/grades/${gradeId}?confirm=true`);
      const late = sendWrites(sender, students, 6);
      expectWrittenOrNotFound(await Promise.all([...early, ...late]));
      const cascadeDeleted = { classes: 2, students: 3 };
      expect(await deletion).toMatchObject({ status: 200, data: { cascadeDeleted } });
    }
    await race.expectVerifiedLedger();
  });

  it('keep totals right while a student is moved, disabled and deleted', async () => {
    const [from, to] = [
      await race.newClass(race.school.grades[0].id, 1),
      await race.newClass(race.school.grades[1].id, 1),
    ];
    for (let round = 0; round < 5; round++) {
      const student = await race.newStudent(from.id);
      const all = [student, ...from.students, ...to.students];
      const [target, back] = round % 2 === 0 ? [to.id, from.id] : [from.id, to.id];
      const early = sendWrites(sender, all, 12);
      const changes = [
        sender(0).patch(`/students/${student.id}`, { classId: to.id }),
        sender(1).patch(`/students/${student.id}`, { disabled: true }),
        sender(1).patch(`/students/${from.students[0]?.id}`, { classId: target }),
        sender(0).patch(`/students/${to.students[0]?.id}`, { classId: back }),
      ];
      const deletion = sender(round).delete(`/students/${student.id}?confirm=true`);
      const late = sendWrites(sender, all, 6);
      expectWrittenOrNotFound(await Promise.all([...early, ...late]));
      for (const answer of await Promise.all(changes)) expect([0, 40401]).toContain(answer.code);
      expect(await deletion).toMatchObject({ status: 200, data: { id: student.id } });
    }
    await race.expectVerifiedLedger();
  });

  it('let one of twenty parallel revocations of a record succeed; the others get 40401', async () => {
    const place = race.school.grades[0].classes[0];
    const student = place.students[0] as { id: number; username: string };
    for (let round = 0; round < 2; round++) {
      const logId = await race.newRecord(student.id);
      const before = (await race.here.get(`/students/${student.id}`)).data as { totalScore: number };
      const others = [student.id, place.students[1]?.id as number];
      const [revocations, written] = await Promise.all([
        Promise.all(Array.from({ length: 20 }, (_, i) => sender(i).delete(`/scores/${logId}`))),
        Promise.all(others.map((userId, i) => sender(i).post('/scores', { userId, scoreChange: 1 }))),
      ]);
      const codes = revocations.map((answer) => answer.code).toSorted((a, b) => a - b);
      expect(codes).toEqual([0, ...Array.from({ length: 19 }, () => 40401)]);
      expectWrittenOrNotFound(written);
      const after = await race.here.get(`/students/${student.id}`);
      expect(after.data).toMatchObject({ totalScore: before.totalScore - 3 + 1 });
    }
    await race.expectVerifiedLedger();
  });

  it('keep totals right while a class is deleted and students enter and leave it', async () => {
    const refuge = await race.newClass(race.school.grades[1].id, 1);
    for (let round = 0; round < 2; round++) {
      const place = await race.newClass(race.school.grades[0].id, 2);
      const [leaver] = place.students as [{ id: number; username: string }];
      const comer = await race.newStudent(refuge.id);
      const all = [...place.students, comer];
      const body = { username: race.newName('late'), classId: place.id, password: 'secret-1' };
      const answers = await Promise.all([
        ...sendWrites(sender, all, 6),
        sender(0).patch(`/students/${leaver.id}`, { classId: refuge.id }),
        sender(1).patch(`/students/${comer.id}`, { classId: place.id }),
        sender(1).post('/students', body),
        sender(0).delete(`/classes/${place.id}?confirm=true`),
        sender(1).patch(`/students/${comer.id}`, { classId: refuge.id }),
        ...sendWrites(sender, all, 6),
      ]);
      for (const answer of answers) expect([0, 40303, 40401]).toContain(answer.code);
    }
    await race.expectVerifiedLedger();
  });
});
