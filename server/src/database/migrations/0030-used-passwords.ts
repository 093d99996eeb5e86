import { type Kysely, sql } from 'kysely';

/** Unexpired shared passwords no longer expire; other passwords keep their expiry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE admin ADD COLUMN password_is_used boolean NOT NULL DEFAULT false;
    ALTER TABLE student ADD COLUMN password_is_used boolean NOT NULL DEFAULT false;
    UPDATE admin SET password_is_used = true WHERE password_is_initial AND password_expires_at IS NULL;
    UPDATE student SET password_is_used = true WHERE password_is_initial AND password_expires_at IS NULL;
    UPDATE student SET password_expires_at = NULL WHERE password_is_shared AND password_expires_at > now();
  `)
    .execute(db);
}
