import { describe, expect, it } from 'vitest';
import type { CredentialClient } from './identities.ts';
import { LockedRows } from './locked-rows.ts';
import { RaceSchool } from './race-school.ts';

const race = await RaceSchool.open();
const gradeHead = await race.school.issue({ scopeType: 'grade', scopeGradeId: race.school.grades[0].id });

const [first, second] = [() => race.school.grades[0].id, () => race.school.grades[1].id];

describe('a class that moves out of a credential’s grade while a call of the credential waits', () => {
  it('is not deleted by the waiting call, which gets 40303', async () => {
    const place = await race.newClass(first(), 2);
    const held = await LockedRows.ofStudent(race.test, place.students[0]?.id as number);
    const deletion = gradeHead.delete(`/classes/${place.id}?confirm=true`);
    await held.waitUntilWaiting(1);
    expect((await race.here.patch(`/classes/${place.id}`, { gradeId: second() })).status).toBe(200);
    await held.release();
    expect(await deletion).toMatchObject({ status: 403, code: 40303 });
    expect((await race.here.get(`/students?classId=${place.id}`)).data).toMatchObject({ total: 2 });
    await race.expectVerifiedLedger();
  });

  it('keeps its students and records unchanged: the waiting call gets 40303', async () => {
    const target = await race.newClass(first(), 1);
    const calls: Record<string, (student: number, record: number) => ReturnType<CredentialClient['get']>> = {
      'change of a student': (student) => gradeHead.patch(`/students/${student}`, { actualName: 'Taken' }),
      'move of a student': (student) => gradeHead.patch(`/students/${student}`, { classId: target.id }),
      'deletion of a student': (student) => gradeHead.delete(`/students/${student}?confirm=true`),
      'revocation of a record': (_, record) => gradeHead.delete(`/scores/${record}`),
    };
    for (const [what, call] of Object.entries(calls)) {
      const place = await race.newClass(first(), 1);
      const student = place.students[0]?.id as number;
      const record = await race.newRecord(student);
      const shown = async () => {
        const { data } = await race.here.get(`/students/${student}`);
        const { username, actualName, classId, totalScore, scoreCount } = data as Record<string, unknown>;
        return { username, actualName, classId, totalScore, scoreCount };
      };
      const before = await shown();
      const move = 'UPDATE class SET grade_id = $2 WHERE id = $1';
      const held = await LockedRows.selectedBy(race.test, move, [place.id, second()]);
      const answer = call(student, record);
      await held.waitUntilWaiting(1);
      await held.client.query('COMMIT');
      await held.release();
      expect([what, (await answer).code]).toEqual([what, 40303]);
      expect(await shown()).toEqual(before);
    }
    await race.expectVerifiedLedger();
  });
});

describe('a rename and a move of one class at the same moment', () => {
  it('succeed in either order, and the class has its new grade and name', async () => {
    for (const moveFirst of [true, false]) {
      const place = await race.newClass(first(), 1);
      const name = race.newName('Renamed');
      const calls = [
        () => race.here.patch(`/classes/${place.id}`, { gradeId: second() }),
        () => race.here.patch(`/classes/${place.id}`, { name }),
      ];
      const held = await LockedRows.ofClass(race.test, place.id);
      const answers = (moveFirst ? calls : calls.toReversed()).map((call) => call());
      await held.waitUntilWaiting(2);
      await held.release();
      for (const answer of await Promise.all(answers)) expect(answer.code).toBe(0);
      const { list } = (await race.here.get(`/classes?gradeId=${second()}&limit=100`)).data as {
        list: { id: number }[];
      };
      expect(list).toContainEqual(expect.objectContaining({ id: place.id, name }));
    }
  });
});
