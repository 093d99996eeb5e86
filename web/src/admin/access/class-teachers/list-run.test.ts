import type { AssignedTeachers } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { type Batch, ListRun } from './list-run.ts';
import type { PlannedTeacher } from './plan-teachers.ts';

const row = (line: number): PlannedTeacher => ({
  line,
  username: `u${line}`,
  actualName: `U ${line}`,
  classId: 1,
  classLabel: 'Grade 1 Class 1',
  fault: null,
  unknownClass: null,
  wide: { username: null, classLabel: null },
});
const batches: Batch[] = [
  { key: 'a', rows: [row(1), row(2)] },
  { key: 'b', rows: [row(3)] },
  { key: 'c', rows: [row(4)] },
];

type Detail = AssignedTeachers['details'][number];

/** Answers with an account for each row, except for the given usernames. */
const answer = ({ rows }: Batch, others: Readonly<Record<string, Partial<Detail>>> = {}) => ({
  details: rows.map(({ username }, index): Detail => {
    const entry = { index, username, id: null, code: 0, reason: null, fault: null, classBefore: null };
    const created = { action: 'created' as const, initialPassword: `p-${username}` };
    return { ...entry, success: true, action: null, ...(others[username] ?? created) };
  }),
});

describe('ListRun', () => {
  it('reports the outcome of every row', async () => {
    const taken = { success: false, code: 40901, reason: 'taken' };
    const others = { u2: taken, u3: { action: 'moved' }, u4: { action: 'unchanged' } } as const;
    const run = new ListRun(batches, async (batch) => answer(batch, others));
    const seen: number[] = [];
    run.progress.subscribe(() => seen.push(run.progress.get().done));
    await run.resume();
    const { created, refused, ...rest } = run.progress.get();
    expect(rest).toEqual({ state: 'finished', done: 4, total: 4, changed: 1, error: null, nextRows: 0 });
    expect(created).toMatchObject([{ username: 'u1', password: 'p-u1', passwordEndsAt: null }]);
    expect(refused).toMatchObject([{ row: row(2), answer: taken }]);
    expect(seen).toEqual([0, 2, 3, 4, 4]);
  });

  it('pauses at a failure, repeats the batch with its idempotency key, and can skip it', async () => {
    const keys: string[] = [];
    const broken = new Set(['a', 'c']);
    const run = new ListRun(batches, async (batch) => {
      keys.push(batch.key);
      if (broken.has(batch.key)) throw new Error('offline');
      return answer(batch);
    });
    await run.resume();
    const error = new Error('offline');
    expect(run.progress.get()).toMatchObject({ state: 'paused', done: 0, nextRows: 2, error });
    await run.skipBatch();
    expect(run.progress.get()).toMatchObject({ state: 'paused', done: 3, nextRows: 1, error });
    broken.clear();
    await run.resume();
    expect(keys).toEqual(['a', 'b', 'c', 'c']);
    const { created, refused, ...rest } = run.progress.get();
    expect(rest).toMatchObject({ state: 'finished', done: 4, error: null });
    expect(created.map(({ username }) => username)).toEqual(['u3', 'u4']);
    expect(refused).toEqual([1, 2].map((line) => ({ row: row(line), answer: null })));
  });
});
