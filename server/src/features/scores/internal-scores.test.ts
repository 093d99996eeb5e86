import type { ScoreLog, ScoresWritten, Student, StudentDetail } from '@classledger/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';

const { test, admin, school, other, staff, office } = await openStaffedSchool();

afterAll(() => test.expectProven());

type Added = { log: ScoreLog; student: Student };

const studentOf = (grade: 0 | 1, place: 0 | 1, n: 0 | 1 | 2, at = school) =>
  at.grades[grade].classes[place].students[n] as { id: number; username: string };
const add = (by: AdminClient, body: object, headers = {}) =>
  by.post('/scores/add', { schoolDb: school.schoolDb, ...body }, headers);
const addMany = (by: AdminClient, body: object, headers = {}) =>
  by.post('/scores/batch', { schoolDb: school.schoolDb, ...body }, headers);
const read = async (id: number) => (await office.get(`/students/${id}`)).data as StudentDetail;
const fresh = async (classId = school.grades[0].classes[0].id) => {
  const username = `fresh.${crypto.randomUUID()}`;
  const made = await office.post('/students', { username, classId, password: 'secret-password' });
  return made.data as { id: number; username: string };
};
const totals = (addScore: number, deductScore: number, scoreCount: number) => ({
  totalScore: addScore + deductScore,
  addScore,
  deductScore,
  scoreCount,
});

describe('POST /scores/add', () => {
  it('returns the record with its author, and the student with the new totals', async () => {
    const student = await fresh();
    await add(staff.ofSchool, { userId: student.id, scoreChange: -2 });
    const answer = await add(staff.ofClass, {
      userId: student.id,
      scoreChange: 5,
      description: 'Helped a classmate',
    });
    expect(answer).toMatchObject({ status: 200, success: true });
    const [grade] = school.grades;
    const place = {
      username: student.username,
      actualName: student.username,
      classId: grade.classes[0].id,
      className: 'Class A',
      gradeId: grade.id,
      gradeName: 'Grade 1',
    };
    expect(answer.data).toEqual({
      log: {
        id: expect.any(Number),
        userId: student.id,
        ...place,
        scoreChange: 5,
        description: 'Helped a classmate',
        note: null,
        occurredAt: test.clock.now().toISOString(),
        createdAt: test.clock.now().toISOString(),
        author: { type: 'admin', id: staff.ofClass.id, name: staff.ofClass.username },
        termId: null,
        revokedAt: null,
        revokedBy: null,
      },
      student: {
        id: student.id,
        ...place,
        externalId: null,
        cardNumber: null,
        disabled: false,
        createdAt: test.clock.now().toISOString(),
        updatedAt: test.clock.now().toISOString(),
        ...totals(5, -2, 2),
      },
    });
    expect(await read(student.id)).toMatchObject(totals(5, -2, 2));
    const listed = await staff.ofClass.get(`/scores/logs?schoolDb=${school.schoolDb}&userId=${student.id}`);
    expect((listed.data as ScoreLog[])[0]).toEqual((answer.data as Added).log);
  });

  it('stores the author, and never returns the student’s email address', async () => {
    const { id } = studentOf(0, 0, 0);
    await test.database.db
      .updateTable('student')
      .set({ email: 'private@example.org', email_bound_at: test.clock.now() })
      .where('id', '=', id)
      .execute();
    const answers = [
      await add(staff.ofClass, { userId: id, scoreChange: 1 }, { 'idempotency-key': 'with an address' }),
      await add(staff.ofClass, { userId: id, scoreChange: 1 }, { 'idempotency-key': 'with an address' }),
      await addMany(staff.ofSchool, { items: [{ userId: id, scoreChange: 1 }] }),
    ];
    expect(JSON.stringify(answers.map((answer) => answer.data))).not.toMatch(/private@example|email/);
    const [written] = answers as [InternalAnswer, ...InternalAnswer[]];
    const stored = await test.database.db
      .selectFrom('score_record')
      .where('id', '=', (written.data as Added).log.id)
      .select(['admin_id', 'token_id'])
      .executeTakeFirst();
    expect(stored).toEqual({ admin_id: staff.ofClass.id, token_id: null });
  });

  it.each([
    [{ scoreChange: 1 }, /userId is required/],
    [{ userId: 1 }, /scoreChange is required/],
    [{ userId: 1, scoreChange: 10_001 }, /scoreChange/],
    [{ userId: 1, scoreChange: -10_001 }, /scoreChange/],
    [{ userId: 1, scoreChange: 1, description: 'x'.repeat(501) }, /description/],
  ])('rejects %j with 400 and a reason', async (body, message) => {
    const answer = await add(staff.ofSchool, body);
    expect(answer).toMatchObject({ status: 400, success: false, data: null });
    expect(answer.message).toMatch(message);
  });

  it('accepts zero points as a remark', async () => {
    const student = await fresh();
    const answer = await add(staff.ofSchool, { userId: student.id, scoreChange: 0 });
    expect((answer.data as Added).student).toMatchObject(totals(0, 0, 1));
  });

  it('returns totals that include all earlier records, during many parallel writes', async () => {
    const student = await fresh();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        i % 3 === 0
          ? office.post('/scores', { userId: student.id, scoreChange: 1 })
          : add(staff.ofSchool, { userId: student.id, scoreChange: 1 }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    const told = answers
      .map((answer) => (answer.data as Partial<Added>).student)
      .filter((shown) => shown !== undefined);
    expect(told).toHaveLength(20);
    for (const shown of told) expect(shown.scoreCount).toBe(shown.addScore);
    expect(await read(student.id)).toMatchObject(totals(30, 0, 30));
    expect(Math.max(...told.map((shown) => shown.scoreCount))).toBeLessThanOrEqual(30);
    const records = (await office.get(`/scores?userId=${student.id}&limit=100&sortBy=id&order=asc`)).data as {
      list: { id: number }[];
    };
    // The totals in an answer include its record and the records before it.
    for (const answer of answers) {
      const { log, student: shown } = answer.data as Partial<Added>;
      if (!log || !shown) continue;
      const position = records.list.findIndex((record) => record.id === log.id);
      expect(shown.scoreCount).toBeGreaterThan(position);
    }
  });
});

describe('POST /scores/batch', () => {
  it('returns the outcome of each entry, and the new totals of the students', async () => {
    const [first, second] = [await fresh(), await fresh()];
    await add(staff.ofSchool, { userId: second.id, scoreChange: -4 });
    const outside = studentOf(1, 0, 0);
    const answer = await addMany(staff.ofGrade, {
      scoreChange: 1,
      description: 'On time',
      items: [
        { userId: second.id },
        { userId: first.id, scoreChange: 3, description: 'Early' },
        { userId: second.id, scoreChange: -1 },
        { userId: outside.id },
        { userId: 999_999_999 },
        { userId: 'x' },
        { username: 'anna' },
        null,
      ],
    });
    expect(answer).toMatchObject({
      status: 200,
      data: { successCount: 3, failedCount: 5, totalCount: 8 },
    });
    const { details, students } = answer.data as ScoresWritten;
    expect(details.map(({ index, success, code }) => [index, success, code])).toEqual([
      [0, true, 0],
      [1, true, 0],
      [2, true, 0],
      [3, false, 40303],
      [4, false, 40401],
      [5, false, 40002],
      [6, false, 40001],
      [7, false, 40002],
    ]);
    for (const detail of details) {
      expect(detail.reason === null).toBe(detail.success);
      expect(detail.logId === null).toBe(!detail.success);
    }
    const classId = school.grades[0].classes[0].id;
    expect(students).toEqual([
      { id: first.id, classId, ...totals(3, 0, 1) },
      { id: second.id, classId, ...totals(1, -5, 3) },
    ]);
    for (const shown of students) expect(await read(shown.id)).toMatchObject(shown);
    expect((await read(first.id)).recentScores[0]).toMatchObject({ scoreChange: 3, description: 'Early' });
    expect((await read(second.id)).recentScores.map((record) => record.description)).toEqual([
      'On time',
      'On time',
      '',
    ]);
  });

  it('prefers values of the entry, then of the request, then of the template', async () => {
    const template = await staff.ofSchool.created<{ id: number }>('/scores/templates', {
      schoolDb: school.schoolDb,
      name: 'Priorities',
      scoreChange: 7,
      description: 'of the template',
    });
    const student = await fresh();
    const write = async (top: object, item: object) => {
      const body = { templateId: template.id, ...top, items: [{ userId: student.id, ...item }] };
      expect((await addMany(staff.ofClass, body)).data).toMatchObject({ successCount: 1 });
      const [newest] = (await read(student.id)).recentScores;
      return [newest?.scoreChange, newest?.description];
    };
    expect(await write({}, {})).toEqual([7, 'of the template']);
    expect(await write({ scoreChange: 3 }, {})).toEqual([3, 'of the template']);
    expect(await write({ description: 'of the top' }, {})).toEqual([7, 'of the top']);
    expect(await write({ scoreChange: 3 }, { scoreChange: 0, description: '' })).toEqual([0, '']);
  });

  it('answers 404 for an unknown template and 403 outside the range, and writes nothing', async () => {
    const ofOtherClass = await staff.ofSchool.created<{ id: number }>('/scores/templates', {
      schoolDb: school.schoolDb,
      name: 'Of class B',
      scoreChange: 1,
      classId: school.grades[0].classes[1].id,
    });
    const foreign = await admin.created<{ id: number }>('/scores/templates', {
      schoolDb: other.schoolDb,
      name: 'Foreign',
      scoreChange: 1,
    });
    const student = await fresh();
    const items = [{ userId: student.id }];
    const statuses = [];
    for (const templateId of [999_999_999, foreign.id, ofOtherClass.id]) {
      statuses.push((await addMany(staff.ofClass, { templateId, items })).status);
    }
    expect(statuses).toEqual([404, 404, 403]);
    expect(await read(student.id)).toMatchObject(totals(0, 0, 0));
    expect((await addMany(staff.ofGrade, { templateId: ofOtherClass.id, items })).status).toBe(200);
  });

  it('fails an entry without points with 40001, and writes the others', async () => {
    const [first, second] = [await fresh(), await fresh()];
    const answer = await addMany(staff.ofClass, {
      items: [{ userId: first.id }, { userId: second.id, scoreChange: 2 }],
    });
    const { details, students } = answer.data as ScoresWritten;
    expect(details[0]).toMatchObject({
      success: false,
      code: 40001,
      reason: 'scoreChange is required',
      userId: first.id,
    });
    expect(students.map((shown) => shown.id)).toEqual([second.id]);
  });

  it('answers 200 without students when every entry fails', async () => {
    const answer = await addMany(staff.ofClass, { scoreChange: 1, items: [{ userId: 999_999_999 }] });
    expect(answer).toMatchObject({ status: 200, data: { successCount: 0, failedCount: 1, students: [] } });
  });

  it.each([
    [{}, /items is required/],
    [{ items: [] }, /items must hold at least one entry/],
    [{ items: Array.from({ length: 201 }, () => ({ userId: 1, scoreChange: 1 })) }, /items/],
  ])('rejects %j with 400 and a reason', async (body, message) => {
    const answer = await addMany(staff.ofSchool, body);
    expect(answer).toMatchObject({ status: 400, data: null });
    expect(answer.message).toMatch(message);
  });

  it('accepts 200 entries', async () => {
    const student = await fresh();
    const items = Array.from({ length: 200 }, () => ({ userId: student.id, scoreChange: 1 }));
    const answer = await addMany(staff.ofClass, { items });
    expect(answer.data).toMatchObject({ successCount: 200, students: [totals(200, 0, 200)] });
  });
});
