import { type Kysely, sql } from 'kysely';

/** Adds the names of administrators, the role `teacher`, and the classes that an administrator teaches. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE admin
      ADD name text,
      DROP CONSTRAINT admin_role_check,
      ADD CONSTRAINT admin_role_check
        CHECK (role IN ('super_admin', 'school_admin', 'grade_admin', 'class_admin', 'teacher'));

    CREATE TABLE teaching (
      admin_id bigint NOT NULL REFERENCES admin (id) ON DELETE CASCADE,
      school_id bigint NOT NULL,
      class_id bigint NOT NULL,
      subject text,
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
