import { type Kysely, sql } from 'kysely';

/** Finds deleted grades and classes, and those that left a range, among a school's changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX change_departed_structure ON change (school_id, created_at)
    WHERE type IN ('grade', 'class') AND keys IS NOT NULL`.execute(db);
}
