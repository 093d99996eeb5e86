import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE school
      ADD COLUMN classmates text NOT NULL DEFAULT 'front' CHECK (classmates IN ('names', 'front', 'all')),
      ADD COLUMN erase_leavers_after_days integer CHECK (erase_leavers_after_days > 0);

    ALTER TABLE student
      ADD COLUMN disabled_at timestamptz(3),
      ADD COLUMN erased_at timestamptz(3);
    -- Nobody knows since when: their time begins now.
    UPDATE student SET disabled_at = now() WHERE disabled;
    ALTER TABLE student
      ADD CHECK (disabled = (disabled_at IS NOT NULL)),
      ADD CHECK (disabled OR erased_at IS NULL);
    CREATE INDEX student_leaver ON student (school_id, disabled_at, id) WHERE disabled AND erased_at IS NULL;

    -- A refusal quoted the name that was taken; the log is to hold ids only.
    UPDATE audit_record SET error_message = regexp_replace(error_message, '"(\\\\.|[^"\\\\])*"', '"…"', 'g')
      WHERE status_code = 409 AND error_message LIKE '%"%';
  `)
    .execute(db);
}
