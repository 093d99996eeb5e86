import type { BulkScores, ScoreLog, StudentDetail, StudentTotals } from '@classledger/contract';
import { afterEach, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { putIntoClosedTerm } from '../../../test/stored-rows.ts';
import type { SampleStudent } from '../../../test/test-app.ts';

const { test, admin, school, other, staff, office, teacher } = await openStaffedSchool();
const { schoolDb } = school;
const [classA, classB] = school.grades[0].classes;
const elsewhere = school.grades[1].classes[1];
const teacherElsewhere = await school.issue({ scopeType: 'class', scopeClassId: elsewhere.id });
const [anna, ben, cem] = classA.students;
const [neighbour] = classB.students;
const [stranger] = elsewhere.students;

afterEach(() => test.expectVerifiedLedger());

const revoke = (id: number, by = office) => by.delete(`/scores/${id}`);
const revokeInside = (id: number, by: AdminClient = staff.ofClass, headers = {}) =>
  by.delete(`/scores/logs/${id}?schoolDb=${schoolDb}`, headers);
const revokeMany = (ids: readonly unknown[], by: AdminClient = staff.ofSchool) =>
  by.post('/scores/logs/revoke', { schoolDb, ids });

const read = ({ id }: SampleStudent) => office.read<StudentDetail>(`/students/${id}`);
async function totalsOf(student: SampleStudent): Promise<StudentTotals> {
  const { id, classId, totalScore, addScore, deductScore, scoreCount } = await read(student);
  return { id, classId, totalScore, addScore, deductScore, scoreCount };
}
const revokedLog = async (id: number) => {
  const logs = await staff.ofSchool.read<ScoreLog[]>(`/scores/logs?schoolDb=${schoolDb}&state=revoked`);
  return logs.find((log) => log.id === id);
};
const liveIds = async (): Promise<number[]> => {
  const records = test.database.db.selectFrom('score_record').where('live', '=', true).select('id');
  return (await records.orderBy('id').execute()).map(({ id }) => id);
};
async function closedRecord(student: SampleStudent): Promise<number> {
  const id = await office.give(student.id, 5);
  await revoke(id);
  await putIntoClosedTerm(test, { schoolId: school.id, classId: classA.id }, [id]);
  return id;
}
async function foreignRecord(): Promise<number> {
  const userId = other.grades[0].classes[0].students[0].id;
  const body = { schoolDb: other.schoolDb, userId, scoreChange: 2 };
  return (await admin.created<{ log: ScoreLog }>('/scores/add', body)).log.id;
}

const { id, username: name } = staff.ofClass;

it.each([
  ['a credential', 7, revoke, { type: 'credential', id: office.id, name: 'test' }],
  ['an administrator', -3, revokeInside, { type: 'admin', id, name }],
] as const)(
  'revoking by %s restores all totals and stores who revoked it',
  async (_, scoreChange, undo, revokedBy) => {
    await office.give(anna.id, -4);
    const before = await read(anna);
    const logId = await office.give(anna.id, scoreChange);
    test.clock.advance(60_000);
    const answer = await undo(logId);
    const at = test.clock.now().toISOString();
    expect(answer).toMatchObject({ status: 200 });
    const { id: userId, username } = anna;
    expect(answer.data).toEqual({ logId, userId, username, revokedScoreChange: scoreChange });
    expect(await read(anna)).toEqual(before);
    const log = await revokedLog(logId);
    expect(log).toMatchObject({ scoreChange, revokedAt: at, revokedBy });

    test.clock.advance(60_000);
    expect(await undo(logId)).toMatchObject({ status: 404, data: null });
    expect(await revokedLog(logId)).toEqual(log);
    expect(await read(anna)).toEqual(before);
  },
);

it('the student’s present class decides who may revoke a record, also for a disabled student and a closed term', async () => {
  const logId = await office.give(cem.id, 5);
  const closed = await closedRecord(cem);
  await office.patch(`/students/${cem.id}`, { classId: elsewhere.id, disabled: true });
  for (const id of [logId, closed]) {
    expect(await revoke(id, teacher)).toMatchObject({ code: 40303, data: null });
    expect(await revokeInside(id)).toMatchObject({ status: 403, data: null });
  }
  expect(await revoke(closed, teacherElsewhere)).toMatchObject({ code: 40901 });
  expect(await revokedLog(closed)).toBeUndefined();
  expect(await revoke(logId, teacherElsewhere)).toMatchObject({ code: 0 });
  expect(await read(cem)).toMatchObject({ totalScore: 0, scoreCount: 0, recentScores: [] });
  await office.patch(`/students/${cem.id}`, { classId: classA.id, disabled: false });
});

it('revoking with a repeated idempotency key replays the answer, and revokes once', async () => {
  const id = await office.give(ben.id, 2);
  const send = () => revokeInside(id, staff.ofClass, { 'idempotency-key': 'once' });
  const [first, again] = [await send(), await send()];
  expect([first.status, first.headers['idempotency-replayed']]).toEqual([200, undefined]);
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
  expect(again.data).toEqual(first.data);
});

it('revoking several records skips revoked records, so the request can be repeated', async () => {
  const ids = [await office.give(anna.id), await office.give(anna.id)];
  await revoke(ids[0] as number);
  const earlier = test.clock.now().toISOString();
  test.clock.advance(1_000);
  const answers = [await revokeMany([...ids, ...ids]), await revokeMany(ids)];
  const students = [await totalsOf(anna)];
  expect(answers.map((answer) => answer.data)).toEqual([
    { revoked: 1, students },
    { revoked: 0, students },
  ]);
  const logs = [await revokedLog(ids[0] as number), await revokedLog(ids[1] as number)];
  expect(logs.map((log) => log?.revokedAt)).toEqual([earlier, test.clock.now().toISOString()]);
});

it('revoking several records revokes none when one is missing, foreign, outside the range or of a closed term', async () => {
  const good = await office.give(anna.id);
  const cases: [id: number, status: number][] = [
    [999_999_999, 404],
    [await foreignRecord(), 404],
    [await office.give(neighbour.id), 403],
    [await closedRecord(cem), 409],
  ];
  const before = await liveIds();
  for (const [bad, status] of cases) {
    const answer = await revokeMany([good, bad], staff.ofClass);
    expect([bad, answer.status, answer.data]).toEqual([bad, status, null]);
    expect(answer.message).toContain(String(bad));
  }
  expect(await liveIds()).toEqual(before);
});

it('revoking checks the class under the lock, so a student who moved away answers 403', async () => {
  const id = await office.give(cem.id);
  const held = await LockedRows.ofStudent(test, cem.id);
  const revoking = revokeMany([id], staff.ofClass);
  await held.waitUntilWaiting(1);
  const move = 'UPDATE student SET class_id = $1 WHERE id = $2';
  await held.commit(move, [classB.id, cem.id]);
  expect(await revoking).toMatchObject({ status: 403, data: null });
  expect(await liveIds()).toContain(id);
  // The old class still counts the student, who returns.
  await test.database.pool.query(move, [classA.id, cem.id]);
});

it('overlapping sets of records, revoked at once in opposite order beside writes, are revoked once each', async () => {
  const students = [anna, ben, neighbour, stranger];
  const before = await Promise.all(students.map(totalsOf));
  const ids: number[] = [];
  for (const { id } of [...students, ...students]) ids.push(await office.give(id, 3));
  const sets = Array.from({ length: 8 }, (_, i) => {
    const rotated = [...ids.slice(i), ...ids.slice(0, i)];
    return i % 2 === 0 ? rotated : rotated.toReversed();
  });
  const [answers, writes] = await Promise.all([
    Promise.all(sets.map((set) => revokeMany(set))),
    Promise.all(students.map(({ id }) => office.post('/scores', { userId: id, scoreChange: 1 }))),
  ]);
  expect([...answers, ...writes].map(({ status }) => status)).toEqual(Array(12).fill(200));
  const done = answers.map((answer) => (answer.data as { revoked: number }).revoked);
  expect(done.reduce((sum, count) => sum + count, 0)).toBe(8);
  const after = (await Promise.all(students.map(totalsOf))).map(({ totalScore }) => totalScore);
  expect(after).toEqual(before.map(({ totalScore }) => totalScore + 1));
});

// Comes last, because most sessions end meanwhile.
it('up to 200 records are revoked across students, classes and days, and the totals are returned', async () => {
  const students = [anna, neighbour, stranger, elsewhere.students[1]];
  const before = await Promise.all(students.map(totalsOf));
  const items = students.flatMap(({ id: userId }) =>
    Array.from({ length: 25 }, (_, i) => ({ userId, scoreChange: (i % 7) - 3 })),
  );
  const ids: unknown[] = [];
  for (const _day of [1, 2]) {
    const { details } = await office.created<BulkScores>('/scores', { items });
    ids.push(...details.map(({ logId }) => logId));
    test.clock.advance(7 * 3_600_000);
    await staff.ofSchool.get('/auth/me');
  }
  expect(await revokeMany([...ids, 999_999_999])).toMatchObject({ status: 400, data: null });
  const answer = await revokeMany(ids);
  expect(answer.data).toEqual({ revoked: 200, students: before.toSorted((a, b) => a.id - b.id) });
});
