import { afterEach, expect, it } from 'vitest';
import { DatabaseProxy } from '../../../test/database-proxy.ts';
import { eventually } from '../../../test/eventually.ts';
import type { ExternalAnswer } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { openSchool, startTestApp } from '../../../test/test-app.ts';

// Longer than the other requests take on a busy machine.
const { test, school, office } = await openSchool({}, { lockedRowWaitMs: 600_000 });
const [place] = school.grades[0].classes;

afterEach(() => test.expectVerifiedLedger());

/** The answer to a failed write and to one with an unknown outcome. The same key can be repeated. */
const unavailable = { status: 503, code: 50301, headers: { 'retry-after': '1' } };

const keyed = (key: string) => ({ 'idempotency-key': key });
const student = (index: number) => place.students[index]?.id as number;

const scoreCount = async (userId: number) =>
  (await office.read<{ scoreCount: number }>(`/students/${userId}`)).scoreCount;

it('a write answers 40401 when its student is deleted meanwhile, and other writes of its transaction succeed', async () => {
  const { students } = await school.newClass(school.grades[0].id, 1);
  const { id: leaver } = students[0];
  const held = await LockedRows.ofStudent(test, leaver);
  const before = await scoreCount(student(2));
  const users = Array.from({ length: 20 }, (_, i) => (i % 5 === 0 ? leaver : student(2)));
  const [leaving, writes] = await held.startInOrder(
    () => office.delete(`/students/${leaver}?confirm=true`),
    () => Promise.all(users.map((userId) => office.post('/scores', { userId, scoreChange: 1 }))),
  );
  expect(leaving).toMatchObject({ status: 200, data: { id: leaver } });
  expect(writes.map((answer) => answer.code)).toEqual(
    Array.from({ length: 20 }, (_, i) => (i % 5 === 0 ? 40401 : 0)),
  );
  expect(await scoreCount(student(2))).toBe(before + 16);
});

it('a locked student row delays only writes to that student, which succeed once each after the release', async () => {
  const [locked, free] = [student(0), student(1)];
  const before = [await scoreCount(locked), await scoreCount(free)] as const;
  const held = await LockedRows.ofStudent(test, locked);
  const order: string[] = [];
  const send = async (who: string, body: object, key: string) => {
    const answer = await office.post('/scores', body, keyed(key));
    order.push(who);
    return answer;
  };
  const both = { items: [locked, free].map((userId) => ({ userId, scoreChange: 1 })) };
  const blocked = [
    ...[1, 2, 3, 4].map((i) => send('blocked', { userId: locked, scoreChange: i }, `blocked ${i}`)),
    send('blocked', both, 'blocked both'),
  ];
  const others = Array.from({ length: 12 }, (_, i) =>
    send('free', { userId: free, scoreChange: 1 }, `free ${i}`),
  );
  for (const answer of await Promise.all(others)) expect(answer.code).toBe(0);
  const alone = send('blocked', { userId: locked, scoreChange: -2 }, 'blocked alone');
  expect((await send('free', { userId: free, scoreChange: 1 }, 'free later')).code).toBe(0);
  expect(order).toEqual(Array.from({ length: 13 }, () => 'free'));
  await held.release();
  for (const answer of await Promise.all([...blocked, alone])) expect(answer.code).toBe(0);
  expect(await scoreCount(locked)).toBe(before[0] + 6);
  expect(await scoreCount(free)).toBe(before[1] + 14);
});

it('a write to a locked student answers 50301 after the time limit, and a retry with the key succeeds', async () => {
  const impatient = await startTestApp({}, { shareDatabaseWith: test, lockedRowWaitMs: 200 });
  const caller = impatient.with(office);
  const before = await scoreCount(student(0));
  const held = await LockedRows.ofStudent(test, student(0));
  const send = (i: number) =>
    caller.post('/scores', { userId: student(0), scoreChange: 1 }, keyed(`given up ${i}`));
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => send(i)));
  for (const answer of answers) expect(answer).toMatchObject({ ...unavailable, data: null });
  await held.release();
  expect(await scoreCount(student(0))).toBe(before);
  const again = await Promise.all(Array.from({ length: 8 }, (_, i) => send(i)));
  for (const { code, headers } of again) {
    expect([code, headers['idempotency-replayed']]).toEqual([0, undefined]);
  }
  expect(await scoreCount(student(0))).toBe(before + 8);
});

it('a score write and a move to another class that deadlock with other transactions are each done once', async () => {
  const [, otherPlace] = school.grades[0].classes;
  const [writing, moving] = [student(0), otherPlace.students[0].id];
  for (let attempt = 0; attempt < 4; attempt++) {
    const before = await scoreCount(writing);
    const classId = attempt % 2 === 0 ? school.grades[1].classes[0].id : otherPlace.id;
    const holders = [await LockedRows.ofClass(test, place.id), await LockedRows.ofClass(test, otherPlace.id)];
    // PostgreSQL cancels the transaction whose deadlock check runs first: that of the application.
    for (const { client } of holders) await client.query("SET LOCAL deadlock_timeout = '8s'");
    const requests = [
      office.post('/scores', { userId: writing, scoreChange: 1 }),
      office.patch(`/students/${moving}`, { classId }),
    ];
    await holders[0]?.waitUntilWaiting(2);
    // Each request has locked its student and waits for the class; the holder of the class now asks for the student.
    const askedFor = [writing, moving].map((id, i) =>
      holders[i]?.client.query('SELECT 1 FROM student WHERE id = $1 FOR UPDATE', [id]),
    );
    const asked = await Promise.allSettled(askedFor);
    for (const holder of holders) await holder.release();
    const [written, moved] = await Promise.all(requests);
    expect(written).toMatchObject({ status: 200, data: { successCount: 1 } });
    expect(moved).toMatchObject({ status: 200, data: { classId } });
    expect(await scoreCount(writing)).toBe(before + 1);
    if (asked.every(({ status }) => status === 'fulfilled')) return;
  }
  throw new Error('The application was never the one to give way');
});

const proxy = await DatabaseProxy.start(test.databaseTarget);
const remote = (await startTestApp({}, { shareDatabaseWith: test, behind: proxy })).with(office);

/** Repeats a call as a client does: the key is busy until the database notices the broken connection. */
async function repeat(path: string, body: object, key: Record<string, string>): Promise<ExternalAnswer> {
  let answer = await remote.post(path, body, key);
  await eventually('the key is free', async () => {
    if (answer.code !== 40901) return true;
    answer = await remote.post(path, body, key);
    return false;
  });
  return answer;
}

it('a connection lost after the commit answers 50301, and the server does not retry', async () => {
  const before = await scoreCount(student(2));
  proxy.cut('after the commit', 'heard by nobody');
  const body = { userId: student(2), scoreChange: 1, description: 'heard by nobody' };
  expect(await remote.post('/scores', body)).toMatchObject({ ...unavailable, data: null });
  expect(proxy.cuts).toBe(1);
  expect(await scoreCount(student(2))).toBe(before + 1);
});

it('after a lost answer, a repeated idempotency key replays every write of the committed transaction', async () => {
  const before = await scoreCount(student(2));
  proxy.cut('after the commit', 'repeated by key');
  const send = (_: unknown, i: number) => {
    const body = { userId: student(2), scoreChange: 1, description: i === 4 ? 'repeated by key' : '' };
    return remote.post('/scores', body, keyed(`lost ${i}`));
  };
  const answers = await Promise.all(Array.from({ length: 9 }, send));
  expect(new Set(answers.map(({ code }) => code))).toContain(50301);
  for (const answer of answers) expect([0, 50301]).toContain(answer.code);
  for (const again of await Promise.all(Array.from({ length: 9 }, send))) {
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
  }
  expect(await scoreCount(student(2))).toBe(before + 9);
});

const points = (description: string) => ({ userId: student(2), scoreChange: 1, description });
// The username also occurs in statements before the transaction; the actual name occurs only inside it.
const creation = (actualName: string) => ({
  username: `made ${actualName.length}`,
  actualName,
  classId: place.id,
});
const countStudents = async () => (await office.read<{ total: number }>('/students')).total;

it.each([
  ['/scores', 'before the commit', points, () => scoreCount(student(2))],
  ['/students', 'before the commit', creation, countStudents],
  ['/students', 'after the commit', creation, countStudents],
] as const)(
  'POST %s answers 50301 to a connection lost %s, and works once when repeated with the key',
  async (path, at, bodyOf, count) => {
    const before = await count();
    const text = `cut ${at}`;
    proxy.cut(at, text);
    expect(await remote.post(path, bodyOf(text), keyed(path + at))).toMatchObject(unavailable);
    const again = await repeat(path, bodyOf(text), keyed(path + at));
    expect(again).toMatchObject({ status: 200, code: 0 });
    expect(again.headers['idempotency-replayed']).toBe(at === 'after the commit' ? 'true' : undefined);
    expect(await count()).toBe(before + 1);
  },
);
