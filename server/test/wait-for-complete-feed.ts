import { eventually } from './eventually.ts';
import type { TestApp } from './test-app.ts';

/** Waits until the feed contains every change, which an open transaction in any database of the server delays. */
export const waitForCompleteFeed = ({ database }: Pick<TestApp, 'database'>): Promise<unknown> =>
  eventually('the feed contains every change', async () => {
    const { rows } = await database.pool.query<{ complete: boolean }>(
      `SELECT coalesce(max(xid) < pg_snapshot_xmin(pg_current_snapshot()), true) AS complete FROM change`,
    );
    return rows[0]?.complete === true;
  });
