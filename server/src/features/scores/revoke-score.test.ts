import type { StudentDetail } from '@classledger/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putIntoClosedTerm } from '../../../test/closed-term.ts';
import { openSchool } from '../../../test/test-app.ts';

const { test, school, office } = await openSchool();
const teacherOf = (scopeClassId: number) => school.issue({ scopeType: 'class', scopeClassId });
const oldTeacher = await teacherOf(school.grades[0].classes[0].id);
const newTeacher = await teacherOf(school.grades[1].classes[1].id);

describe('DELETE /scores/:logId', () => {
  let student: { id: number; username: string };
  let counter = 0;

  beforeEach(async () => {
    const classId = school.grades[0].classes[0].id;
    const body = { username: `revoked.${++counter}`, password: 'secret-password', classId };
    student = (await office.post('/students', body)).data as typeof student;
  });

  afterEach(() => test.expectProven());

  const give = (scoreChange: number) => office.give(student.id, scoreChange);
  const read = async () => (await office.get(`/students/${student.id}`)).data as StudentDetail;
  const overview = async () => (await office.get('/stats/overview')).data as { scores: object };
  const stored = (id: number) =>
    test.database.db.selectFrom('score_record').where('id', '=', id).selectAll().executeTakeFirst();

  it.each([
    [7, { totalScore: -4, addScore: 0, deductScore: -4, scoreCount: 1 }],
    [-3, { totalScore: -4, addScore: 0, deductScore: -4, scoreCount: 1 }],
    [0, { totalScore: -4, addScore: 0, deductScore: -4, scoreCount: 1 }],
  ])('of %i points restores the four sums and returns the revoked record', async (scoreChange, sums) => {
    await give(-4);
    const before = await overview();
    const logId = await give(scoreChange);
    const answer = await office.delete(`/scores/${logId}`);
    expect(answer).toMatchObject({ status: 200, code: 0 });
    expect(answer.data).toEqual({
      logId,
      userId: student.id,
      username: student.username,
      revokedScoreChange: scoreChange,
    });
    expect(await read()).toMatchObject(sums);
    expect(await overview()).toEqual(before);
  });

  it('removes the record from every list and total at once', async () => {
    const kept = await give(2);
    const logId = await give(5);
    await office.delete(`/scores/${logId}`);
    const shown = [
      (await read()).recentScores,
      ...(await Promise.all(
        [`userId=${student.id}`, `userId=${student.id}&type=add`, `username=${student.username}`].map(
          async (query) => ((await office.get(`/scores?${query}`)).data as { list: unknown[] }).list,
        ),
      )),
    ] as { id: number }[][];
    for (const list of shown) expect(list.map((record) => record.id)).toEqual([kept]);
    for (const query of [
      '',
      '?type=add',
      '?startDate=2026-09-15',
      '?type=add&endDate=2026-09-15T12:00:00Z',
    ]) {
      const { list, total } = (await office.get(`/scores${query}`)).data as {
        list: unknown[];
        total: number;
      };
      expect([query, total]).toEqual([query, list.length]);
    }
    expect((await office.get('/stats/overview?startDate=2026-09-01')).data).toMatchObject({
      topStudents: expect.arrayContaining([expect.objectContaining({ id: student.id, totalScore: 2 })]),
    });
  });

  it('keeps the record stored, with the revoker and the time', async () => {
    const logId = await give(5);
    test.clock.advance(60_000);
    await office.delete(`/scores/${logId}`);
    expect(await stored(logId)).toMatchObject({
      live: false,
      score_change: 5,
      revoked_at: test.clock.now().toISOString(),
      revoked_by_token_id: office.id,
      revoked_by_admin_id: null,
    });
  });

  it('needs no confirmation', async () => {
    expect((await office.delete(`/scores/${await give(1)}`)).code).toBe(0);
  });

  it('answers 40401 to a repetition and changes nothing', async () => {
    const logId = await give(5);
    await give(1);
    await office.delete(`/scores/${logId}`);
    const before = [await read(), await stored(logId)];
    test.clock.advance(60_000);
    expect(await office.delete(`/scores/${logId}`)).toMatchObject({ status: 404, code: 40401, data: null });
    expect([await read(), await stored(logId)]).toEqual(before);
  });

  it('removes a record of an earlier day from that day’s sums', async () => {
    test.clock.set('2026-10-01T23:59:59.999Z');
    const logId = await give(5);
    test.clock.set('2026-10-02T00:00:00.000Z');
    await give(1);
    await office.delete(`/scores/${logId}`);
    const day = async (date: string) =>
      ((await office.get(`/scores?startDate=${date}&endDate=${date}`)).data as { total: number }).total;
    expect([await day('2026-10-01'), await day('2026-10-02')]).toEqual([0, 1]);
    expect(await overview()).toMatchObject({ scores: { todayRecordCount: 1 } });
  });

  it('is up to the student’s present class after a move, and 40303 for the old one', async () => {
    const logId = await give(5);
    await office.patch(`/students/${student.id}`, { classId: school.grades[1].classes[1].id });
    expect(await oldTeacher.delete(`/scores/${logId}`)).toMatchObject({ status: 403, code: 40303 });
    expect(await newTeacher.delete(`/scores/${logId}`)).toMatchObject({ status: 200, code: 0 });
    expect(await read()).toMatchObject({ totalScore: 0, scoreCount: 0 });
  });

  it('works for a disabled student', async () => {
    const logId = await give(5);
    await office.patch(`/students/${student.id}`, { disabled: true });
    expect((await office.delete(`/scores/${logId}`)).code).toBe(0);
    expect(await read()).toMatchObject({ totalScore: 0 });
  });

  describe('for a record of a closed term', () => {
    /** Makes a record of a closed term: stored, but left out of all totals. */
    async function closed(): Promise<number> {
      const logId = await give(5);
      await office.delete(`/scores/${logId}`);
      await putIntoClosedTerm(test, { schoolId: school.id, classId: school.grades[0].classes[0].id }, [
        logId,
      ]);
      return logId;
    }

    it('answers 40901 and changes nothing', async () => {
      const logId = await closed();
      const before = [await read(), await stored(logId)];
      expect(await office.delete(`/scores/${logId}`)).toMatchObject({ status: 409, code: 40901, data: null });
      expect([await read(), await stored(logId)]).toEqual(before);
    });

    it('answers 40303 outside the scope', async () => {
      const logId = await closed();
      expect(await newTeacher.delete(`/scores/${logId}`)).toMatchObject({ status: 403, code: 40303 });
    });

    it('keeps the record out of every list', async () => {
      await closed();
      expect((await office.get(`/scores?userId=${student.id}`)).data).toMatchObject({ list: [], total: 0 });
      expect((await read()).recentScores).toEqual([]);
    });
  });
});
