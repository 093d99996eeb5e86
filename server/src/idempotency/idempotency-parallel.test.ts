import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createStaff } from '../../test/administrators.ts';
import type { AdminClient, CredentialClient, ExternalAnswer, InternalAnswer } from '../../test/identities.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { openSchool, startTestApp } from '../../test/test-app.ts';

let numbers = 0;

type Answer = ExternalAnswer | InternalAnswer;

/** The clients of one process. */
interface Process {
  readonly credential: CredentialClient;
  readonly teacher: AdminClient;
  readonly head: AdminClient;
}

interface Effect {
  send(by: Process): Promise<Answer>;
  times(): Promise<number>;
  /** Blocks the first request in the middle of its work. */
  hold(): Promise<LockedRows>;
}

/** Long enough that no request stops waiting for a row, even on a busy machine. */
const lockedRowWaitMs = 600_000;
const { test, school, admin, office } = await openSchool({}, { lockedRowWaitMs });
const other = await startTestApp({}, { shareDatabaseWith: test, lockedRowWaitMs });
const { ofClass, ofSchool } = await createStaff(test, school);
const signInThere = ({ username, password }: typeof ofClass) => other.signIn(username, password);
const here: Process = { credential: office, teacher: ofClass, head: ofSchool };
const there: Process = {
  credential: other.with(office),
  teacher: await signInThere(ofClass),
  head: await signInThere(ofSchool),
};
const { schoolDb } = school;
const [{ classes }, otherGrade] = school.grades;

const keyed = (key: string) => ({ 'idempotency-key': key });

async function total(path: string): Promise<number> {
  return (await office.read<{ total: number }>(path)).total;
}

/** Returns the effect of points for one of three students. */
async function points(
  number: number,
  send: (by: Process, score: { userId: number; scoreChange: number }) => Promise<Answer>,
): Promise<Effect> {
  const { id: userId } = classes[0].students[number % 3] as { id: number };
  const records = `/scores?userId=${userId}`;
  const before = await total(records);
  return {
    send: (by) => send(by, { userId, scoreChange: 1 }),
    times: async () => (await total(records)) - before,
    hold: () => LockedRows.ofStudent(test, userId),
  };
}

const effects: Record<string, (number: number, key: Record<string, string>) => Promise<Effect>> = {
  'POST /api/v1/scores': (number, key) =>
    points(number, ({ credential }, score) => credential.post('/scores', score, key)),
  'POST /api/scores/add': (number, key) =>
    points(number, ({ teacher }, score) => teacher.post('/scores/add', { schoolDb, ...score }, key)),
  'POST /api/scores/batch': (number, key) =>
    points(number, ({ teacher }, score) => teacher.post('/scores/batch', { schoolDb, items: [score] }, key)),
  'POST /api/v1/students': async (number, key) => {
    const classId = otherGrade.classes[0].id;
    const before = await total('/students');
    const body = { username: `parallel.${number}`, classId };
    return {
      send: ({ credential }) => credential.post('/students', body, key),
      times: async () => (await total('/students')) - before,
      hold: () => LockedRows.ofClass(test, classId),
    };
  },
  'DELETE /api/v1/scores/:logId': async (number, key) => {
    const student = classes[1].students[number % 3] as { id: number };
    const records = `/scores?userId=${student.id}`;
    const logId = await office.give(student.id, 2);
    const before = await total(records);
    return {
      send: ({ credential }) => credential.delete(`/scores/${logId}`, key),
      times: async () => before - (await total(records)),
      hold: () => LockedRows.ofStudent(test, student.id),
    };
  },
  'POST /api/admin/term-switch': async (_number, key) => {
    const classId = otherGrade.classes[1].id;
    const terms = async () =>
      Number(
        (await admin.get(`/admin/terms?schoolDb=${schoolDb}&classId=${classId}`)).headers['x-total-count'],
      );
    const before = await terms();
    const body = { schoolDb, classId, action: 'reset' };
    return {
      send: ({ head }) => head.post('/admin/term-switch', body, key),
      times: async () => (await terms()) - before,
      hold: () => LockedRows.ofClass(test, classId),
    };
  },
};

const idOf = ({ headers }: Answer) => headers['x-request-id'];

function expectOneEffect(answers: readonly Answer[]): Answer {
  const done = answers.filter((answer) => answer.status === 200);
  const first = done.filter((answer) => answer.headers['idempotency-replayed'] === undefined);
  expect(first).toHaveLength(1);
  const [original] = first as [Answer];
  for (const answer of answers) {
    if (answer.status === 200) {
      expect(answer.data).toEqual(original.data);
      if (answer !== original) expect(answer.headers['original-request-id']).toBe(idOf(original));
    } else {
      expect(answer).toMatchObject({ status: 409, data: null, headers: { 'retry-after': '1' } });
      expect(answer).toMatchObject('code' in answer ? { code: 40901 } : { success: false });
      expect(answer.message).toMatch(/try again in a moment/);
    }
  }
  expect(new Set(answers.map(idOf)).size).toBe(answers.length);
  return original;
}

describe.each(Object.entries(effects))('%s with one idempotency key', (_name, newEffect) => {
  const fresh = () => newEffect(++numbers, keyed(`key ${numbers}`));

  it('a request takes effect once when sent 50 times at once to two processes, and is replayed 50 times afterwards', async () => {
    const effect = await fresh();
    const senders = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? here : there));
    const sendAll = () => Promise.all(senders.map((by) => effect.send(by)));
    const original = expectOneEffect(await sendAll());
    const replays = await sendAll();
    expect(replays.map(({ status }) => status)).toEqual(replays.map(() => 200));
    expectOneEffect([original, ...replays]);
    expect(await effect.times()).toBe(1);
  });

  const places = Object.entries({ 'the same process': here, 'another process': there });
  it.each(places)('a repetition in %s gets 409 while the first request runs', async (_where, by) => {
    const effect = await fresh();
    const held = await effect.hold();
    const first = effect.send(here);
    await held.waitUntilWaiting(1);
    const second = effect.send(by);
    // The other process's ledger may wait for the same row; the other writes answer at once.
    await Promise.race([second, held.waitUntilWaiting(2)]);
    await held.release();
    const original = expectOneEffect([await first, await second]);
    expect((await second).status).toBe(409);
    expectOneEffect([original, await effect.send(here), await effect.send(there)]);
    expect(await effect.times()).toBe(1);
  });

  it('the stored answer is replayed while the affected row is locked', async () => {
    const effect = await fresh();
    const original = await effect.send(here);
    const held = await effect.hold();
    const again = effect.send(there);
    // The ledger waits for the row, or for its queue. The other writes need no row.
    await Promise.race([again, held.waitUntilBlocked(1)]);
    await held.release();
    expect(await again).toMatchObject({ status: 200, headers: { 'idempotency-replayed': 'true' } });
    expectOneEffect([original, await again]);
    expect(await effect.times()).toBe(1);
  });
});

it('a key sent to two endpoints at once takes effect at one of them, and the other answers 409', async () => {
  const student = otherGrade.classes[1].students[0];
  for (let round = 0; round < 3; round++) {
    const key = keyed(`everywhere ${round}`);
    const classId = classes[0].id;
    const before = { scores: await total('/scores'), students: await total('/students') };
    const answers = await Promise.all(
      [here, there].flatMap(({ credential: by }) => [
        by.post('/scores', { userId: student.id, scoreChange: 1 }, key),
        by.post('/students', { username: `everywhere.${round}`, classId }, key),
      ]),
    );
    const fresh = answers.filter(
      (answer) => answer.status === 200 && answer.headers['idempotency-replayed'] === undefined,
    );
    expect(fresh).toHaveLength(1);
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    const done = (await total('/scores')) - before.scores + ((await total('/students')) - before.students);
    expect(done).toBe(1);
  }
});

async function turnsUntil(done: Promise<unknown>): Promise<number> {
  let over = false;
  void done.then(() => {
    over = true;
  });
  let turns = 0;
  while (!over && turns < 100_000) {
    turns++;
    await nextTurn();
  }
  return turns;
}

const count = 6;
const rounds = 8;
const userId = () => otherGrade.classes[1].students[1].id;

type Send = (by: CredentialClient, i: number) => Promise<ExternalAnswer>;

it.each<[string, number, (round: number) => Promise<Send>]>([
  [
    'scores',
    count,
    async (round) => (by, i) =>
      by.post('/scores', { userId: userId(), scoreChange: 1 }, keyed(`score ${round}.${i}`)),
  ],
  [
    'revocations',
    0,
    async (round) => {
      const items = Array.from({ length: count }, () => ({ userId: userId(), scoreChange: 1 }));
      const { details } = await office.created<{
        details: { logId: number }[];
      }>('/scores', { items });
      return (by, i) => by.delete(`/scores/${details[i]?.logId}`, keyed(`revocation ${round}.${i}`));
    },
  ],
])('%s take effect once each, whenever the second request comes', async (_kind, made, prepare) => {
  const before = await total(`/scores?userId=${userId()}`);
  let turnsOfWhole = 0;
  for (let round = 0; round <= rounds; round++) {
    const send = await prepare(round);
    const sendAll = ({ credential }: Process) => Array.from({ length: count }, (_, i) => send(credential, i));
    const first = sendAll(here);
    const whole = turnsUntil(Promise.all(first));
    // The first round measures the turns. Later rounds repeat the requests ever later, until after the commit.
    const turns = (turnsOfWhole * 1.2 * round) / rounds;
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    const second = sendAll(there);
    if (round === 0) turnsOfWhole = await whole;
    const pairs = await Promise.all(first.map(async (answer, i) => [await answer, await second[i]]));
    for (const pair of pairs) expectOneEffect(pair as Answer[]);
  }
  expect(await total(`/scores?userId=${userId()}`)).toBe(before + (rounds + 1) * made);
});

it('the ledger has correct totals after all these tests', async () => {
  await test.expectVerifiedLedger();
});
