import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- An app that shows a new code every half minute. Codes of last_step and earlier count no more.
    CREATE TABLE code_app (
      admin_id bigint PRIMARY KEY REFERENCES admin (id) ON DELETE CASCADE,
      sealed_secret bytea NOT NULL,
      last_step bigint NOT NULL,
      created_at timestamptz(3) NOT NULL
    );

    -- A row goes when its code is used.
    CREATE TABLE recovery_code (
      admin_id bigint NOT NULL REFERENCES admin (id) ON DELETE CASCADE,
      code_hash bytea NOT NULL,
      PRIMARY KEY (admin_id, code_hash)
    );

    CREATE TABLE passkey (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      admin_id bigint NOT NULL REFERENCES admin (id) ON DELETE CASCADE,
      credential_id text NOT NULL UNIQUE,
      public_key bytea NOT NULL,
      -- How often it was used, as it counts itself; those that are kept in several places do not count.
      counter bigint NOT NULL,
      -- The host for which it was made.
      rp_id text NOT NULL,
      transports text[] NOT NULL,
      name text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      last_used_at timestamptz(3)
    );
    CREATE INDEX passkey_by_admin ON passkey (admin_id, id);

    -- Challenges that were answered; they count no more, even before their time is over.
    CREATE TABLE spent_challenge (
      challenge_hash bytea PRIMARY KEY,
      created_at timestamptz(3) NOT NULL
    );

    -- Roles whose administrators must have a second factor.
    CREATE TABLE second_factor_role (role text PRIMARY KEY);
  `)
    .execute(db);
}
