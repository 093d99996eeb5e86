import { describe, expect, it } from 'vitest';
import { inTurn } from './in-turn.ts';

/** Returns locks that are free, or held forever by a frozen page. */
const locksOf = (isFree: boolean) =>
  ({
    request: (_name: string, { signal }: LockOptions, work: () => Promise<void>) =>
      isFree
        ? work()
        : new Promise((_resolve, reject) =>
            signal?.addEventListener('abort', () => reject(signal.reason as Error)),
          ),
  }) as unknown as LockManager;

describe('what one page does at a time', () => {
  it.each([
    ['where the turn is free', locksOf(true)],
    ['where a suspended page keeps its turn for ever', locksOf(false)],
    ['where the browser knows no turns', undefined],
  ])('is done once, %s', async (_where, locks) => {
    let done = 0;
    await inTurn(locks, 'marks', async () => void done++, 1);
    expect(done).toBe(1);
  });

  it('tells that it has failed, and is not done again', async () => {
    let begun = 0;
    const failing = async () => {
      begun++;
      throw new Error('It has');
    };
    await expect(inTurn(locksOf(true), 'marks', failing, 1)).rejects.toThrow('It has');
    expect(begun).toBe(1);
  });
});
