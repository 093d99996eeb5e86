import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE admin
      ADD COLUMN password_is_initial boolean NOT NULL DEFAULT false,
      ADD COLUMN password_expires_at timestamptz(3);
    ALTER TABLE student
      ADD COLUMN password_is_initial boolean NOT NULL DEFAULT false,
      -- Given to several students at once.
      ADD COLUMN password_is_shared boolean NOT NULL DEFAULT false,
      ADD COLUMN password_expires_at timestamptz(3);

    ALTER TABLE admin_session
      ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      ADD COLUMN confirmed_at timestamptz(3),
      ADD COLUMN opened_with text NOT NULL DEFAULT 'password',
      ADD COLUMN shared boolean NOT NULL DEFAULT false,
      ADD COLUMN ip text,
      ADD COLUMN user_agent text;
    UPDATE admin_session SET confirmed_at = created_at;
    ALTER TABLE admin_session ALTER COLUMN confirmed_at SET NOT NULL;

    ALTER TABLE student_session
      ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY,
      ADD COLUMN last_seen_at timestamptz(3),
      ADD COLUMN opened_with text NOT NULL DEFAULT 'password',
      ADD COLUMN shared boolean NOT NULL DEFAULT false,
      ADD COLUMN ip text,
      ADD COLUMN user_agent text;
    UPDATE student_session SET last_seen_at = created_at;
    ALTER TABLE student_session ALTER COLUMN last_seen_at SET NOT NULL;

    -- Where a change was made from.
    ALTER TABLE activity ADD COLUMN ip text, ADD COLUMN user_agent text;
    -- Lines about a seat are about the student from now on; those of before have the id of the seat and a name alone.
    UPDATE activity SET target_id = NULL, target_name = NULL WHERE action = 'updateSeat';

    -- What happened to the account of a student; administrators have theirs in the activity log.
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
  `)
    .execute(db);
}
