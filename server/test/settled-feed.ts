import { eventually } from './eventually.ts';
import type { TestApp } from './test-app.ts';

/**
 * Waits until the feed tells of every change that there is. A transaction that is under way in any database of the server
 * keeps it from going on, for as long as it lasts: one of a test that runs beside, too.
 */
export const settledFeed = ({ database }: Pick<TestApp, 'database'>): Promise<unknown> =>
  eventually('the feed tells of everything', async () => {
    const { rows } = await database.pool.query<{ told: boolean }>(
      `SELECT coalesce(max(xid) < pg_snapshot_xmin(pg_current_snapshot()), true) AS told FROM change`,
    );
    return rows[0]?.told === true;
  });
