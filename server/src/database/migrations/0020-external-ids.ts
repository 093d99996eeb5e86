import { type Kysely, sql } from 'kysely';

/**
 * How other systems know students, when something last changed, and when what a record is for happened. Columns that may be
 * null take no rewriting of tables. Without a change, things were last changed when they were created; a record without an
 * instant of its own is about the moment in which it was written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE student
      ADD COLUMN external_id text,
      ADD COLUMN card_number text,
      ADD COLUMN updated_at timestamptz(3);
    CREATE UNIQUE INDEX student_external_id ON student (school_id, external_id);
    CREATE UNIQUE INDEX student_card_number ON student (school_id, card_number);

    ALTER TABLE grade ADD COLUMN updated_at timestamptz(3);
    ALTER TABLE class ADD COLUMN updated_at timestamptz(3);
    ALTER TABLE score_record ADD COLUMN occurred_at timestamptz(3);
  `)
    .execute(db);
}
