import { type Kysely, sql } from 'kysely';

/** Moving a class, or deleting a class or grade, can change which credentials lie within their issuer's range. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TRIGGER announce AFTER DELETE OR UPDATE OF grade_id
      ON class FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();
    CREATE TRIGGER announce AFTER DELETE
      ON grade FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();
  `)
    .execute(db);
}
