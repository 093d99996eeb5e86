import { type Kysely, sql } from 'kysely';

/** Events of access counters (access/counters.ts). Names are hashes that only this installation can compute. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE counted_event (
      counter bytea NOT NULL,
      event bytea NOT NULL,
      -- Of an attempt: nobody knows yet whether it fails.
      undecided boolean NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (counter, event)
    ) WITH (fillfactor = 80);
    CREATE INDEX counted_event_expiry ON counted_event (expires_at);
  `)
    .execute(db);
}
