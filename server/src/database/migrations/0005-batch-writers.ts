import { type Kysely, sql } from 'kysely';

/** The last stored batch of each `BatchWriter`. Updates of the same row need free space on its page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE batch_writer (
      id uuid PRIMARY KEY,
      last_batch bigint NOT NULL,
      written_at timestamptz(3) NOT NULL DEFAULT now()
    ) WITH (fillfactor = 20)`.execute(db);
}
