import { type Kysely, sql } from 'kysely';

/**
 * Notices name the credential, the issuer or the school, so that processes keep other cached credentials. The triggers
 * cover manual changes and the previous version. They run per row, because a trigger with a column list cannot see all
 * rows of a statement.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    DROP TRIGGER announce ON api_token;
    DROP TRIGGER announce ON admin;
    DROP TRIGGER announce ON school;
    DROP TRIGGER announce ON class;
    DROP TRIGGER announce ON grade;
    -- Arguments: what is named, and the column with its id.
    CREATE OR REPLACE FUNCTION announce_access_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('classledger_access', TG_ARGV[0] || ' ' || (to_jsonb(OLD) ->> TG_ARGV[1]));
      RETURN NULL;
    END $$;
    CREATE TRIGGER announce AFTER DELETE OR UPDATE OF name, scopes, expires_at, disabled, revoked_at
      ON api_token FOR EACH ROW EXECUTE FUNCTION announce_access_change('credential', 'id');
    CREATE TRIGGER announce AFTER DELETE OR UPDATE OF role, school_id, grade_id, class_id, disabled
      ON admin FOR EACH ROW EXECUTE FUNCTION announce_access_change('issuer', 'id');
    CREATE TRIGGER announce AFTER DELETE OR UPDATE OF name, disabled
      ON school FOR EACH ROW EXECUTE FUNCTION announce_access_change('school', 'id');
    CREATE TRIGGER announce AFTER DELETE OR UPDATE OF grade_id
      ON class FOR EACH ROW EXECUTE FUNCTION announce_access_change('school', 'school_id');
    CREATE TRIGGER announce AFTER DELETE
      ON grade FOR EACH ROW EXECUTE FUNCTION announce_access_change('school', 'school_id');
  `)
    .execute(db);
}
