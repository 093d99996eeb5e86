import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { CounterQueues } from './counter-queues.ts';

const lockTimeout = () => Object.assign(new pg.DatabaseError('held', 4, 'error'), { code: '55P03' });

/** Simulates attempts at a locked counter; each waits until the test makes its lock time out. */
function attempts() {
  const tries: { readonly timeOut: () => void }[] = [];
  const work = () =>
    new Promise<never>((_, reject) => {
      tries.push({ timeOut: () => reject(lockTimeout()) });
    });
  return { tries, work };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('Counter queues at a locked counter', () => {
  it('admits other counters of the same address without delay', async () => {
    const queues = new CounterQueues(3);
    const { tries, work } = attempts();
    for (let n = 0; n < 20; n++) queues.runQueued(['held', 'address'], work).catch(() => {});
    await settled();
    const done: number[] = [];
    for (let n = 0; n < 5; n++)
      void queues.runQueued([`name ${n}`, 'address'], async () => void done.push(n));
    await settled();
    expect(tries).toHaveLength(1);
    tries[0]?.timeOut();
    await settled();
    // None of the nineteen waiting callers is ahead of them.
    expect(done).toEqual([0, 1, 2, 3, 4]);
    expect(tries).toHaveLength(2);
  });

  it('takes one connection of three for the retries of ten locked counters', async () => {
    const queues = new CounterQueues(3);
    const { tries, work } = attempts();
    for (let n = 0; n < 10; n++) queues.runQueued([`held ${n}`], work).catch(() => {});
    await settled();
    expect(tries).toHaveLength(3);
    for (let n = 0; n < 10; n++) {
      tries[n]?.timeOut();
      await settled();
    }
    // Ten first tries and one retry.
    expect(tries).toHaveLength(11);
    let running = 0;
    const most: number[] = [];
    const good = (n: number) =>
      queues.runQueued([`name ${n}`], async () => {
        most.push(++running);
        await settled();
        running--;
      });
    await Promise.all(Array.from({ length: 6 }, (_, n) => good(n)));
    expect(Math.max(...most)).toBe(2);
    tries[10]?.timeOut();
    await settled();
    expect(tries).toHaveLength(12);
  });

  it('retries for every waiting caller until the counter is free', async () => {
    const queues = new CounterQueues(3);
    let isFree = false;
    let tried = 0;
    const work = async () => {
      if (++tried === 7) isFree = true;
      if (!isFree) throw lockTimeout();
      return 'counted';
    };
    const all = Array.from({ length: 4 }, () => queues.runQueued(['held', 'address'], work));
    expect(await Promise.all(all)).toEqual(Array(4).fill('counted'));
    await expect(queues.runQueued(['held'], () => Promise.reject(new Error('other')))).rejects.toThrow(
      'other',
    );
  });
});
