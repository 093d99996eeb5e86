import { type Kysely, sql } from 'kysely';
import { distributeNewTable } from '../distribute.ts';

/** Adds categories of points (docs/contract.md, Categories). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE category (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      code text NOT NULL,
      name text NOT NULL,
      colour integer NOT NULL CHECK (colour >= 1),
      position integer NOT NULL,
      -- Null while new points can get the category.
      retired_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, id),
      UNIQUE (school_id, code)
    );

    -- Without foreign keys, because categories are deleted only with their school.
    ALTER TABLE template ADD category_id bigint;
    ALTER TABLE score_record ADD category_id bigint;
    -- Records without a category do not pay for this index.
    CREATE INDEX score_record_by_category ON score_record (school_id, category_id, created_at, id)
      INCLUDE (student_id, score_change) WHERE live AND category_id IS NOT NULL;

    -- Sums of live records that have a category.
    CREATE TABLE student_category (
      school_id bigint NOT NULL,
      student_id bigint NOT NULL,
      category_id bigint NOT NULL,
      record_count integer NOT NULL,
      add_score bigint NOT NULL,
      deduct_score bigint NOT NULL,
      PRIMARY KEY (school_id, student_id, category_id)
    ) WITH (fillfactor = 70);
    CREATE TABLE class_day_category (
      school_id bigint NOT NULL,
      class_id bigint NOT NULL,
      -- In the time zone of the school.
      day date NOT NULL,
      category_id bigint NOT NULL,
      add_count integer NOT NULL,
      deduct_count integer NOT NULL,
      record_count integer NOT NULL,
      add_score bigint NOT NULL,
      deduct_score bigint NOT NULL,
      PRIMARY KEY (school_id, class_id, day, category_id)
    ) WITH (fillfactor = 70);
  `)
    .execute(db);
  await distributeNewTable(db, 'category', ['FOREIGN KEY (school_id) REFERENCES school (id)']);
  const toCategory = 'FOREIGN KEY (school_id, category_id) REFERENCES category (school_id, id)';
  await distributeNewTable(db, 'student_category', [
    'FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE',
    toCategory,
  ]);
  await distributeNewTable(db, 'class_day_category', [
    'FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id) ON DELETE CASCADE',
    toCategory,
  ]);
}
