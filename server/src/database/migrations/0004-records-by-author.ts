import { type Kysely, sql } from 'kysely';

/** Lists and counts the records of one administrator by index; records of credentials do not use it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX score_record_by_admin ON score_record (school_id, admin_id, created_at, id)
    WHERE live AND admin_id IS NOT NULL`.execute(db);
}
