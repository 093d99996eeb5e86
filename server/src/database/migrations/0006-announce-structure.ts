import { type Kysely, sql } from 'kysely';

/** A class that moves, or a class or grade that goes, changes how far a credential lies in its issuer's range. */
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
