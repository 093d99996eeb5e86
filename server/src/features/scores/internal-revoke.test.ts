import type { ScoreLog, StudentDetail, StudentTotals } from '@classledger/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { putIntoClosedTerm } from '../../../test/closed-term.ts';
import { HeldRows } from '../../../test/held-rows.ts';
import type { AdminClient } from '../../../test/identities.ts';

const { test, admin, school, other, staff, office } = await openStaffedSchool();

afterEach(() => test.expectProven());

const studentOf = (grade: 0 | 1, place: 0 | 1, n: 0 | 1 | 2, at = school) =>
  (at.grades[grade].classes[place].students[n] as { id: number }).id;
async function give(userId: number, scoreChange = 2, at = school): Promise<number> {
  const { data } = await admin.post('/scores/add', { schoolDb: at.schoolDb, userId, scoreChange });
  return (data as { log: ScoreLog }).log.id;
}
const revoke = (by: AdminClient, id: number, headers = {}) =>
  by.delete(`/scores/logs/${id}?schoolDb=${school.schoolDb}`, headers);
const undo = (by: AdminClient, ids: readonly unknown[]) =>
  by.post('/scores/logs/revoke', { schoolDb: school.schoolDb, ids });
const liveIds = async (): Promise<number[]> => {
  const records = test.database.db.selectFrom('score_record').where('live', '=', true).select('id');
  return (await records.execute()).map((record) => record.id);
};
async function totalsOf(id: number): Promise<StudentTotals> {
  const { classId, totalScore, addScore, deductScore, scoreCount } = (await office.get(`/students/${id}`))
    .data as StudentDetail;
  return { id, classId, totalScore, addScore, deductScore, scoreCount };
}
const closedRecord = async (userId: number): Promise<number> => {
  const id = await give(userId);
  await revoke(admin, id);
  await putIntoClosedTerm(test, { schoolId: school.id, classId: school.grades[0].classes[0].id }, [id]);
  return id;
};

describe('DELETE /scores/logs/:id', () => {
  it('returns the revoked record, updates the totals and stores who revoked it', async () => {
    const userId = studentOf(0, 0, 0);
    const before = await totalsOf(userId);
    const id = await give(userId, -3);
    const answer = await revoke(staff.ofClass, id);
    expect(answer).toMatchObject({
      status: 200,
      data: { logId: id, userId, username: 's1a1', revokedScoreChange: -3 },
    });
    expect(await totalsOf(userId)).toEqual(before);
    const { data } = await staff.ofClass.get(`/scores/logs?schoolDb=${school.schoolDb}&state=revoked`);
    expect((data as ScoreLog[]).find((log) => log.id === id)).toMatchObject({
      revokedAt: test.clock.now().toISOString(),
      revokedBy: { type: 'admin', id: staff.ofClass.id, name: staff.ofClass.username },
    });
  });

  it('answers 404 to a repetition, a missing or foreign record, and 403 outside the range', async () => {
    const [own, nextDoor] = [await give(studentOf(0, 0, 0)), await give(studentOf(0, 1, 0))];
    const farAway = await give(studentOf(1, 0, 0));
    const foreign = await give(studentOf(0, 0, 0, other), 2, other);
    const before = await liveIds();
    expect((await revoke(staff.ofClass, own)).status).toBe(200);
    const refusals = [
      await revoke(staff.ofClass, own),
      await revoke(staff.ofClass, 999_999_999),
      await revoke(admin, foreign),
      await revoke(staff.ofClass, nextDoor),
      await revoke(staff.ofGrade, farAway),
    ];
    expect(refusals.map((answer) => answer.status)).toEqual([404, 404, 404, 403, 403]);
    for (const refusal of refusals) expect(refusal).toMatchObject({ success: false, data: null });
    expect(new Set(await liveIds())).toEqual(new Set(before.filter((id) => id !== own)));
    expect((await revoke(staff.ofGrade, nextDoor)).status).toBe(200);
  });

  it('answers 409 for a record of a closed term, and 403 outside the range', async () => {
    const id = await closedRecord(studentOf(0, 1, 1));
    expect(await revoke(staff.ofSchool, id)).toMatchObject({ status: 409, data: null });
    expect((await revoke(staff.ofClass, id)).status).toBe(403);
  });

  it('repeats its answer for the same idempotency key, and revokes once', async () => {
    const userId = studentOf(0, 0, 1);
    const id = await give(userId);
    const before = await totalsOf(userId);
    const answers = [];
    for (let i = 0; i < 3; i++) {
      answers.push(await revoke(staff.ofClass, id, { 'idempotency-key': 'revoke once' }));
    }
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(answers.map((answer) => answer.headers['idempotency-replayed'])).toEqual([
      undefined,
      'true',
      'true',
    ]);
    for (const answer of answers) expect(answer.data).toEqual(answers[0]?.data);
    expect((await totalsOf(userId)).totalScore).toBe(before.totalScore - 2);
  });

  it('revokes once when sent twenty times through both APIs', async () => {
    const userId = studentOf(0, 0, 2);
    for (let round = 0; round < 5; round++) {
      const before = await totalsOf(userId);
      const id = await give(userId, 4);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => {
          if (i % 3 === 0) return office.delete(`/scores/${id}`);
          return i % 3 === 1 ? revoke(staff.ofClass, id) : revoke(staff.ofSchool, id);
        }),
      );
      const statuses = answers.map((answer) => answer.status).toSorted();
      expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
      expect(await totalsOf(userId)).toEqual(before);
    }
  });
});

describe('Revoking several records', () => {
  it('revokes all of them and returns the totals of every student', async () => {
    const [first, second] = [studentOf(0, 0, 0), studentOf(0, 1, 0)];
    const before = [await totalsOf(first), await totalsOf(second)];
    const ids = [await give(second, 5), await give(first, -1), await give(second, 0), await give(second, -7)];
    const answer = await undo(staff.ofGrade, ids);
    expect(answer).toMatchObject({ status: 200, data: { revoked: 4, students: before } });
    expect([await totalsOf(first), await totalsOf(second)]).toEqual(before);
    const live = await liveIds();
    expect(ids.filter((id) => live.includes(id))).toEqual([]);
  });

  it('counts revoked records as done, so it can be repeated', async () => {
    const userId = studentOf(0, 0, 0);
    const ids = [await give(userId), await give(userId)];
    await revoke(staff.ofClass, ids[0] as number);
    test.clock.advance(1_000);
    const answers = [await undo(staff.ofClass, [...ids, ...ids]), await undo(staff.ofClass, ids)];
    const students = [await totalsOf(userId)];
    expect(answers.map((answer) => answer.data)).toEqual([
      { revoked: 1, students },
      { revoked: 0, students },
    ]);
    const rows = await test.database.db
      .selectFrom('score_record')
      .where('id', 'in', ids)
      .select('revoked_at')
      .orderBy('id')
      .execute();
    const now = test.clock.now();
    expect(rows.map((row) => row.revoked_at)).toEqual([
      new Date(now.getTime() - 1_000).toISOString(),
      now.toISOString(),
    ]);
  });

  it('revokes none when one is missing, foreign, outside the range or of a closed term', async () => {
    const ids = [await give(studentOf(0, 0, 0)), await give(studentOf(0, 0, 1))];
    const foreign = await give(studentOf(0, 0, 0, other), 2, other);
    const nextDoor = await give(studentOf(0, 1, 0));
    const closed = await closedRecord(studentOf(0, 0, 2));
    const before = await liveIds();
    const cases: [number, number][] = [
      [999_999_999, 404],
      [foreign, 404],
      [nextDoor, 403],
      [closed, 409],
    ];
    for (const [bad, status] of cases) {
      for (const mixed of [
        [...ids, bad],
        [bad, ...ids],
      ]) {
        const answer = await undo(staff.ofClass, mixed);
        expect([bad, answer.status, answer.data]).toEqual([bad, status, null]);
        expect(answer.message).toContain(String(bad));
      }
    }
    expect(await liveIds()).toEqual(before);
  });

  it.each([
    [[], /ids/],
    [Array.from({ length: 201 }, (_, i) => i + 1), /ids/],
    [['1'], /ids/],
    [[0], /ids/],
    [[1.5], /ids/],
  ])('rejects %j with 400', async (ids, message) => {
    const answer = await undo(staff.ofSchool, ids);
    expect(answer).toMatchObject({ status: 400, data: null });
    expect(answer.message).toMatch(message);
  });

  it('accepts 200 ids across students, classes and days', async () => {
    const students = [studentOf(0, 0, 0), studentOf(0, 1, 1), studentOf(1, 0, 2), studentOf(1, 1, 0)];
    const before = await Promise.all(students.map(totalsOf));
    const ids: number[] = [];
    for (let day = 0; day < 2; day++) {
      const items = Array.from({ length: 100 }, (_, i) => ({
        userId: students[i % 4],
        scoreChange: (i % 7) - 3,
      }));
      const { data } = await admin.post('/scores/batch', { schoolDb: school.schoolDb, items });
      ids.push(...(data as { details: { logId: number }[] }).details.map((detail) => detail.logId));
      test.clock.advance(4 * 3_600_000);
    }
    const answer = await undo(staff.ofSchool, ids);
    expect(answer.data).toEqual({ revoked: 200, students: before.toSorted((a, b) => a.id - b.id) });
  });

  it('checks the class under the lock, so a student who moved away answers 403', async () => {
    const userId = studentOf(0, 0, 2);
    const id = await give(userId);
    const held = await HeldRows.student(test, userId);
    const revoking = undo(staff.ofClass, [id]);
    await held.waiting(1);
    await held.client.query('UPDATE student SET class_id = $1 WHERE id = $2', [
      school.grades[0].classes[1].id,
      userId,
    ]);
    await held.client.query('COMMIT');
    await held.release();
    expect(await revoking).toMatchObject({ status: 403, data: null });
    expect(await liveIds()).toContain(id);
    // Moves the student in the database and back again, because the old class still counts the student.
    await test.database.db
      .updateTable('student')
      .set({ class_id: school.grades[0].classes[0].id })
      .where('id', '=', userId)
      .execute();
  });

  it('revokes each record once when overlapping sets are sent in opposite order, beside writes', async () => {
    const students = [studentOf(0, 0, 0), studentOf(0, 0, 1), studentOf(0, 1, 0), studentOf(1, 0, 0)];
    for (let round = 0; round < 5; round++) {
      const before = await Promise.all(students.map(totalsOf));
      const ids: number[] = [];
      for (const userId of [...students, ...students]) ids.push(await give(userId, 3));
      const sets = Array.from({ length: 8 }, (_, i) => {
        const rotated = [...ids.slice(i), ...ids.slice(0, i)];
        return i % 2 === 0 ? rotated : rotated.toReversed();
      });
      const [answers, writes] = await Promise.all([
        Promise.all(sets.map((set) => undo(staff.ofSchool, set))),
        Promise.all(students.map((userId) => office.post('/scores', { userId, scoreChange: 1 }))),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
      expect(writes.map((answer) => answer.status)).toEqual(writes.map(() => 200));
      const done = answers.map((answer) => (answer.data as { revoked: number }).revoked);
      expect(done.reduce((sum, count) => sum + count, 0)).toBe(8);
      for (const [i, userId] of students.entries()) {
        expect((await totalsOf(userId)).totalScore).toBe((before[i] as StudentTotals).totalScore + 1);
      }
    }
  });
});
