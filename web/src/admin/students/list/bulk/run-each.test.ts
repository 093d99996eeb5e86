import { describe, expect, it } from 'vitest';
import { runEach, StoppedByUser } from './run-each.ts';

describe('runEach', () => {
  const quiet = { parallelMax: 3, onProgress: () => {}, isStopped: () => false };

  it('keeps the order of items, and a failed item does not stop the others', async () => {
    const outcomes = await runEach(
      [1, 2, 3, 4],
      async (n) => {
        await new Promise((resolve) => setTimeout(resolve, 8 - n));
        if (n === 3) throw new Error('three');
        return n * 10;
      },
      quiet,
    );
    expect(outcomes).toEqual([
      { item: 1, done: 10 },
      { item: 2, done: 20 },
      { item: 3, error: new Error('three') },
      { item: 4, done: 40 },
    ]);
  });

  it('works on three at a time and reports progress', async () => {
    let working = 0;
    let most = 0;
    const reported: number[] = [];
    await runEach(
      Array.from({ length: 10 }),
      async () => {
        working += 1;
        most = Math.max(most, working);
        await Promise.resolve();
        working -= 1;
      },
      { ...quiet, onProgress: (finished) => reported.push(finished) },
    );
    expect(most).toBe(3);
    expect(reported).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('skips the remaining items when stopped', async () => {
    let stopped = false;
    const outcomes = await runEach(
      [1, 2, 3],
      async (n) => {
        if (n === 2) stopped = true;
      },
      { ...quiet, parallelMax: 1, isStopped: () => stopped },
    );
    expect(outcomes.map(({ error }) => error instanceof StoppedByUser)).toEqual([false, false, true]);
  });
});
