import type { BulkScores, ScoreRecord } from '@classledger/contract';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { DatabaseProxy } from '../../../../test/database-proxy.ts';
import { createSampleSchool, startTestApp } from '../../../../test/test-app.ts';
import { connectDatabase } from '../../../database/connect.ts';
import { DatabaseLostError } from '../../../database/transient-errors.ts';
import type { EntryOutcome } from './plan.ts';
import { ScoreLedger } from './score-ledger.ts';

const test = await startTestApp();
const other = await startTestApp({}, { shareDatabaseWith: test });
const chief = await test.signIn();
const [large, small] = [
  await createSampleSchool(chief, 'Large School'),
  await createSampleSchool(chief, 'Small School'),
];
afterEach(() => test.expectVerifiedLedger());

it('writes that share a transaction at two processes each get the ids of their own records, in order, and never another school’s', async () => {
  const writeMany = async (school: typeof large) => {
    const here = await school.issue({});
    const there = other.with(here);
    const students = school.grades.flatMap((grade) => grade.classes.flatMap((place) => place.students));
    const write = async (_: unknown, i: number) => {
      const items = Array.from({ length: (i % 5) + 1 }, (_, j) => ({
        userId: students[(i * 5 + j * 3) % students.length]?.id,
        scoreChange: ((i * 31 + j * 7) % 200) - 100,
        description: `${school.name}, request ${i}, entry ${j}`,
      }));
      const by = i % 2 === 0 ? here : there;
      return { items, details: (await by.created<BulkScores>('/scores', { items })).details };
    };
    const written = await Promise.all(Array.from({ length: 40 }, write));
    const listed = await here.readAll<ScoreRecord>('/scores');
    const records = new Map(listed.map((record) => [record.id, record]));
    for (const { items, details } of written) {
      const ids = details.map(({ logId }) => logId as number);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(ids.map((id) => records.get(id))).toMatchObject(items);
    }
    expect(records.size).toBe(written.flatMap(({ items }) => items).length);
  };
  await Promise.all([writeMany(large), writeMany(small)]);
});

const studentOf = (school: typeof large) => school.grades[0].classes[0].students[0].id;

async function batchesOf(ledger: ScoreLedger, batches: number[], writes: number): Promise<number[]> {
  batches.length = 0;
  await Promise.all(Array.from({ length: writes }, () => give(ledger, large, 100)));
  return batches;
}

const give = (
  ledger: ScoreLedger,
  school: typeof large,
  count: number,
  at = test.clock.now(),
  answer = (outcomes: readonly EntryOutcome[]) => outcomes.length,
) =>
  ledger.write({
    range: { schoolId: school.id, gradeId: null, classId: null },
    author: { tokenId: null, adminId: 1 },
    at,
    entries: Array.from({ length: count }, () => ({
      ...{ studentId: studentOf(school), username: null, externalId: null, cardNumber: null },
      ...{ change: 1, description: '', occurredAt: null, note: null, categoryId: null, fault: null },
    })),
    key: null,
    answer,
  });

it('a school gets large transactions while writing alone, and small ones beside another school', async () => {
  const batches: number[] = [];
  // The smaller limit applies for a second; the fixed clock keeps that second from passing.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const ledger = new ScoreLedger(test.database, undefined, (_, entries) => batches.push(entries));
  expect((await batchesOf(ledger, batches, 25))[0]).toBe(2_000);
  await give(ledger, small, 1);
  expect((await batchesOf(ledger, batches, 6))[0]).toBe(400);
});

it('a single point does not wait for a batch of the same school', async () => {
  const held = Promise.withResolvers<void>();
  const connections = [held.promise, undefined];
  const ledger = new ScoreLedger({
    acquire: async () => {
      await connections.shift();
      return test.database.acquire();
    },
  });
  const batch = give(ledger, large, 200);
  expect(await give(ledger, large, 1)).toBe(1);
  held.resolve();
  expect(await batch).toBe(200);
});

it('a write to a school that was deleted meanwhile finds no student', async () => {
  const deleted = { ...large, id: 999_999_999 };
  const countNotFound = (outcomes: readonly EntryOutcome[]) =>
    outcomes.filter(({ fault }) => fault?.kind === 'not_found').length;
  const ledger = new ScoreLedger(test.database);
  expect(await give(ledger, deleted, 2, test.clock.now(), countNotFound)).toBe(2);
});

it('a write that throws is tried once more, alone, and the other write of its transaction succeeds', async () => {
  const ledger = new ScoreLedger(test.database);
  const cause = new Error('The answer cannot be built');
  const answer = vi.fn(() => {
    throw cause;
  });
  const writes = [give(ledger, large, 1), give(ledger, large, 1, test.clock.now(), answer)];
  expect(await Promise.allSettled(writes)).toMatchObject([{ value: 1 }, { reason: { cause } }]);
  expect(answer).toHaveBeenCalledTimes(2);
});

it('a batch queued after a lost COMMIT runs on another connection', async () => {
  const proxy = await DatabaseProxy.start(test.databaseTarget);
  const connection = connectDatabase({ ...test.databaseTarget, ...proxy.address });
  const behind: Promise<unknown>[] = [];
  const ledger: ScoreLedger = new ScoreLedger(connection, undefined, () => {
    if (behind.length === 0) behind.push(give(ledger, large, 2), give(ledger, large, 3));
  });
  const overlap = proxy.silenceOverlap('after the commit');
  // Awaited at once: the write may fail before PostgreSQL reports the sessions as terminated.
  const isLost = expect(give(ledger, large, 1)).rejects.toBeInstanceOf(DatabaseLostError);
  await overlap;
  await test.database.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await isLost;
  expect(await Promise.all(behind)).toEqual([2, 3]);
  await connection.end();
  await proxy.close();
});

it('writes before and after the school’s midnight share a transaction, each on its own day', async () => {
  await chief.patch('/school-settings', { schoolDb: small.schoolDb, timeZone: 'Asia/Kathmandu' });
  const batches: number[] = [];
  const ledger = new ScoreLedger(test.database, undefined, (writes) => batches.push(writes));
  const moments = ['18:15:00.000', '18:14:59.999', '18:15:00.001'].map(
    (time) => new Date(`2026-09-10T${time}Z`),
  );
  await Promise.all(moments.map((at) => give(ledger, small, 1, at)));
  expect(batches).toEqual([3]);
  const days = await chief.get(`/stats/records?schoolDb=${small.schoolDb}&days=6`);
  expect(days.data).toMatchObject([{ count: 1 }, { count: 2 }, {}, {}, {}, {}]);
});
