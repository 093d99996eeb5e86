import { type Kysely, sql } from 'kysely';

/**
 * Adds the names of administrators, the role `teacher`, the classes that an administrator teaches, and whether students
 * see who gave a point.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE admin
      ADD name text,
      ADD updated_at timestamptz(3),
      DROP CONSTRAINT admin_role_check,
      ADD CONSTRAINT admin_role_check
        CHECK (role IN ('super_admin', 'school_admin', 'grade_admin', 'class_admin', 'teacher'));

    -- On which records students see who gave the points: 'never', 'plus' or 'always'.
    ALTER TABLE school ADD point_givers text NOT NULL DEFAULT 'never';

    CREATE TABLE teaching (
      admin_id bigint NOT NULL REFERENCES admin (id) ON DELETE CASCADE,
      school_id bigint NOT NULL,
      class_id bigint NOT NULL,
      subject text,
      -- The promotion that ended the assignment. Its undo restores the assignment.
      promotion_id bigint,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (admin_id, class_id)
    );
    CREATE INDEX teaching_by_class ON teaching (school_id, class_id);
  `)
    .execute(db);
  // On a cluster, classes are on other nodes. Ids are used once, so a row of a deleted class gives no access.
  const { rows } = await sql<{ isLocal: boolean }>`
    SELECT to_regclass('pg_dist_partition') IS NULL AS "isLocal"`.execute(db);
  if (rows[0]?.isLocal)
    await sql`
      ALTER TABLE teaching ADD FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id) ON DELETE CASCADE`.execute(
      db,
    );
}
