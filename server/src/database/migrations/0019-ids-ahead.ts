import { type Kysely, sql } from 'kysely';

/** The ledger draws record ids before it writes. Unlike an insert, drawing needs a right on the sequence. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`GRANT USAGE ON SEQUENCE score_record_id_seq TO PUBLIC`.execute(db);
}
