import type { ScoreRecord, StudentDetail, UpsertedStudents } from '@classledger/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { openSchool, studentPassword } from '../../../test/test-app.ts';
import { runAndRollBack, SchoolData } from '../../access/school-data.ts';

const { test, school, office, teacher } = await openSchool();
const [own, nearClass] = school.grades[0].classes;
const [anna, bert, carl] = own.students;
const [outside] = school.grades[1].classes[0].students;

const read = (id: number | null | undefined) => office.read<StudentDetail>(`/students/${id}`);
async function upsert(batch: readonly object[], more: object = {}, by = office, headers = {}) {
  const answer = await by.put('/students/batch', { batch, ...more }, headers);
  expect([answer.status, answer.code, answer.message]).toEqual([200, 0, expect.any(String)]);
  return answer.data as UpsertedStudents;
}
const codesOf = ({ details }: UpsertedStudents) => details.map(({ code }) => code);
const doneIn = ({ details }: UpsertedStudents) => details.map(({ action, changed }) => [action, changed]);
let counter = 0;
const fresh = () => `u${++counter}`;

describe('PUT /students/batch', () => {
  afterEach(() => test.expectVerifiedLedger());

  it('creates missing students with passwords returned once, updates others, and skips unchanged ones', async () => {
    await office.post('/scores', { userId: bert.id, scoreChange: 4 });
    const [one, two] = [fresh(), fresh()];
    const batch = [
      { externalId: one, username: one, actualName: '李伟', classId: own.id, cardNumber: `card ${one}` },
      { externalId: 'S-anna', username: anna.username },
      { username: bert.username, classId: nearClass.id, disabled: true, externalId: 'S-bert' },
      { username: two, classId: own.id, disabled: true },
    ];
    const first = await upsert(batch);
    expect(doneIn(first)).toEqual([
      ['created', []],
      ['updated', ['externalId']],
      ['updated', ['classId', 'disabled', 'externalId']],
      ['created', []],
    ]);
    expect(first).toMatchObject({ createdCount: 2, updatedCount: 2, unchangedCount: 0, dryRun: false });
    const { id, initialPassword } = first.details[0] as { id: number; initialPassword: string };
    await test.signInStudent(school.schoolDb, one, initialPassword);
    expect(await read(id)).toMatchObject({ actualName: '李伟', externalId: one, cardNumber: `card ${one}` });
    expect(await read(first.details[3]?.id)).toMatchObject({ actualName: two, disabled: true });
    expect(await read(bert.id)).toMatchObject({ classId: nearClass.id, disabled: true, totalScore: 4 });

    const before = await read(bert.id);
    test.clock.advance(1_000);
    const again = await upsert(batch);
    expect(again).toMatchObject({ createdCount: 0, updatedCount: 0, unchangedCount: 4 });
    expect(JSON.stringify(again)).not.toContain('initialPassword');
    expect(await read(bert.id)).toEqual(before);

    // Found by the external id in spite of another username. null removes the card number.
    const renamed = await upsert([{ externalId: one, username: `${one}-b`, cardNumber: null }]);
    expect(doneIn(renamed)).toEqual([['updated', ['username', 'cardNumber']]]);
    const changed = await read(id);
    expect(changed).toMatchObject({ username: `${one}-b`, cardNumber: null });
    expect(changed.updatedAt > changed.createdAt).toBe(true);
  });

  it('rejects wrong entries, each with its code, and does the others', async () => {
    const [free, card, twin] = [fresh(), fresh(), fresh()];
    await upsert([{ externalId: 'S-carl', username: carl.username, cardNumber: card }]);
    const failing: [object, number][] = [
      [{ actualName: 'Nobody' }, 40001],
      [{ externalId: fresh() }, 40001],
      [{ externalId: '', username: fresh() }, 40002],
      [{ username: fresh() }, 40003],
      [{ externalId: 'S-anna', username: carl.username }, 40901],
      [{ externalId: fresh(), username: carl.username }, 40901],
      [{ externalId: 'S-anna', cardNumber: card }, 40901],
      [{ username: fresh(), classId: own.id, cardNumber: card }, 40901],
      [{ username: twin, externalId: twin, classId: own.id }, 0],
      [{ username: `${twin}-b`, externalId: twin, classId: own.id }, 40901],
      [{ externalId: 'S-carl', actualName: 'Carl' }, 0],
      [{ username: carl.username, actualName: 'Karl' }, 40901],
      [{ username: bert.username, classId: 999_999_999 }, 40303],
      [{ username: free, classId: own.id }, 0],
    ];
    const batch = failing.map(([entry]) => entry);
    const dry = await upsert(batch, { dryRun: true });
    expect(dry).toMatchObject({ dryRun: true, createdCount: 2, updatedCount: 1 });
    expect(dry.details.at(-1)).toMatchObject({ action: 'created', username: free, id: null });
    expect(await office.read(`/students?username=${free}`)).toMatchObject({ total: 0 });
    const done = await upsert(batch);
    expect(codesOf(done)).toEqual(failing.map(([, code]) => code));
    expect(codesOf(dry)).toEqual(codesOf(done));
    expect(await read(carl.id)).toMatchObject({ actualName: 'Carl', cardNumber: card });
    // A credential of one class may leave out the class.
    expect(codesOf(await upsert([{ username: fresh() }], {}, teacher))).toEqual([0]);
  });

  it('a dry run fails with the error of its work', async () => {
    const data = new SchoolData(test.database.db, { schoolId: school.id, gradeId: null, classId: null });
    const failed = new Error('failed');
    await expect(runAndRollBack(data, () => Promise.reject(failed))).rejects.toBe(failed);
  });

  it('runs once per idempotency key, and a dry run does not use the key', async () => {
    const name = fresh();
    const key = { 'idempotency-key': name };
    const batch = [{ externalId: name, username: name, classId: own.id }];
    await upsert(batch, { dryRun: true }, office, key);
    const first = await upsert(batch, {}, office, key);
    expect(doneIn(first)).toEqual([['created', []]]);
    expect(await upsert(batch, {}, office, key)).toEqual(first);
  });

  it('parallel PUT /students/batch requests with the same entry create one student', async () => {
    for (let round = 0; round < 3; round++) {
      const names = Array.from({ length: 4 }, fresh);
      const entries = names.map((name) => ({ externalId: name, username: name, classId: own.id }));
      const near = entries.map((entry) => ({ ...entry, classId: nearClass.id }));
      const lists = [entries, entries.toReversed(), near, near.toReversed()];
      const answers = await Promise.all(lists.map((list) => upsert(list)));
      expect(answers.flatMap(codesOf)).toEqual(Array(16).fill(0));
      const created = answers.flatMap(({ details }) => details).filter(({ action }) => action === 'created');
      expect(created.map(({ username }) => username).sort()).toEqual(names.sort());
    }
  });
});

describe('POST /scores by external id and card number', () => {
  afterEach(() => test.expectVerifiedLedger());
  const give = (body: object) => office.post('/scores', body);
  const newest = async (userId: number) =>
    (await office.read<{ list: ScoreRecord[] }>(`/scores?userId=${userId}&limit=1`)).list[0];

  it('finds the student, and rejects contradictory names', async () => {
    const [externalId, cardNumber] = [fresh(), fresh()];
    await office.patch(`/students/${anna.id}`, { externalId, cardNumber });
    const { id: userId, username } = anna;
    const other = { cardNumber: (await read(carl.id)).cardNumber };
    const items: [object, number][] = [
      [{ externalId }, 0],
      [{ cardNumber: ` ${cardNumber} ` }, 0],
      [{ userId, username, externalId, cardNumber }, 0],
      [{ externalId: fresh() }, 40401],
      [{ cardNumber: externalId }, 40401],
      [{ userId, externalId: fresh() }, 40002],
      [{ username, ...other }, 40002],
      [{ externalId, ...other }, 40002],
      [{}, 40001],
    ];
    const { data } = await give({ scoreChange: 1, items: items.map(([item]) => item) });
    expect((data as { details: { code: number }[] }).details.map(({ code }) => code)).toEqual(
      items.map(([, code]) => code),
    );
    for (const [item, code] of items) expect((await give({ ...item, scoreChange: 1 })).code).toBe(code);
    expect(await newest(userId)).toMatchObject({ username });
  });

  it('accepts occurredAt within the current term, but not in the future', async () => {
    const admin = await test.signIn();
    test.clock.advance(3_600_000);
    const soon = (ms: number) => new Date(test.clock.now().getTime() + ms).toISOString();
    const { schoolDb } = school;
    await admin.post('/admin/term-switch', { schoolDb, classId: own.id, action: 'archive' });
    const start = test.clock.now().toISOString();
    test.clock.advance(600_000);
    const now = test.clock.now().toISOString();
    const cases: [string | undefined, string | number][] = [
      [undefined, now],
      [start, start],
      [soon(-300_000), soon(-300_000)],
      [soon(60_000), now],
      [soon(60_001), 40002],
      [new Date(Date.parse(start) - 1).toISOString(), 40002],
      ['2026-09-15', 40002],
      ['yesterday', 40002],
    ];
    const items = cases.map(([occurredAt]) => ({ userId: anna.id, ...(occurredAt && { occurredAt }) }));
    const { data } = await give({ scoreChange: 1, items });
    const { details } = data as { details: { code: number; logId: number }[] };
    const { list } = await office.read<{ list: ScoreRecord[] }>(`/scores?userId=${anna.id}&limit=100`);
    const shown = details.map(({ code, logId }) => code || list.find(({ id }) => id === logId)?.occurredAt);
    expect(shown).toEqual(cases.map(([, expected]) => expected));
    expect(new Set(list.map(({ createdAt }) => createdAt))).toEqual(new Set([now]));
    // With a time offset, and through the internal API.
    const zoned = { userId: anna.id, scoreChange: 2, occurredAt: start.replace('Z', '+00:00') };
    expect((await give(zoned)).code).toBe(0);
    const logs = await admin.read<object[]>(`/scores/logs?schoolDb=${schoolDb}&userId=${anna.id}`);
    expect(logs[0]).toMatchObject({ occurredAt: start, createdAt: now });
    const self = await test.signInStudent(schoolDb, anna.username, studentPassword);
    expect((await self.read<object[]>('/student/logs'))[0]).toMatchObject({ occurredAt: start });
  });
});

it('external ids and card numbers are searchable and unique, change updatedAt, and are removed by the erasure', async () => {
  const admin = await test.signIn();
  const { schoolDb } = school;
  const [externalId, cardNumber] = [`Ext-${fresh()}`, `00-${fresh()}`];
  const { id } = await admin.created<{ id: number }>('/users', {
    ...{ schoolDb, classId: nearClass.id, username: fresh(), password: 'secret-password' },
    ...{ externalId, cardNumber },
  });
  for (const search of [externalId.toLowerCase(), cardNumber.slice(1)]) {
    const found = await admin.get(`/users?schoolDb=${schoolDb}&search=${search}`);
    expect(found.data).toMatchObject([{ id, externalId, cardNumber }]);
  }
  expect(await office.read(`/students?keyword=${externalId}`)).toMatchObject({ total: 0 });
  for (const taken of [{ externalId }, { cardNumber }]) {
    const single = { username: fresh(), classId: nearClass.id, ...taken };
    expect((await office.post('/students', single)).code).toBe(40901);
    expect((await office.patch(`/students/${outside.id}`, taken)).code).toBe(40901);
    const batch = [{ username: fresh(), ...taken }];
    const several = await office.post('/students', { classId: nearClass.id, batch });
    expect(several.data).toMatchObject({ details: [{ code: 40901 }] });
  }
  // Points, passwords and equal values do not count as changes of the student.
  const { updatedAt } = await read(id);
  test.clock.advance(1_000);
  await office.post('/scores', { externalId, scoreChange: 1 });
  await office.patch(`/students/${id}`, { cardNumber });
  await admin.post(`/users/${id}/password`, { schoolDb });
  expect((await read(id)).updatedAt).toBe(updatedAt);
  await upsert([{ externalId, cardNumber: '77' }]);
  expect((await read(id)).updatedAt).toBe(test.clock.now().toISOString());

  await admin.post(`/users/${id}/erase`, { schoolDb });
  expect(await read(id)).toMatchObject({ externalId: null, cardNumber: null, disabled: true });
  const again = { username: fresh(), classId: nearClass.id, externalId, cardNumber: '77' };
  expect((await office.post('/students', again)).code).toBe(0);
});
