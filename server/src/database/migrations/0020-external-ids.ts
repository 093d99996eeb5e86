import { type Kysely, sql } from 'kysely';

/**
 * Nullable columns need no rewrite of tables. Null means: unchanged since its creation, or about the moment it was
 * written.
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
