import { type Kysely, sql } from 'kysely';

/** Unlogged, because the rows are worthless after a minute, and writes then do not wait for the disk. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE UNLOGGED TABLE rate_limit_window (
      token_id bigint PRIMARY KEY,
      total_started_at timestamptz NOT NULL,
      total_granted integer NOT NULL,
      -- Processes that have a part of this window.
      total_holders integer NOT NULL,
      -- What the last statement took.
      total_part integer NOT NULL,
      write_started_at timestamptz NOT NULL,
      write_granted integer NOT NULL,
      write_holders integer NOT NULL,
      write_part integer NOT NULL
    ) WITH (fillfactor = 50);
  `)
    .execute(db);
}
