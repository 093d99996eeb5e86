import { type Kysely, sql } from 'kysely';

/**
 * Credentials and audit records have no foreign keys: they outlive the school, class and administrator that they name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE admin (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      username text NOT NULL UNIQUE,
      password_hash text NOT NULL,
      role text NOT NULL CHECK (role IN ('super_admin', 'school_admin', 'grade_admin', 'class_admin')),
      school_id bigint REFERENCES school (id) ON DELETE CASCADE,
      grade_id bigint,
      class_id bigint,
      disabled boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL,
      FOREIGN KEY (school_id, grade_id) REFERENCES grade (school_id, id) ON DELETE SET NULL (grade_id),
      FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id) ON DELETE SET NULL (class_id),
      CHECK ((role = 'super_admin') = (school_id IS NULL))
    );
    CREATE INDEX admin_by_school ON admin (school_id, grade_id, class_id);
    CREATE INDEX admin_by_class ON admin (school_id, class_id);

    CREATE TABLE admin_session (
      token_hash bytea PRIMARY KEY,
      admin_id bigint NOT NULL REFERENCES admin (id) ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL,
      last_seen_at timestamptz(3) NOT NULL
    );
    CREATE INDEX admin_session_by_admin ON admin_session (admin_id);

    CREATE TABLE api_token (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      school_id bigint NOT NULL,
      name text NOT NULL,
      token_hash bytea NOT NULL UNIQUE,
      prefix text NOT NULL,
      scope_type text NOT NULL CHECK (scope_type IN ('school', 'grade', 'class')),
      scope_grade_id bigint,
      scope_class_id bigint,
      scopes text[] NOT NULL,
      expires_at timestamptz(3),
      disabled boolean NOT NULL DEFAULT false,
      revoked_at timestamptz(3),
      call_count bigint NOT NULL DEFAULT 0,
      last_used_at timestamptz(3),
      last_used_ip text,
      created_at timestamptz(3) NOT NULL,
      issuer_id bigint NOT NULL,
      issuer_username text NOT NULL,
      CHECK ((scope_type = 'grade') = (scope_grade_id IS NOT NULL)),
      CHECK ((scope_type = 'class') = (scope_class_id IS NOT NULL))
    ) WITH (fillfactor = 70);
    CREATE INDEX api_token_by_school ON api_token (school_id, id);

    CREATE TABLE audit_record (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      created_at timestamptz(3) NOT NULL,
      token_id bigint,
      status_code integer NOT NULL,
      latency_ms real NOT NULL,
      request_id uuid NOT NULL,
      token_prefix text,
      method text NOT NULL,
      path text NOT NULL,
      ip text NOT NULL,
      user_agent text,
      error_message text,
      PRIMARY KEY (school_id, created_at, id)
    );
    CREATE INDEX audit_record_by_token ON audit_record (school_id, token_id, created_at, id);

    -- Processes keep authenticated credentials in memory; whatever decides about one tells all of them.
    CREATE FUNCTION announce_access_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('classledger_access', '');
      RETURN NULL;
    END $$;
    CREATE TRIGGER announce AFTER DELETE OR UPDATE OF name, scopes, expires_at, disabled, revoked_at
      ON api_token FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();
    CREATE TRIGGER announce AFTER DELETE OR UPDATE OF role, school_id, grade_id, class_id, disabled
      ON admin FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();
    CREATE TRIGGER announce AFTER DELETE OR UPDATE OF name, disabled
      ON school FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();
  `)
    .execute(db);
}
