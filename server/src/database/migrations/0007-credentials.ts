import { type Kysely, sql } from 'kysely';

/** Credentials and audit records have no foreign keys, because they remain after their school is deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`SELECT quote_ident(current_schema()) AS schema`.execute(db);
  const { schema } = rows[0] as (typeof rows)[0];
  await sql
    .raw(`
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

    -- Unlogged, because rows are useless after a minute, and writes then do not wait for the disk.
    CREATE UNLOGGED TABLE rate_limit_window (
      token_id bigint PRIMARY KEY,
      total_started_at timestamptz NOT NULL,
      total_granted integer NOT NULL,
      -- The number of processes with a share of this window.
      total_holders integer NOT NULL,
      -- The share that the last statement took.
      total_part integer NOT NULL,
      write_started_at timestamptz NOT NULL,
      write_granted integer NOT NULL,
      write_holders integer NOT NULL,
      write_part integer NOT NULL
    ) WITH (fillfactor = 50);

    -- An answered request of a credential or an administrator. It commits with the effect of the request.
    CREATE TABLE idempotency_key (
      school_id bigint NOT NULL,
      key text NOT NULL,
      endpoint text NOT NULL,
      request_id uuid NOT NULL,
      answer bytea NOT NULL,
      created_at timestamptz(3) NOT NULL,
      -- Such as 'token 7' or 'admin 7'.
      owner text NOT NULL,
      PRIMARY KEY (school_id, owner, key, created_at)
    ) PARTITION BY RANGE (created_at);
    CREATE TABLE idempotency_key_default PARTITION OF idempotency_key DEFAULT;
    CREATE TRIGGER keep_from_ctid BEFORE DELETE ON idempotency_key FOR EACH ROW
      WHEN (position('ctid' IN lower(current_query())) > 0) EXECUTE FUNCTION keep_row();

    -- No index spans the days, so a trigger keeps keys unique. Statements that check it themselves say so in a comment.
    -- make_day runs the trigger too, and its search path omits the schema.
    CREATE FUNCTION refuse_stored_key() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF EXISTS (SELECT FROM ${schema}.idempotency_key k
          WHERE k.school_id = NEW.school_id AND k.owner = NEW.owner AND k.key = NEW.key) THEN
        RAISE unique_violation USING MESSAGE = 'the key is stored already', CONSTRAINT = 'idempotency_key_pkey';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse_stored BEFORE INSERT ON idempotency_key FOR EACH ROW
      WHEN (position('/* not stored yet */' IN current_query()) = 0) EXECUTE FUNCTION refuse_stored_key();
    SELECT make_day('idempotency_key', (now() AT TIME ZONE 'UTC')::date + ahead) FROM generate_series(0, 2) AS ahead;

    -- The API call log. school_id 0 means a call without a known credential.
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
    ) PARTITION BY RANGE (created_at);
    CREATE TABLE audit_record_default PARTITION OF audit_record DEFAULT;
    CREATE INDEX audit_record_by_token ON audit_record (school_id, token_id, created_at, id);
    -- Super administrators read the calls of all schools, newest first.
    CREATE INDEX audit_record_by_time ON audit_record (created_at, id);
    CREATE TRIGGER keep_from_ctid BEFORE DELETE ON audit_record FOR EACH ROW
      WHEN (position('ctid' IN lower(current_query())) > 0) EXECUTE FUNCTION keep_row();
    SELECT make_day('audit_record', (now() AT TIME ZONE 'UTC')::date + ahead) FROM generate_series(0, 2) AS ahead;

    -- The last stored batch of each BatchWriter. Updates of the same row need free space on its page.
    CREATE TABLE batch_writer (
      id uuid PRIMARY KEY,
      last_batch bigint NOT NULL,
      written_at timestamptz(3) NOT NULL DEFAULT now()
    ) WITH (fillfactor = 20);

    -- Processes cache credentials. The product announces its own changes (access/access-changes.ts), and the triggers
    -- announce manual ones. They run per row, because a trigger with a column list cannot see all rows of a statement.
    -- Arguments: the kind of record in the notice, and the column with its id.
    CREATE FUNCTION announce_access_change() RETURNS trigger LANGUAGE plpgsql AS $$
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
    -- A moved class, or a deleted class or grade, may leave the range of an issuer.
    CREATE TRIGGER announce AFTER DELETE OR UPDATE OF grade_id
      ON class FOR EACH ROW EXECUTE FUNCTION announce_access_change('school', 'school_id');
    CREATE TRIGGER announce AFTER DELETE
      ON grade FOR EACH ROW EXECUTE FUNCTION announce_access_change('school', 'school_id');
  `)
    .execute(db);
}
