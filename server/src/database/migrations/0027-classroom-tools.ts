import { type Kysely, sql } from 'kysely';
import { settleSchoolTable } from '../distribute.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE school ADD COLUMN switched_off_tools text[] NOT NULL DEFAULT '{}';

    ALTER TABLE score_record ADD COLUMN note text;

    -- Whoever was there in time has no row.
    CREATE TABLE absence (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      student_id bigint NOT NULL,
      -- In the time zone of the school.
      day date NOT NULL,
      state text NOT NULL CHECK (state IN ('absent', 'late', 'excused')),
      -- Who said so last, and when.
      admin_id bigint,
      marked_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, id),
      UNIQUE (school_id, student_id, day)
    );
    CREATE INDEX absence_by_day ON absence (school_id, day, student_id);
  `)
    .execute(db);
  await settleSchoolTable(db, 'absence', [
    'FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE',
  ]);
}
