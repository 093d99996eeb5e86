import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CredentialClient, ExternalAnswer } from '../../test/identities.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { openSchool, startTestApp } from '../../test/test-app.ts';

let numbers = 0;

interface Effect {
  send(by: CredentialClient): Promise<ExternalAnswer>;
  times(): Promise<number>;
  /** Blocks the first request in the middle of its work. */
  hold(): Promise<LockedRows>;
}

/** Long enough that no request stops waiting for a row, even on a busy machine. */
const lockedRowWaitMs = 600_000;
const { test, school, office: here } = await openSchool({}, { lockedRowWaitMs });
const there = (await startTestApp({}, { shareDatabaseWith: test, lockedRowWaitMs })).with(here);

const keyed = (key: string) => ({ 'idempotency-key': key });

async function total(path: string): Promise<number> {
  return ((await here.get(path)).data as { total: number }).total;
}

const effects: Record<string, (number: number) => Promise<Effect>> = {
  'POST /scores': async (number) => {
    const student = school.grades[0].classes[0].students[number % 3] as { id: number };
    const records = `/scores?userId=${student.id}`;
    const before = await total(records);
    const body = { userId: student.id, scoreChange: 1, description: `score ${number}` };
    return {
      send: (by) => by.post('/scores', body, keyed(`key ${number}`)),
      times: async () => (await total(records)) - before,
      hold: () => LockedRows.ofStudent(test, student.id),
    };
  },
  'POST /students': async (number) => {
    const classId = school.grades[1].classes[0].id;
    const before = await total('/students');
    const body = { username: `parallel.${number}`, classId };
    return {
      send: (by) => by.post('/students', body, keyed(`key ${number}`)),
      times: async () => (await total('/students')) - before,
      hold: () => LockedRows.ofClass(test, classId),
    };
  },
  'DELETE /scores/:logId': async (number) => {
    const student = school.grades[0].classes[1].students[number % 3] as { id: number };
    const records = `/scores?userId=${student.id}`;
    const logId = await here.give(student.id, 2);
    const before = await total(records);
    return {
      send: (by) => by.delete(`/scores/${logId}`, keyed(`key ${number}`)),
      times: async () => before - (await total(records)),
      hold: () => LockedRows.ofStudent(test, student.id),
    };
  },
};

function expectOneEffect(answers: readonly ExternalAnswer[]): ExternalAnswer {
  const done = answers.filter((answer) => answer.status === 200);
  const first = done.filter((answer) => answer.headers['idempotency-replayed'] === undefined);
  expect(first).toHaveLength(1);
  const [original] = first as [ExternalAnswer];
  for (const answer of answers) {
    if (answer.status === 200) {
      expect(answer.data).toEqual(original.data);
      if (answer !== original) expect(answer.headers['original-request-id']).toBe(original.requestId);
    } else {
      expect(answer).toMatchObject({ status: 409, code: 40901, data: null });
      expect(answer.message).toMatch(/try again in a moment/);
    }
  }
  expect(new Set(answers.map((answer) => answer.requestId)).size).toBe(answers.length);
  return original;
}

describe.each(Object.keys(effects))('%s with one idempotency key', (name) => {
  const fresh = () => (effects[name] as (number: number) => Promise<Effect>)(++numbers);

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

  it.each([
    ['the same process', here],
    ['another process', there],
  ])(
    'a repeated request answers 40901 in %s while the first request runs, and a replay afterwards',
    async (_where, by) => {
      const effect = await fresh();
      const held = await effect.hold();
      const first = effect.send(here);
      await held.waitUntilWaiting(1);
      const second = effect.send(by);
      // The other process's ledger may wait for the same row; the other writes answer at once.
      await Promise.race([second, held.waitUntilWaiting(2)]);
      await held.release();
      const original = expectOneEffect([await first, await second]);
      expect((await second).code).toBe(40901);
      expectOneEffect([original, await effect.send(here), await effect.send(there)]);
      expect(await effect.times()).toBe(1);
    },
  );

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
  const student = school.grades[1].classes[1].students[0] as { id: number };
  for (let round = 0; round < 3; round++) {
    const key = keyed(`everywhere ${round}`);
    const classId = school.grades[0].classes[0].id;
    const before = { scores: await total('/scores'), students: await total('/students') };
    const answers = await Promise.all(
      [here, there].flatMap((by) => [
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

describe('Many keys repeated in another process', () => {
  const count = 6;
  const rounds = 8;
  const userId = () => school.grades[1].classes[1].students[1]?.id as number;

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
        const { details } = (await here.post('/scores', { items })).data as { details: { logId: number }[] };
        return (by, i) => by.delete(`/scores/${details[i]?.logId}`, keyed(`revocation ${round}.${i}`));
      },
    ],
  ])(
    '%s take effect once each, whenever during the first request the second request comes',
    async (_kind, made, prepare) => {
      const before = await total(`/scores?userId=${userId()}`);
      let turnsOfWhole = 0;
      for (let round = 0; round <= rounds; round++) {
        const send = await prepare(round);
        const sendAll = (by: CredentialClient) => Array.from({ length: count }, (_, i) => send(by, i));
        const first = sendAll(here);
        const whole = turnsUntil(Promise.all(first));
        // The first round measures the turns. Later rounds repeat the requests ever later, until after the commit.
        const turns = (turnsOfWhole * 1.2 * round) / rounds;
        for (let turn = 0; turn < turns; turn++) await nextTurn();
        const second = sendAll(there);
        if (round === 0) turnsOfWhole = await whole;
        const pairs = await Promise.all(first.map(async (answer, i) => [await answer, await second[i]]));
        for (const pair of pairs) expectOneEffect(pair as ExternalAnswer[]);
      }
      expect(await total(`/scores?userId=${userId()}`)).toBe(before + (rounds + 1) * made);
    },
  );
});

it('the ledger has correct totals after all these tests', async () => {
  await test.expectVerifiedLedger();
});
