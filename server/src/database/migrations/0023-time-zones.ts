import { type Kysely, sql } from 'kysely';

/**
 * The time zone of a school, whose days are those of its statistics. Schools that are there keep the days that they have:
 * those of UTC, in which the release before goes on writing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE school ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC'`.execute(db);
}
