import { type Kysely, sql } from 'kysely';

/** Existing schools keep days in UTC, which the previous release uses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE school ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC'`.execute(db);
}
