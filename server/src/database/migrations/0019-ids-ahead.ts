import { type Kysely, sql } from 'kysely';

/**
 * The ledger draws the ids of records before it writes them. Writing asks for no right on the sequence of an identity, drawing
 * does, and roles that others have given rights on tables alone go on working.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`GRANT USAGE ON SEQUENCE score_record_id_seq TO PUBLIC`.execute(db);
}
