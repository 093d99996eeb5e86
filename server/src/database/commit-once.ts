import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { acquire, query } from './connect.ts';

/** Work that must be done exactly once, over as many attempts as it takes. */
export interface OnceWork {
  /** Its place among the batches of its writer, from the first attempt on; null before. */
  number: number | null;
}

/** Work that no one has begun. */
export const notBegun = (): OnceWork => ({ number: null });

/** Nothing that is written behind the scenes waits longer for someone else's lock. */
const lockTimeoutMs = 1_000;
/** An attempt whose connection fell silent lets go of the writer's row by then, so that the next one can tell. */
const abandonedMs = 10_000;
const setTimeouts = `SET LOCAL lock_timeout = ${lockTimeoutMs};
  SET LOCAL idle_in_transaction_session_timeout = ${abandonedMs}`;

/** No row, and nothing done, where this or a later batch of the writer is stored already. */
const claimBatch = `
  INSERT INTO batch_writer AS writer (id, last_batch) VALUES ($1, $2)
  ON CONFLICT (id) DO UPDATE SET last_batch = excluded.last_batch, written_at = excluded.written_at
    WHERE writer.last_batch < excluded.last_batch
  RETURNING last_batch`;

/**
 * Writes batches one after another, each in one transaction and each once. The number of the last one is written
 * with it, so that after an attempt that broke at its commit the rows themselves tell what became of it: also after
 * a crash of the database or on another server, where numbers of transactions mean something else.
 */
export class BatchWriter {
  readonly #pool: pg.Pool;
  readonly #id = randomUUID();
  #lastNumber = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Does work in one transaction, unless an earlier attempt did. No other batch of this writer may be begun before
   * this one is done, or is known not to be.
   *
   * @throws whatever went wrong; the work may be attempted again
   */
  async commit(once: OnceWork, work: (client: pg.ClientBase) => Promise<unknown>): Promise<void> {
    once.number ??= ++this.#lastNumber;
    const client = await acquire(this.#pool);
    let broken: Error | undefined;
    try {
      // An attempt whose end the database has not noticed yet holds the writer's row: it is waited for.
      const [, , claimed] = await Promise.all([
        query(client, 'BEGIN'),
        query(client, setTimeouts),
        query(client, claimBatch, [this.#id, once.number]),
      ]);
      // From here on it is certain that no earlier attempt has been or will be carried out.
      if (claimed.rowCount === 0) {
        await query(client, 'ROLLBACK');
        return;
      }
      await work(client);
      await query(client, 'COMMIT');
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
