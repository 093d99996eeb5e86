import type { BulkScores, ScoreLog, ScoreRecord, ScoresWritten, Student } from '@classledger/contract';
import { afterEach, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import { openSchool, type SampleStudent } from '../../../test/test-app.ts';

const { test, school, office, gradeHead } = await openSchool();
const staff = await createStaff(test, school);
const { schoolDb } = school;
const [grade] = school.grades;
const [classA] = grade.classes;
const [anna, bert] = classA.students;
const [outside] = school.grades[1].classes[0].students;

afterEach(() => test.expectVerifiedLedger());

let names = 0;
const newStudent = () =>
  office.created<SampleStudent>('/students', { username: `new.${++names}`, classId: classA.id });
const newTemplate = async (body: object) =>
  (await office.created<{ id: number }>('/templates', { name: `Template ${++names}`, ...body })).id;

const write = (body: object, by = office) => by.created<BulkScores>('/scores', body);
const add = (body: object) => staff.ofClass.post('/scores/add', { schoolDb, ...body });
const addMany = (body: object) =>
  staff.ofGrade.created<ScoresWritten>('/scores/batch', { schoolDb, ...body });

const read = ({ id }: { readonly id: number }) => office.read<Student>(`/students/${id}`);
const listRecords = (query: string) =>
  office.read<{ list: ScoreRecord[]; total: number }>(`/scores?${query}`);
const recordsOf = async ({ id }: { readonly id: number }) => (await listRecords(`userId=${id}`)).list;
const sums = (addScore: number, deductScore: number, scoreCount: number) => ({
  totalScore: addScore + deductScore,
  addScore,
  deductScore,
  scoreCount,
});
const place = { classId: classA.id, className: 'Class A', gradeId: grade.id, gradeName: 'Grade 1' };

it('an administrator’s points return the record with its author, and the student with the new totals', async () => {
  const { id: userId, username } = await newStudent();
  await write({ userId, scoreChange: -2 });
  const answer = await add({ userId, scoreChange: 5, description: 'Helped a classmate' });
  const at = test.clock.now().toISOString();
  const person = { username, actualName: username, ...place };
  expect(answer).toMatchObject({ status: 200, success: true });
  expect(answer.data).toEqual({
    log: {
      ...{ id: expect.any(Number), userId, ...person },
      ...{
        scoreChange: 5,
        description: 'Helped a classmate',
        note: null,
        categoryId: null,
        occurredAt: at,
        createdAt: at,
      },
      author: { type: 'admin', id: staff.ofClass.id, name: staff.ofClass.username },
      ...{ termId: null, revokedAt: null, revokedBy: null },
    },
    student: {
      ...{ id: userId, ...person, externalId: null, cardNumber: null, disabled: false },
      ...{ createdAt: at, updatedAt: at, ...sums(5, -2, 2) },
    },
  });
  expect(await read({ id: userId })).toMatchObject(sums(5, -2, 2));
  const listed = await staff.ofClass.read<ScoreLog[]>(`/scores/logs?schoolDb=${schoolDb}&userId=${userId}`);
  expect(listed[0]).toEqual((answer.data as { log: ScoreLog }).log);
});

it('points for several students succeed or fail entry by entry, in the order of the request', async () => {
  const { total: before } = await listRecords('');
  const late = { scoreChange: -4, description: 'Late' };
  const rows: [entry: unknown, code: number, userId: unknown, username: unknown, scoreChange: unknown][] = [
    [{ userId: anna.id }, 0, anna.id, anna.username, 2],
    [{ username: ` ${bert.username} `, ...late }, 0, bert.id, bert.username, -4],
    [{ userId: outside.id }, 40303, outside.id, null, 2],
    [{ userId: 999_999_999 }, 40401, 999_999_999, null, 2],
    [{ username: 'nobody' }, 40401, null, 'nobody', 2],
    [{ userId: anna.id, username: bert.username }, 40002, anna.id, bert.username, 2],
    [{}, 40001, null, null, 2],
    [{ userId: anna.id, scoreChange: 10_001 }, 40002, anna.id, null, null],
    [{ userId: anna.id, scoreChange: '1' }, 40002, anna.id, null, null],
    [{ userId: anna.id, scoreChange: 3, points: 1 }, 40002, anna.id, null, 3],
    [{ userId: -1, username: 7, scoreChange: 99_999 }, 40002, null, null, null],
    [null, 40002, null, null, null],
    [{ userId: anna.id, username: anna.username, scoreChange: 0 }, 0, anna.id, anna.username, 0],
  ];
  const items = rows.map(([entry]) => entry);
  const data = await write({ scoreChange: 2, description: 'On time', items }, gradeHead);
  expect(data).toMatchObject({ successCount: 3, failedCount: 10, totalCount: 13 });
  expect(data.details).toEqual(
    rows.map(([_, code, userId, username, scoreChange], index) => {
      const [reason, logId] = code === 0 ? [null, expect.any(Number)] : [expect.any(String), null];
      return { index, success: code === 0, code, reason, userId, username, scoreChange, logId };
    }),
  );
  const { list, total } = await listRecords('sortBy=id&order=desc&limit=3');
  expect(total).toBe(before + 3);
  expect(list.map(({ scoreChange, description }) => [scoreChange, description])).toEqual([
    [0, 'On time'],
    [-4, 'Late'],
    [2, 'On time'],
  ]);
  const { details } = await write({ items: [{ userId: anna.id, scoreChange: 1 }, { userId: bert.id }] });
  expect(details).toMatchObject([{ code: 0 }, { code: 40001, reason: 'scoreChange is required' }]);
});

it('a batch of an administrator also returns the new totals of the students who got points, if any', async () => {
  const [first, second] = [await newStudent(), await newStudent()];
  await write({ userId: second.id, scoreChange: -4 });
  const items = [{ userId: second.id }, { userId: first.id, scoreChange: 3 }, { userId: outside.id }];
  const { details, students: shown } = await addMany({ scoreChange: -1, items });
  expect(details.map(({ code }) => code)).toEqual([0, 0, 40303]);
  expect(shown).toEqual([
    { id: first.id, classId: classA.id, ...sums(3, 0, 1) },
    { id: second.id, classId: classA.id, ...sums(0, -5, 2) },
  ]);
  for (const one of shown) expect(await read(one)).toMatchObject(one);
  const none = await addMany({ scoreChange: 1, items: [{ userId: 999_999_999 }, { username: 'anna' }] });
  expect(none).toMatchObject({ successCount: 0, failedCount: 2, students: [] });
  expect(none.details.map(({ code }) => code)).toEqual([40401, 40001]);
});

it('a wrong request writes nothing', async () => {
  const templateId = await newTemplate({ scoreChange: 3 });
  const items = [{ userId: anna.id }];
  const before = await listRecords('');
  for (const [body, code] of [
    [{ scoreChange: 1 }, 40001],
    [{ userId: anna.id }, 40001],
    [{ userId: anna.id, username: bert.username, scoreChange: 1 }, 40002],
    [{ username: anna.username.toUpperCase(), scoreChange: 1 }, 40401],
    [{ scoreChange: 1, items: [] }, 40003],
    [{ templateId }, 40003],
    [{ templateId, items: [] }, 40003],
    [{ scoreChange: 10_001, items }, 40002],
    [{ scoreChange: 1, userId: anna.id, items }, 40002],
  ] as const) {
    const answer = await office.post('/scores', body);
    const status = Math.floor(code / 100);
    expect([body, answer.status, answer.code, answer.data]).toEqual([body, status, code, null]);
  }
  expect(await listRecords('')).toEqual(before);
});

it('points by a template take points and description from the entry, then the request, then the template, and stay when it changes', async () => {
  const student = await newStudent();
  const templateId = await newTemplate({ scoreChange: 3, description: 'of the template' });
  const top = { scoreChange: 0, description: '' };
  const own = { scoreChange: 9, description: 'own' };
  for (const [request, entry, expected] of [
    [{}, {}, [3, 'of the template']],
    [{}, { scoreChange: 9 }, [9, 'of the template']],
    [{}, { description: 'own' }, [3, 'own']],
    [{ scoreChange: 5 }, {}, [5, 'of the template']],
    [top, {}, [0, '']],
    [top, own, [9, 'own']],
  ] as const) {
    await write({ templateId, ...request, items: [{ userId: student.id, ...entry }] });
    const [newest] = await recordsOf(student);
    expect([newest?.scoreChange, newest?.description]).toEqual(expected);
  }
  const records = await recordsOf(student);
  await office.patch(`/templates/${templateId}`, { scoreChange: 1, description: 'later' });
  await office.delete(`/templates/${templateId}`);
  expect(await recordsOf(student)).toEqual(records);
});

it('the totals in an answer include all earlier records, during many parallel writes', async () => {
  const student = await newStudent();
  const points = { userId: student.id, scoreChange: 1 };
  const writes = Array.from({ length: 30 }, (_, i) =>
    i % 3 === 0 ? office.post('/scores', points) : add(points),
  );
  const answers = await Promise.all(writes);
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
  expect(await read(student)).toMatchObject(sums(30, 0, 30));
  const { list: records } = await listRecords(`userId=${student.id}&limit=100&sortBy=id&order=asc`);
  const shown = answers.flatMap(({ data }) =>
    'log' in (data as object) ? [data as { log: ScoreLog; student: Student }] : [],
  );
  expect(shown).toHaveLength(20);
  for (const { log, student: after } of shown) {
    expect(after.scoreCount).toBe(after.addScore);
    expect(after.scoreCount).toBeGreaterThan(records.findIndex((record) => record.id === log.id));
    expect(after.scoreCount).toBeLessThanOrEqual(30);
  }
});
