import type { FairQueueRules } from '../concurrency/fair-queue.ts';
import { databaseBusy } from './transient-errors.ts';

/** How many callers of one school wait for a pool, and how long. */
export const poolQueueLimits = { waitingPerKey: 1_000, waitMs: 10_000, refusal: databaseBusy };

/** Returns pool sizes that keep two cores of a database busy; more connections would queue inside PostgreSQL. */
export function poolSizes(processCount: number) {
  const main = Math.max(4, Math.ceil(10 / processCount));
  const slow = Math.max(2, Math.ceil(3 / processCount));
  const reserved = processCount === 1 ? 2 : 1;
  return {
    // The keys are schools.
    main: {
      concurrency: main,
      reservedForUrgent: reserved,
      perKey: main - 2 * reserved,
      ...poolQueueLimits,
    } satisfies FairQueueRules,
    // Leaves connections for requests that do not need a locked row.
    blockedWritesMax: Math.max(1, Math.min(3, main - 3)),
    // Each connection serves many reads at the same time.
    shared: processCount === 1 ? 2 : 1,
    slow: { concurrency: slow, perKey: slow - 1, ...poolQueueLimits } satisfies FairQueueRules,
    // The audit log and the use counts each write one batch at a time.
    background: processCount === 1 ? 2 : 1,
    heartbeats: 1,
  };
}

/** Returns how many connections a process can open, including its LISTEN connection. */
export function connectionsPerProcess(processCount: number): number {
  const { main, shared, slow, background, heartbeats } = poolSizes(processCount);
  return main.concurrency + shared + slow.concurrency + background + heartbeats + 1;
}
