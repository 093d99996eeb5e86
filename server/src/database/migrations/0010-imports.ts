import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE import_run (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      -- The file name; null means that the list was pasted.
      name text,
      source text NOT NULL CHECK (source IN ('list', 'roster')),
      admin_id bigint NOT NULL,
      username text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      -- The number of requests that had an effect.
      parts integer NOT NULL DEFAULT 0,
      created_count integer NOT NULL DEFAULT 0,
      changed_count integer NOT NULL DEFAULT 0,
      missing_count integer NOT NULL DEFAULT 0,
      -- Once an undo has begun, nothing is added.
      undo_begun_at timestamptz(3),
      undone_at timestamptz(3),
      undone_by text,
      restored_count integer NOT NULL DEFAULT 0,
      kept_count integer NOT NULL DEFAULT 0,
      PRIMARY KEY (school_id, id)
    );
    CREATE INDEX import_run_by_age ON import_run (school_id, created_at);

    -- Holds each changed field of a student before and after.
    CREATE TABLE import_effect (
      school_id bigint NOT NULL,
      import_id bigint NOT NULL,
      part integer NOT NULL,
      student_id bigint NOT NULL,
      action text NOT NULL CHECK (action IN ('created', 'changed', 'missing')),
      before jsonb NOT NULL,
      after jsonb NOT NULL,
      undone_at timestamptz(3),
      -- The fields that the undo left as they were, each with the reason.
      kept jsonb,
      PRIMARY KEY (school_id, import_id, part, student_id),
      FOREIGN KEY (school_id, import_id) REFERENCES import_run (school_id, id) ON DELETE CASCADE,
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX import_effect_of_student ON import_effect (school_id, student_id);
    CREATE INDEX import_effect_to_undo ON import_effect (school_id, import_id, part) WHERE undone_at IS NULL;
  `)
    .execute(db);
}
