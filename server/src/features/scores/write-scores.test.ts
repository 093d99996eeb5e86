import type { BulkScores, ScoreRecord, StudentDetail } from '@classledger/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { openSchool, type SampleStudent } from '../../../test/test-app.ts';

const { test, school, office, gradeHead } = await openSchool();
const [anna, bert] = school.grades[0].classes[0].students as [SampleStudent, SampleStudent];
const [outside] = school.grades[1].classes[0].students as [SampleStudent];
const make = async (body: object) => ((await office.post('/templates', body)).data as { id: number }).id;
const template = await make({ name: 'Homework', scoreChange: 3, description: 'Homework complete' });
const classTemplate = await make({
  name: 'Board',
  scoreChange: -2,
  classId: school.grades[1].classes[0].id,
});

describe('POST /scores', () => {
  afterEach(() => test.expectProven());

  const total = async () => ((await office.get('/scores')).data as { total: number }).total;
  const student = async (id: number) => (await office.get(`/students/${id}`)).data as StudentDetail;
  const record = async (logId: number | null | undefined) => {
    const { list } = (await office.get('/scores?limit=100')).data as { list: ScoreRecord[] };
    return list.find((entry) => entry.id === logId);
  };
  async function write(body: object, by = office): Promise<BulkScores> {
    const answer = await by.post('/scores', body);
    expect([answer.status, answer.code, answer.message]).toEqual([200, 0, expect.any(String)]);
    return answer.data as BulkScores;
  }

  describe('for one student', () => {
    it('returns a bulk result with one entry, updates the student’s three sums and record count, and lists the record', async () => {
      const before = await student(anna.id);
      const data = await write({ userId: anna.id, scoreChange: 5, description: 'Quiz' });
      expect(data).toEqual({
        successCount: 1,
        failedCount: 0,
        totalCount: 1,
        details: [
          {
            index: 0,
            success: true,
            code: 0,
            reason: null,
            userId: anna.id,
            username: anna.username,
            scoreChange: 5,
            logId: expect.any(Number),
          },
        ],
      });
      expect(await student(anna.id)).toMatchObject({
        totalScore: before.totalScore + 5,
        addScore: before.addScore + 5,
        deductScore: before.deductScore,
        scoreCount: before.scoreCount + 1,
      });
      expect(await record(data.details[0]?.logId)).toEqual({
        id: data.details[0]?.logId,
        userId: anna.id,
        username: anna.username,
        actualName: anna.username,
        classId: school.grades[0].classes[0].id,
        className: 'Class A',
        gradeId: school.grades[0].id,
        gradeName: 'Grade 1',
        scoreChange: 5,
        description: 'Quiz',
        occurredAt: test.clock.now().toISOString(),
        createdAt: test.clock.now().toISOString(),
      });
    });

    it('counts negative points as a deduction', async () => {
      const before = await student(anna.id);
      await write({ username: anna.username, scoreChange: -7 });
      expect(await student(anna.id)).toMatchObject({
        totalScore: before.totalScore - 7,
        addScore: before.addScore,
        deductScore: before.deductScore - 7,
        scoreCount: before.scoreCount + 1,
      });
    });

    it('accepts zero points, which add a record only', async () => {
      const before = await student(anna.id);
      const data = await write({ userId: anna.id, scoreChange: 0, description: 'Remark' });
      expect(data.details[0]).toMatchObject({ scoreChange: 0, success: true });
      expect(await student(anna.id)).toMatchObject({
        totalScore: before.totalScore,
        addScore: before.addScore,
        deductScore: before.deductScore,
        scoreCount: before.scoreCount + 1,
      });
    });

    it('accepts whole points from -10000 to 10000, and answers 40002 to others', async () => {
      for (const scoreChange of [10_000, -10_000]) await write({ userId: anna.id, scoreChange });
      const before = await total();
      for (const scoreChange of [10_001, -10_001, 0.5, 1e300, '5', true, null, [1]]) {
        const answer = await office.post('/scores', { userId: anna.id, scoreChange });
        expect([scoreChange, answer.status, answer.code]).toEqual([scoreChange, 400, 40002]);
      }
      expect(await total()).toBe(before);
    });

    it('keeps a description of up to 500 characters as sent, empty by default', async () => {
      const none = await write({ userId: anna.id, scoreChange: 1 });
      expect(await record(none.details[0]?.logId)).toMatchObject({ description: '' });
      const description = `  ${'🙂'.repeat(496)}\n `;
      const long = await write({ userId: anna.id, scoreChange: 1, description });
      expect(await record(long.details[0]?.logId)).toMatchObject({ description });
      for (const bad of ['x'.repeat(501), 5, 'a\u0000']) {
        const answer = await office.post('/scores', { userId: anna.id, scoreChange: 1, description: bad });
        expect(answer).toMatchObject({ status: 400, code: 40002 });
      }
    });

    it('reaches a disabled student', async () => {
      const [, , third] = school.grades[0].classes[0].students;
      await office.patch(`/students/${third?.id}`, { disabled: true });
      await write({ userId: third?.id, scoreChange: 2 });
      expect(await student(third?.id as number)).toMatchObject({ disabled: true, totalScore: 2 });
    });

    it('accepts userId and username of the same student, and answers 40002 to a mismatch', async () => {
      const data = await write({ userId: anna.id, username: ` ${anna.username} `, scoreChange: 1 });
      expect(data.details[0]).toMatchObject({ userId: anna.id, username: anna.username });
      const before = await total();
      const answer = await office.post('/scores', {
        userId: anna.id,
        username: bert.username,
        scoreChange: 1,
      });
      expect(answer).toMatchObject({ status: 400, code: 40002, data: null });
      expect(await total()).toBe(before);
    });

    it('distinguishes usernames by case', async () => {
      const answer = await office.post('/scores', { username: anna.username.toUpperCase(), scoreChange: 1 });
      expect(answer).toMatchObject({ status: 404, code: 40401 });
    });

    it('fails the request with the code of the one entry', async () => {
      const before = await total();
      const failures = [
        [{ userId: 999_999_999 }, office, 404, 40401],
        [{ username: 'nobody' }, office, 404, 40401],
        [{ userId: outside.id }, gradeHead, 403, 40303],
        [{ username: outside.username }, gradeHead, 403, 40303],
        [{}, office, 400, 40001],
        [{ userId: 0 }, office, 400, 40002],
        [{ userId: '1' }, office, 400, 40002],
        [{ username: '' }, office, 400, 40002],
      ] as const;
      for (const [who, by, status, code] of failures) {
        const answer = await by.post('/scores', { ...who, scoreChange: 1 });
        expect([who, answer.status, answer.code, answer.data]).toEqual([who, status, code, null]);
      }
      expect((await office.post('/scores', { userId: anna.id })).code).toBe(40001);
      expect(await total()).toBe(before);
    });
  });

  describe('for several students', () => {
    it('lets each entry succeed or fail alone, in the order of the request', async () => {
      const before = await total();
      const data = await write(
        {
          scoreChange: 2,
          description: 'On time',
          items: [
            { userId: anna.id },
            { username: bert.username, scoreChange: -4, description: 'Late' },
            { userId: outside.id },
            { userId: 999_999_999 },
            { username: 'nobody' },
            { userId: anna.id, username: bert.username },
            {},
            { userId: anna.id, scoreChange: 10_001 },
            { userId: anna.id, scoreChange: 1.5 },
            { userId: anna.id, points: 1 },
            { userId: 'x' },
            null,
            'anna',
            { userId: bert.id, description: 'x'.repeat(501) },
            { userId: anna.id, username: anna.username, scoreChange: 0 },
          ],
        },
        gradeHead,
      );
      expect(data).toMatchObject({ successCount: 3, failedCount: 12, totalCount: 15 });
      const shown = data.details.map((one) => [
        one.index,
        one.success,
        one.code,
        one.userId,
        one.username,
        one.scoreChange,
      ]);
      expect(shown).toEqual([
        [0, true, 0, anna.id, anna.username, 2],
        [1, true, 0, bert.id, bert.username, -4],
        [2, false, 40303, outside.id, null, 2],
        [3, false, 40401, 999_999_999, null, 2],
        [4, false, 40401, null, 'nobody', 2],
        [5, false, 40002, anna.id, bert.username, 2],
        [6, false, 40001, null, null, 2],
        [7, false, 40002, anna.id, null, null],
        [8, false, 40002, anna.id, null, null],
        [9, false, 40002, anna.id, null, null],
        [10, false, 40002, null, null, null],
        [11, false, 40002, null, null, null],
        [12, false, 40002, null, null, null],
        [13, false, 40002, bert.id, null, null],
        [14, true, 0, anna.id, anna.username, 0],
      ]);
      const keys = ['index', 'success', 'code', 'reason', 'userId', 'username', 'scoreChange', 'logId'];
      for (const detail of data.details) {
        expect(Object.keys(detail)).toEqual(keys);
        expect(detail.reason).toEqual(detail.success ? null : expect.any(String));
        expect(detail.logId).toEqual(detail.success ? expect.any(Number) : null);
      }
      expect(await total()).toBe(before + 3);
      expect(await record(data.details[0]?.logId)).toMatchObject({ description: 'On time' });
      expect(await record(data.details[1]?.logId)).toMatchObject({ description: 'Late', scoreChange: -4 });
    });

    it('answers 200 even when all entries fail', async () => {
      const data = await write({ scoreChange: 1, items: [{ userId: 999_999_999 }, {}] });
      expect(data).toMatchObject({ successCount: 0, failedCount: 2, totalCount: 2 });
    });

    it('answers 40001 for an entry without points of its own or of the request', async () => {
      const data = await write({ items: [{ userId: anna.id, scoreChange: 1 }, { userId: bert.id }] });
      expect(data.details.map((detail) => detail.code)).toEqual([0, 40001]);
    });

    it('accepts the same student several times', async () => {
      const before = await student(anna.id);
      const items = [4, -1, 0, 4].map((scoreChange) => ({ userId: anna.id, scoreChange }));
      const data = await write({ items: [...items, { username: anna.username, scoreChange: -10 }] });
      expect(data.successCount).toBe(5);
      const ids = data.details.map((detail) => detail.logId as number);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      expect(await student(anna.id)).toMatchObject({
        totalScore: before.totalScore - 3,
        addScore: before.addScore + 8,
        deductScore: before.deductScore - 11,
        scoreCount: before.scoreCount + 5,
      });
    });

    it('accepts 1 to 200 entries', async () => {
      const items = Array.from({ length: 200 }, () => ({ userId: anna.id }));
      expect(await write({ scoreChange: 1, items })).toMatchObject({ successCount: 200, totalCount: 200 });
      const before = await total();
      for (const [body, code] of [
        [{ scoreChange: 1, items: [] }, 40003],
        [{ templateId: template }, 40003],
        [{ templateId: template, items: [] }, 40003],
        [{ scoreChange: 1, items: [...items, items[0]] }, 40002],
        [{ scoreChange: 1, items: { userId: anna.id } }, 40002],
        [{ scoreChange: 10_001, items }, 40002],
        [{ scoreChange: '1', items }, 40002],
        [{ scoreChange: 1, description: 'x'.repeat(501), items }, 40002],
        [{ scoreChange: 1, userId: anna.id, items }, 40002],
        [{ templateId: 'x', items }, 40002],
      ] as const) {
        const answer = await office.post('/scores', body);
        expect([answer.status, answer.code, answer.data]).toEqual([400, code, null]);
      }
      expect(await total()).toBe(before);
    });
  });

  describe('with a template', () => {
    it('prefers points and description of the entry, then of the request, then of the template', async () => {
      const data = await write({
        templateId: template,
        items: [
          { userId: anna.id },
          { userId: anna.id, scoreChange: 9 },
          { userId: anna.id, description: 'own' },
        ],
      });
      const written = await Promise.all(data.details.map((detail) => record(detail.logId)));
      expect(written.map((entry) => [entry?.scoreChange, entry?.description])).toEqual([
        [3, 'Homework complete'],
        [9, 'Homework complete'],
        [3, 'own'],
      ]);
      const top = await write({
        templateId: template,
        scoreChange: 0,
        description: '',
        items: [{ userId: anna.id }, { userId: anna.id, scoreChange: 9, description: 'own' }],
      });
      const under = await Promise.all(top.details.map((detail) => record(detail.logId)));
      expect(under.map((entry) => [entry?.scoreChange, entry?.description])).toEqual([
        [0, ''],
        [9, 'own'],
      ]);
    });

    it('lets entries fail alone', async () => {
      const items = [{ userId: 999_999_999 }, { userId: anna.id }, { userId: outside.id }];
      const data = await write({ templateId: template, items }, gradeHead);
      expect(data.details.map((detail) => [detail.code, detail.scoreChange])).toEqual([
        [40401, 3],
        [0, 3],
        [40303, 3],
      ]);
    });

    it('answers 40303 for a template of another class, and 40401 for a missing one', async () => {
      const items = [{ userId: anna.id }];
      const before = await total();
      expect(await gradeHead.post('/scores', { templateId: classTemplate, items })).toMatchObject({
        status: 403,
        code: 40303,
        data: null,
      });
      for (const by of [office, gradeHead]) {
        const answer = await by.post('/scores', { templateId: 999_999_999, items });
        expect(answer).toMatchObject({ status: 404, code: 40401, data: null });
      }
      expect(await total()).toBe(before);
      await write({ templateId: classTemplate, items });
    });

    it('keeps the given points when the template changes or is deleted', async () => {
      const { id } = (await office.post('/templates', { name: 'Short-lived', scoreChange: 6 })).data as {
        id: number;
      };
      const data = await write({ templateId: id, items: [{ userId: anna.id }] });
      await office.patch(`/templates/${id}`, { scoreChange: 1, description: 'later' });
      await office.delete(`/templates/${id}`);
      expect(await record(data.details[0]?.logId)).toMatchObject({ scoreChange: 6, description: '' });
    });
  });

  it('dates records by the instant of the request', async () => {
    test.clock.set('2026-12-31T23:59:59.999Z');
    const last = await write({ userId: bert.id, scoreChange: 1 });
    test.clock.set('2027-01-01T00:00:00.000Z');
    const first = await write({ userId: bert.id, scoreChange: 1 });
    expect(await record(last.details[0]?.logId)).toMatchObject({ createdAt: '2026-12-31T23:59:59.999Z' });
    expect(await record(first.details[0]?.logId)).toMatchObject({ createdAt: '2027-01-01T00:00:00.000Z' });
  });
});
