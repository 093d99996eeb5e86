import { type Kysely, sql } from 'kysely';

/** Sessions and sign-ins of the previous release keep asking for confirmations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE admin_session
      ADD COLUMN asks_confirmations boolean NOT NULL DEFAULT true,
      ADD COLUMN confirmed_without_password_at timestamptz(3);
    ALTER TABLE sign_in_flow ADD COLUMN asks_confirmations boolean NOT NULL DEFAULT true;
  `)
    .execute(db);
}
