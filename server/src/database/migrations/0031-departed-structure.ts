import { type Kysely, sql } from 'kysely';

/** By which a roster finds the grades and classes that were deleted or left a range, among all that changes in a school. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX change_departed_structure ON change (school_id, created_at)
    WHERE type IN ('grade', 'class') AND keys IS NOT NULL`.execute(db);
}
