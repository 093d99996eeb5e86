import { setTimeout as pause } from 'node:timers/promises';
import type { TestApp } from './test-app.ts';

/**
 * Waits until a condition holds; fails with its name after a bound that only a hang reaches.
 * Checks less often with time, because a check may cost what the awaited process needs.
 */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 120_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let waitMs = 5; !(await condition()); waitMs = Math.min(waitMs + 1, 50)) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await pause(waitMs);
  }
}

/** Waits until the feed contains every change, which an open transaction in any database of the server delays. */
export const waitForCompleteFeed = ({ database }: Pick<TestApp, 'database'>): Promise<unknown> =>
  eventually('the feed contains every change', async () => {
    const { rows } = await database.pool.query<{ complete: boolean }>(
      `SELECT coalesce(max(xid) < pg_snapshot_xmin(pg_current_snapshot()), true) AS complete FROM change`,
    );
    return rows[0]?.complete === true;
  });
