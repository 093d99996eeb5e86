import { expect, it } from 'vitest';
import { LockedRows } from './locked-rows.ts';
import { createSampleSchool, openSchool, startTestApp } from './test-app.ts';

const { test, admin, school } = await openSchool();
const greedy = await school.issue({});
const colleague = await school.issue({});
const hillside = await createSampleSchool(admin, 'Hillside School');
const neighbour = await hillside.issue({});

/** Blocks every statement that touches the table until it is released. */
const stopped = (table: string) =>
  LockedRows.selectedBy(test, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);

async function expectAnswered(reads: readonly Promise<{ code: number }>[]): Promise<void> {
  for (const { code } of await Promise.all(reads)) expect([0, 50301]).toContain(code);
}

it('300 slow reads of one credential delay neither another school, also with a slow read, nor quick reads of their own school', async () => {
  const held = await stopped('score_record');
  const slow = Array.from({ length: 300 }, () => greedy.get('/scores?sortBy=scoreChange'));
  await held.waitUntilWaiting(2);
  for (const who of [neighbour, colleague, greedy]) {
    expect(await who.get('/students')).toMatchObject({ code: 0 });
  }
  expect(await neighbour.get('/students?keyword=a')).toMatchObject({ code: 0 });
  await held.release();
  await expectAnswered(slow);
});

it('statements of one school that all wait for a lock delay neither another school nor gifts of points', async () => {
  const held = await stopped('template');
  const waiting = Array.from({ length: 50 }, () => greedy.get('/templates'));
  await held.waitUntilWaiting(6);
  expect(await neighbour.get('/students')).toMatchObject({ code: 0 });
  const userId = school.grades[0].classes[0].students[0].id;
  expect(await colleague.post('/scores', { userId, scoreChange: 1 })).toMatchObject({ code: 0 });
  await held.release();
  await expectAnswered(waiting);
});

it('activity-log lines that wait for a locked student delay neither another school nor its points', async () => {
  const { schoolDb, grades } = school;
  const id = grades[0].classes[0].students[0].id;
  const held = await LockedRows.ofStudent(test, id);
  const exports = Array.from({ length: 30 }, () => admin.post(`/users/${id}/export`, { schoolDb }));
  await held.waitUntilWaiting(6);
  expect(await neighbour.get('/students')).toMatchObject({ code: 0 });
  const userId = hillside.grades[0].classes[0].students[0].id;
  expect(await neighbour.post('/scores', { userId, scoreChange: 1 })).toMatchObject({ code: 0 });
  await held.release();
  for (const { status } of await Promise.all(exports)) expect([200, 503]).toContain(status);
});

it.each([1, 8])(
  'gifts of points that wait for locked rows delay no other school at one of %s processes that share connections',
  async (processCount) => {
    // Longer than the other requests take on a busy machine.
    const lockedRowWaitMs = 600_000;
    const shared = { shareDatabaseWith: test, connection: { processCount }, lockedRowWaitMs };
    const app = await startTestApp({}, shared);
    const [one, other] = [app.with(greedy), app.with(neighbour)];
    const { students } = school.grades[0].classes[0];
    const held = await LockedRows.ofClass(test, school.grades[0].classes[0].id);
    let ended = 0;
    const writes = students.map(async ({ id }) => {
      const answer = await one.post('/scores', { userId: id, scoreChange: 1 });
      ended++;
      return answer;
    });
    await held.waitUntilWaiting(Math.min(app.database.blockedWritesMax, students.length));
    for (const path of ['/grades', '/students']) expect(await other.get(path)).toMatchObject({ code: 0 });
    expect(ended).toBe(0);
    await held.release();
    for (const answer of await Promise.all(writes)) expect(answer).toMatchObject({ code: 0 });
    await app.stop();
  },
);

it.each([['/scores?sortBy=scoreChange'], ['/stats/overview?startDate=2026-09-01']])(
  'a read that exceeds its time limit gets 503 with Retry-After and the advice to ask for less (%s)',
  async (path) => {
    const hurried = { shareDatabaseWith: test, connection: { slowReadMs: 50 } };
    const client = (await startTestApp({}, hurried)).with(greedy);
    const held = await stopped('score_record');
    expect(await client.get(path)).toMatchObject({
      status: 503,
      code: 50301,
      data: null,
      message: expect.stringContaining('ask for less, for example for one class'),
      headers: { 'retry-after': '10' },
    });
    await held.release();
  },
);
