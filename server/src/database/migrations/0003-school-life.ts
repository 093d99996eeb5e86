import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- A key belongs to whoever sent it: a credential or an administrator.
    ALTER TABLE idempotency_key ADD COLUMN owner text;
    UPDATE idempotency_key SET owner = 'token ' || token_id;
    ALTER TABLE idempotency_key DROP CONSTRAINT idempotency_key_pkey;
    ALTER TABLE idempotency_key DROP COLUMN token_id;
    ALTER TABLE idempotency_key ADD PRIMARY KEY (school_id, owner, key);

    CREATE TABLE student_session (
      school_id bigint NOT NULL,
      token_hash bytea NOT NULL,
      student_id bigint NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, token_hash),
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX student_session_by_student ON student_session (school_id, student_id);

    CREATE TABLE seat (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      class_id bigint NOT NULL,
      group_index integer NOT NULL CHECK (group_index BETWEEN 1 AND 20),
      row_index integer NOT NULL CHECK (row_index BETWEEN 1 AND 20),
      col_index integer NOT NULL CHECK (col_index BETWEEN 1 AND 20),
      student_id bigint,
      PRIMARY KEY (school_id, id),
      UNIQUE (school_id, class_id, group_index, row_index, col_index),
      UNIQUE (school_id, student_id),
      FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id) ON DELETE CASCADE,
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE SET NULL (student_id)
    );

    -- A closed term. It outlives its class as long as records belong to it.
    CREATE TABLE term (
      school_id bigint NOT NULL REFERENCES school (id),
      id bigint GENERATED ALWAYS AS IDENTITY,
      class_id bigint,
      class_name text NOT NULL,
      name text NOT NULL,
      action text NOT NULL CHECK (action IN ('reset', 'archive')),
      started_at timestamptz(3) NOT NULL,
      closed_at timestamptz(3) NOT NULL,
      closed_by_id bigint NOT NULL,
      closed_by_username text NOT NULL,
      student_count integer NOT NULL CHECK (student_count >= 0),
      record_count bigint NOT NULL CHECK (record_count >= 0),
      PRIMARY KEY (school_id, id),
      FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id) ON DELETE SET NULL (class_id)
    );
    CREATE INDEX term_by_class ON term (school_id, class_id, closed_at, id);

    CREATE TABLE term_standing (
      school_id bigint NOT NULL,
      term_id bigint NOT NULL,
      student_id bigint NOT NULL,
      username text NOT NULL,
      actual_name text NOT NULL,
      add_score bigint NOT NULL CHECK (add_score >= 0),
      deduct_score bigint NOT NULL CHECK (deduct_score <= 0),
      score_count bigint NOT NULL CHECK (score_count >= 0),
      PRIMARY KEY (school_id, term_id, student_id),
      FOREIGN KEY (school_id, term_id) REFERENCES term (school_id, id) ON DELETE CASCADE,
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX term_standing_by_student ON term_standing (school_id, student_id);

    ALTER TABLE score_record ADD FOREIGN KEY (school_id, term_id) REFERENCES term (school_id, id);
    -- What is not live is read rarely and apart; live records pay nothing for these.
    CREATE INDEX score_record_by_term ON score_record (school_id, term_id, created_at, id)
      WHERE term_id IS NOT NULL;
    CREATE INDEX score_record_revoked ON score_record (school_id, created_at, id) WHERE revoked_at IS NOT NULL;

    CREATE TABLE announcement (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      title text NOT NULL,
      content text NOT NULL,
      type text NOT NULL CHECK (type IN ('info', 'warning', 'success', 'error')),
      active boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    );

    CREATE TABLE application (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      school_name text NOT NULL,
      applicant_name text NOT NULL,
      contact_phone text NOT NULL,
      reason text NOT NULL,
      status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
      review_note text,
      reviewed_at timestamptz(3),
      reviewed_by_id bigint,
      reviewed_by_username text,
      created_at timestamptz(3) NOT NULL,
      CHECK ((status = 'pending') = (reviewed_at IS NULL))
    );
    CREATE INDEX application_by_status ON application (status, id);

    -- Kept as long as the audit log, and like it independent of what it names. school_id 0: of no school.
    CREATE TABLE activity (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      created_at timestamptz(3) NOT NULL,
      admin_id bigint NOT NULL,
      username text NOT NULL,
      action text NOT NULL,
      target_id bigint,
      target_name text,
      PRIMARY KEY (school_id, created_at, id)
    );
    CREATE INDEX activity_by_admin ON activity (school_id, admin_id, created_at, id);
  `)
    .execute(db);
}
