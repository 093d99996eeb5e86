import type { BulkAccounts } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { ListRow } from '../../lists/PlannedRows.tsx';
import { type Batch, ListRun } from './list-run.ts';

const row = (line: number): ListRow => ({
  line,
  username: `u${line}`,
  actualName: `U ${line}`,
  classLabel: 'Grade 1 Class 1',
  wide: { username: null, classLabel: null },
});
const batches: Batch[] = [
  { key: 'a', rows: [row(1), row(2)] },
  { key: 'b', rows: [row(3)] },
  { key: 'c', rows: [row(4)] },
];
const answer = ({ rows }: Batch, refused = ''): BulkAccounts => ({
  ...{ successCount: 0, failedCount: 0, totalCount: rows.length },
  details: rows.map(({ username }, index) => {
    const entry = { index, username, id: null };
    return refused === username
      ? { ...entry, success: false, code: 40901, reason: 'taken' }
      : { ...entry, success: true, code: 0, reason: null, initialPassword: `p-${username}` };
  }),
});

describe('ListRun', () => {
  it('reports the outcome of every row', async () => {
    const run = new ListRun(batches, async (batch) => answer(batch, 'u2'));
    const seen: number[] = [];
    run.subscribe(() => seen.push(run.get().done));
    await run.resume();
    const { state, done, total, created, refused } = run.get();
    expect({ state, done, total }).toEqual({ state: 'finished', done: 4, total: 4 });
    const passwords = created.map((one) => `${one.row.username}: ${one.password}`);
    expect(passwords).toEqual(['u1: p-u1', 'u3: p-u3', 'u4: p-u4']);
    expect(refused).toEqual([{ row: row(2), refusal: { code: 40901, reason: 'taken' } }]);
    expect(seen).toEqual([0, 2, 3, 4, 4]);
  });

  it('pauses at a failure and repeats the batch with its idempotency key', async () => {
    const keys: string[] = [];
    let broken = true;
    const run = new ListRun(batches, async (batch) => {
      keys.push(batch.key);
      if (batch.key === 'b' && broken) throw new Error('offline');
      return answer(batch);
    });
    await run.resume();
    expect(run.get()).toMatchObject({ state: 'paused', done: 2, nextRows: 1, error: new Error('offline') });
    broken = false;
    await run.resume();
    expect(run.get()).toMatchObject({ state: 'finished', done: 4, error: null });
    expect(keys).toEqual(['a', 'b', 'b', 'c']);
  });

  it('can skip a failing batch', async () => {
    const run = new ListRun(batches, async (batch) => {
      if (batch.key === 'a') throw new Error('refused');
      return answer(batch);
    });
    await run.resume();
    await run.skipBatch();
    const { state, created, refused } = run.get();
    expect(state).toBe('finished');
    expect(created).toHaveLength(2);
    expect(refused.map((one) => one.refusal)).toEqual(['left out', 'left out']);
  });

  it('pauses between two batches on request', async () => {
    const run = new ListRun(batches, async (batch) => {
      if (batch.key === 'b') run.pause();
      return answer(batch);
    });
    await run.resume();
    expect(run.get()).toMatchObject({ state: 'paused', done: 3, error: null });
    await run.resume();
    expect(run.get()).toMatchObject({ state: 'finished', done: 4 });
  });

  it('counts changed people, but not unchanged people', async () => {
    const all = [
      { key: 'a', rows: [row(1)], action: 'updated' },
      { key: 'b', rows: [row(2)], action: 'unchanged' },
    ] as const;
    const run = new ListRun<Batch>(all, async ({ key }) => {
      const action = all.find((one) => one.key === key)?.action ?? null;
      return { details: [{ index: 0, success: true, code: 0, reason: null, action }] };
    });
    await run.resume();
    expect(run.get()).toMatchObject({ done: 2, created: [], changed: 1, refused: [] });
  });
});
