import type { SemaphoreLimits } from './fair-semaphore.ts';

const waiting = { waitingPerSchoolMax: 1_000, waitMs: 10_000 };

/** Returns pool sizes that keep two cores of a database busy; more connections would queue inside PostgreSQL. */
export function poolSizes(processCount: number) {
  const main = Math.max(4, Math.ceil(10 / processCount));
  const slow = Math.max(2, Math.ceil(3 / processCount));
  const reserved = processCount === 1 ? 2 : 1;
  return {
    main: { slots: main, reserved, perSchoolMax: main - 2 * reserved, ...waiting } satisfies SemaphoreLimits,
    // The other connections serve requests that do not need a locked row.
    blockedWritesMax: Math.max(1, Math.min(3, main - 3)),
    // Each connection serves many reads at the same time.
    shared: processCount === 1 ? 2 : 1,
    slow: { slots: slow, reserved: 0, perSchoolMax: slow - 1, ...waiting } satisfies SemaphoreLimits,
    // The audit log and the use counts each write one batch at a time.
    background: processCount === 1 ? 2 : 1,
    heartbeats: 1,
  };
}

/** Returns how many connections a process may open, including its LISTEN connection. */
export function connectionsPerProcess(processCount: number): number {
  const { main, shared, slow, background, heartbeats } = poolSizes(processCount);
  return main.slots + shared + slow.slots + background + heartbeats + 1;
}
