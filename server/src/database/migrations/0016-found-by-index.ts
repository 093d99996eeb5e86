import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Of all indexes on the data of schools the only one that does not begin with the school: who signs in without
    -- naming one.
    CREATE INDEX student_by_username ON student (username) WHERE NOT disabled;

    -- What is past its time.
    CREATE INDEX application_by_time ON application (created_at);
    CREATE INDEX spent_challenge_by_time ON spent_challenge (created_at);
    CREATE INDEX sign_in_flow_by_time ON sign_in_flow (school_id, created_at);
    CREATE INDEX sign_in_code_by_time ON sign_in_code (school_id, expires_at);
    CREATE INDEX student_session_by_time ON student_session (school_id, created_at);
    CREATE INDEX student_session_shared ON student_session (school_id, created_at) WHERE shared;
  `)
    .execute(db);
}
