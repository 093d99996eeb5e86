import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- An app that shows a new code every 30 seconds. Codes up to last_step are used.
    CREATE TABLE code_app (
      admin_id bigint PRIMARY KEY REFERENCES admin (id) ON DELETE CASCADE,
      -- Encrypted with the secret of the installation.
      sealed_secret bytea NOT NULL,
      last_step bigint NOT NULL,
      created_at timestamptz(3) NOT NULL
    );

    -- A row is deleted when its code is used.
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
      -- The passkey's own count of its uses. Passkeys on several devices always say 0.
      counter bigint NOT NULL,
      -- The host name of the site.
      rp_id text NOT NULL,
      transports text[] NOT NULL,
      name text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      last_used_at timestamptz(3)
    );
    CREATE INDEX passkey_by_admin ON passkey (admin_id, id);

    -- Answered challenges, so that each is answered once.
    CREATE TABLE spent_challenge (
      challenge_hash bytea PRIMARY KEY,
      created_at timestamptz(3) NOT NULL
    );
    CREATE INDEX spent_challenge_by_time ON spent_challenge (created_at);

    -- Roles whose administrators must have a second factor.
    CREATE TABLE second_factor_role (role text PRIMARY KEY);

    CREATE TABLE sign_in_provider (
      school_id bigint NOT NULL REFERENCES school (id),
      id bigint GENERATED ALWAYS AS IDENTITY,
      kind text NOT NULL CHECK (kind IN ('oidc')),
      name text NOT NULL,
      issuer text NOT NULL,
      client_id text NOT NULL,
      -- Encrypted with the secret of the installation.
      client_secret bytea NOT NULL,
      scopes text NOT NULL,
      for_administrators boolean NOT NULL,
      for_students boolean NOT NULL,
      claim text NOT NULL,
      student_attribute text NOT NULL CHECK (student_attribute IN ('username', 'email')),
      -- The class of new students; null means that a sign-in creates none.
      create_students_in bigint,
      enabled boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, id),
      UNIQUE (school_id, name),
      FOREIGN KEY (school_id, create_students_in) REFERENCES class (school_id, id)
        ON DELETE SET NULL (create_students_in)
    );

    -- Binds a person at a provider to an account here. At one provider, an account belongs to one person, and a person
    -- has at most one account of each kind.
    CREATE TABLE sign_in_identity (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      provider_id bigint NOT NULL,
      admin_id bigint REFERENCES admin (id) ON DELETE CASCADE,
      student_id bigint,
      subject text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, id),
      UNIQUE (school_id, provider_id, admin_id),
      UNIQUE (school_id, student_id, provider_id),
      FOREIGN KEY (school_id, provider_id) REFERENCES sign_in_provider (school_id, id) ON DELETE CASCADE,
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE,
      CHECK ((admin_id IS NULL) <> (student_id IS NULL))
    );
    CREATE UNIQUE INDEX sign_in_identity_of_admins ON sign_in_identity (school_id, provider_id, subject)
      WHERE admin_id IS NOT NULL;
    CREATE UNIQUE INDEX sign_in_identity_of_students ON sign_in_identity (school_id, provider_id, subject)
      WHERE student_id IS NOT NULL;

    -- A browser that is still at the provider. It holds only hashes: the secrets stay in the browser.
    CREATE TABLE sign_in_flow (
      school_id bigint NOT NULL,
      state_hash bytea NOT NULL,
      browser_hash bytea NOT NULL,
      provider_id bigint NOT NULL,
      purpose text NOT NULL CHECK (purpose IN ('administrator', 'student', 'confirmation')),
      session_hash bytea,
      popup boolean NOT NULL,
      shared boolean NOT NULL,
      return_path text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      asks_confirmations boolean NOT NULL DEFAULT true,
      PRIMARY KEY (school_id, state_hash),
      FOREIGN KEY (school_id, provider_id) REFERENCES sign_in_provider (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX sign_in_flow_by_time ON sign_in_flow (school_id, created_at);

    -- Signs a student in once. It is printed on a slip, or issued after a sign-in at a provider.
    CREATE TABLE sign_in_code (
      school_id bigint NOT NULL,
      code_hash bytea NOT NULL,
      student_id bigint NOT NULL,
      -- The value of opened_with in its session: 'code' or 'provider'.
      opens text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, code_hash),
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX sign_in_code_by_student ON sign_in_code (school_id, student_id);
    CREATE INDEX sign_in_code_by_time ON sign_in_code (school_id, expires_at);
  `)
    .execute(db);
}
