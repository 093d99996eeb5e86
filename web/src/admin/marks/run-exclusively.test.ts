import { describe, expect, it } from 'vitest';
import { runExclusively } from './run-exclusively.ts';

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

describe('inTurn', () => {
  it.each([
    ['when the lock is free', locksOf(true)],
    ['when a suspended page keeps the lock forever', locksOf(false)],
    ['when the browser has no Web Locks', undefined],
  ])('runs the work once, %s', async (_where, locks) => {
    let done = 0;
    await runExclusively(locks, 'marks', async () => void done++, 1);
    expect(done).toBe(1);
  });

  it('passes on a failure and does not run the work again', async () => {
    let begun = 0;
    const failing = async () => {
      begun++;
      throw new Error('It has');
    };
    await expect(runExclusively(locksOf(true), 'marks', failing, 1)).rejects.toThrow('It has');
    expect(begun).toBe(1);
  });
});
