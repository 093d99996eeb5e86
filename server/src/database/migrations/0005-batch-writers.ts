import { type Kysely, sql } from 'kysely';

/**
 * Of each process that writes batches behind its requests, the last batch that is stored. One row is written over
 * and over, so that room is left on its page.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE batch_writer (
      id uuid PRIMARY KEY,
      last_batch bigint NOT NULL,
      written_at timestamptz(3) NOT NULL DEFAULT now()
    ) WITH (fillfactor = 20)`.execute(db);
}
