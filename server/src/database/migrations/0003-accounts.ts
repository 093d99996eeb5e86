import { type Kysely, sql } from 'kysely';

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
      password_is_initial boolean NOT NULL DEFAULT false,
      password_expires_at timestamptz(3),
      password_is_used boolean NOT NULL DEFAULT false,
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
      last_seen_at timestamptz(3) NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      -- The last sign-in or confirmation.
      confirmed_at timestamptz(3) NOT NULL,
      opened_with text NOT NULL DEFAULT 'password',
      -- On a device that several persons use.
      shared boolean NOT NULL DEFAULT false,
      ip text,
      user_agent text,
      asks_confirmations boolean NOT NULL DEFAULT true,
      confirmed_without_password_at timestamptz(3)
    );
    CREATE INDEX admin_session_by_admin ON admin_session (admin_id);

    CREATE TABLE student_session (
      school_id bigint NOT NULL,
      token_hash bytea NOT NULL,
      student_id bigint NOT NULL,
      created_at timestamptz(3) NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      last_seen_at timestamptz(3) NOT NULL,
      opened_with text NOT NULL DEFAULT 'password',
      shared boolean NOT NULL DEFAULT false,
      ip text,
      user_agent text,
      PRIMARY KEY (school_id, token_hash),
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX student_session_by_student ON student_session (school_id, student_id);
    -- Housekeeping finds expired rows; shared sessions expire earlier.
    CREATE INDEX student_session_by_time ON student_session (school_id, created_at);
    CREATE INDEX student_session_shared ON student_session (school_id, created_at) WHERE shared;

    -- The activity log. It has no foreign keys, because it outlives its targets. school_id 0 means no school.
    CREATE TABLE activity (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      created_at timestamptz(3) NOT NULL,
      admin_id bigint NOT NULL,
      username text NOT NULL,
      action text NOT NULL,
      target_id bigint,
      target_name text,
      ip text,
      user_agent text,
      PRIMARY KEY (school_id, created_at, id)
    ) PARTITION BY RANGE (created_at);
    CREATE TABLE activity_default PARTITION OF activity DEFAULT;
    CREATE INDEX activity_by_admin ON activity (school_id, admin_id, created_at, id);
    -- Super administrators read the actions in all schools, newest first.
    CREATE INDEX activity_by_time ON activity (created_at, id);
    CREATE TRIGGER keep_from_ctid BEFORE DELETE ON activity FOR EACH ROW
      WHEN (position('ctid' IN lower(current_query())) > 0) EXECUTE FUNCTION keep_row();
    SELECT make_day('activity', (now() AT TIME ZONE 'UTC')::date + ahead) FROM generate_series(0, 2) AS ahead;

    -- Events of the accounts of students. Those of administrators are in the activity log.
    CREATE TABLE student_event (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      created_at timestamptz(3) NOT NULL,
      student_id bigint NOT NULL,
      kind text NOT NULL,
      ip text,
      user_agent text,
      PRIMARY KEY (school_id, created_at, id),
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX student_event_by_student ON student_event (school_id, student_id, created_at, id);

    -- Failed and pending attempts (access/counters.ts). Only this installation can compute the hashes.
    CREATE TABLE counted_event (
      counter bytea NOT NULL,
      event bytea NOT NULL,
      -- The attempt is still running and may fail.
      undecided boolean NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (counter, event)
    ) WITH (fillfactor = 80);
    CREATE INDEX counted_event_expiry ON counted_event (expires_at);
  `)
    .execute(db);
}
