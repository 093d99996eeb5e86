import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE promotion (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      name text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      admin_id bigint NOT NULL,
      username text NOT NULL,
      -- The newest record at that time. A newer record was written after the promotion.
      scored_until timestamptz(3) NOT NULL,
      -- The grade of the graduated classes; null means that no class graduated.
      archived_grade_id bigint,
      undone_at timestamptz(3),
      PRIMARY KEY (school_id, id)
    );

    -- The changed classes, with their names at that time. A row outlives its class and grades.
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
      PRIMARY KEY (school_id, promotion_id, class_id),
      FOREIGN KEY (school_id, promotion_id) REFERENCES promotion (school_id, id) ON DELETE CASCADE
    );

    -- The students whom the promotion disabled. Students who were disabled before have no row.
    CREATE TABLE promotion_student (
      school_id bigint NOT NULL,
      promotion_id bigint NOT NULL,
      student_id bigint NOT NULL,
      PRIMARY KEY (school_id, promotion_id, student_id),
      FOREIGN KEY (school_id, promotion_id) REFERENCES promotion (school_id, id) ON DELETE CASCADE
    );
  `)
    .execute(db);
}
