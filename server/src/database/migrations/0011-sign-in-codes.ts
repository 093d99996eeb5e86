import { type Kysely, sql } from 'kysely';

/** Codes that sign a student in once: printed on slips, or issued after a sign-in at a provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE sign_in_code (
      school_id bigint NOT NULL,
      code_hash bytea NOT NULL,
      student_id bigint NOT NULL,
      -- What its session counts as opened with: 'code' or 'provider'.
      opens text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, code_hash),
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX sign_in_code_by_student ON sign_in_code (school_id, student_id);
  `)
    .execute(db);
}
