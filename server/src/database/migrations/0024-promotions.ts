import { type Kysely, sql } from 'kysely';
import { settleSchoolTable } from '../distribute.ts';

/**
 * A class stores the archived state of its grade: code that locks the class reads it from the locked row. The same
 * statement would not see the row of a grade that was just created.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE grade ADD COLUMN archived_at timestamptz(3);
    ALTER TABLE class ADD COLUMN archived boolean NOT NULL DEFAULT false;

    CREATE TABLE promotion (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      name text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      admin_id bigint NOT NULL,
      username text NOT NULL,
      -- No record that was there is younger: one that is came after it.
      scored_until timestamptz(3) NOT NULL,
      -- The grade that it made; null where nobody graduated.
      archived_grade_id bigint,
      undone_at timestamptz(3),
      PRIMARY KEY (school_id, id)
    );

    -- What it changed, with the names of then. It outlives classes and grades.
    CREATE TABLE promotion_class (
      school_id bigint NOT NULL,
      promotion_id bigint NOT NULL,
      class_id bigint NOT NULL,
      name_before text NOT NULL,
      name_after text NOT NULL,
      from_grade_id bigint NOT NULL,
      to_grade_id bigint NOT NULL,
      from_grade_name text NOT NULL,
      to_grade_name text NOT NULL,
      students integer NOT NULL,
      PRIMARY KEY (school_id, promotion_id, class_id)
    );

    -- Whom it disabled: not those who were before.
    CREATE TABLE promotion_student (
      school_id bigint NOT NULL,
      promotion_id bigint NOT NULL,
      student_id bigint NOT NULL,
      PRIMARY KEY (school_id, promotion_id, student_id)
    );
  `)
    .execute(db);
  await settleSchoolTable(db, 'promotion', []);
  const ofPromotion =
    'FOREIGN KEY (school_id, promotion_id) REFERENCES promotion (school_id, id) ON DELETE CASCADE';
  await settleSchoolTable(db, 'promotion_class', [ofPromotion]);
  await settleSchoolTable(db, 'promotion_student', [ofPromotion]);
}
