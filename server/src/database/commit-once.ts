import type pg from 'pg';
import { query } from './connect.ts';

/** Work that must be done exactly once, over as many attempts as it takes. */
export interface OnceWork {
  /** The transaction that was about to commit when its connection broke; null when nothing is in doubt. */
  doubtful: string | null;
}

/** Nothing that is written behind the scenes waits longer for somebody else's lock. */
const lockTimeoutMs = 1_000;

/**
 * Does work in one transaction. When an attempt breaks at its commit, the next one first asks the database what
 * became of it, so the work is never done twice.
 *
 * @throws whatever went wrong; the work may be attempted again
 */
export async function commitOnce(
  pool: pg.Pool,
  once: OnceWork,
  work: (client: pg.ClientBase) => Promise<unknown>,
): Promise<void> {
  if (once.doubtful !== null && (await wasCommitted(pool, once.doubtful))) return;
  once.doubtful = null;
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const { rows } = await client.query(
      `SELECT pg_current_xact_id()::text AS id, set_config('lock_timeout', '${lockTimeoutMs}', true)`,
    );
    await work(client);
    once.doubtful = rows[0].id;
    await client.query('COMMIT');
    once.doubtful = null;
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

async function wasCommitted(pool: pg.Pool, transaction: string): Promise<boolean> {
  const { rows } = await query<{ status: string | null }>(pool, 'SELECT pg_xact_status($1::xid8) AS status', [
    transaction,
  ]);
  const status = rows[0]?.status;
  if (status === 'in progress') throw new Error('The last attempt has not ended yet');
  return status !== 'aborted';
}
