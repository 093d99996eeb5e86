import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { acquire, query, useConnection } from './connect.ts';

export interface NumberedBatch {
  /** Set at the first attempt and kept for retries; null before. */
  number: number | null;
}

export const unnumberedBatch = (): NumberedBatch => ({ number: null });

const lockTimeoutMs = 1_000;
/** After this time the server ends an idle session, which releases the writer's row for the next attempt. */
const idleSessionTimeoutMs = 10_000;
const setTimeouts = `SET LOCAL lock_timeout = ${lockTimeoutMs};
  SET LOCAL idle_in_transaction_session_timeout = ${idleSessionTimeoutMs}`;

/** Returns no row when this or a newer batch of the writer is already stored. */
const claimBatch = `
  INSERT INTO batch_writer AS writer (id, last_batch) VALUES ($1, $2)
  ON CONFLICT (id) DO UPDATE SET last_batch = excluded.last_batch, written_at = excluded.written_at
    WHERE writer.last_batch < excluded.last_batch
  RETURNING last_batch`;

/** Writes batches exactly once. The stored number proves the commit; transaction ids may repeat after a failover. */
export class BatchWriter {
  readonly #pool: pg.Pool;
  readonly #id = randomUUID();
  #lastNumber = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Runs work in a transaction, unless an earlier attempt committed it. Finish each batch before the next one. */
  async commit(batch: NumberedBatch, work: (client: pg.ClientBase) => Promise<unknown>): Promise<void> {
    batch.number ??= ++this.#lastNumber;
    await useConnection(await acquire(this.#pool), async (client) => {
      // If an earlier attempt still holds the writer's row, the claim waits until the session of that attempt ends.
      const [, , claimed] = await Promise.all([
        query(client, 'BEGIN'),
        query(client, setTimeouts),
        query(client, claimBatch, [this.#id, batch.number]),
      ]);
      // This transaction holds the row, so no earlier attempt can commit any more.
      if (claimed.rowCount === 0) {
        await query(client, 'ROLLBACK');
        return;
      }
      await work(client);
      await query(client, 'COMMIT');
    });
  }
}
