import { type Kysely, sql } from 'kysely';

/** Lets the server work on an import (docs/contract.md, Imports). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- \`parts\` counts the transactions that are done.
    ALTER TABLE import_run
      ADD part_count integer NOT NULL DEFAULT 0,
      ADD total_count integer NOT NULL DEFAULT 0,
      ADD done_count integer NOT NULL DEFAULT 0,
      ADD failed_count integer NOT NULL DEFAULT 0;

    -- The entries of a run. Rows of unreadable entries have part 0.
    CREATE TABLE import_row (
      school_id bigint NOT NULL,
      import_id bigint NOT NULL,
      part integer NOT NULL,
      position integer NOT NULL,
      created_at timestamptz(3) NOT NULL,
      entry jsonb NOT NULL,
      student_id bigint,
      action text CHECK (action IN ('created', 'updated', 'unchanged')),
      -- Null until the entry is done.
      code integer,
      reason text,
      -- The encrypted password and sign-in code of a created student.
      secrets bytea,
      PRIMARY KEY (school_id, import_id, part, position),
      FOREIGN KEY (school_id, import_id) REFERENCES import_run (school_id, id) ON DELETE CASCADE,
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX import_row_of_student ON import_row (school_id, student_id) WHERE student_id IS NOT NULL;
    CREATE INDEX import_row_by_age ON import_row (school_id, created_at);

    -- A run that the server works on.
    CREATE TABLE import_job (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      school_id bigint NOT NULL,
      import_id bigint NOT NULL,
      -- The administrator for whom it works.
      admin_id bigint NOT NULL,
      owner text,
      owned_until timestamptz(3),
      UNIQUE (school_id, import_id)
    );
  `)
    .execute(db);
}
