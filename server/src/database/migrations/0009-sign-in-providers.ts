import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE school
      ADD COLUMN local_sign_in_administrators boolean NOT NULL DEFAULT true,
      ADD COLUMN local_sign_in_students boolean NOT NULL DEFAULT true;

    -- The secret is sealed under the secret of the installation.
    CREATE TABLE sign_in_provider (
      school_id bigint NOT NULL REFERENCES school (id),
      id bigint GENERATED ALWAYS AS IDENTITY,
      kind text NOT NULL CHECK (kind IN ('oidc')),
      name text NOT NULL,
      issuer text NOT NULL,
      client_id text NOT NULL,
      client_secret bytea NOT NULL,
      scopes text NOT NULL,
      for_administrators boolean NOT NULL,
      for_students boolean NOT NULL,
      claim text NOT NULL,
      student_attribute text NOT NULL CHECK (student_attribute IN ('username', 'email')),
      create_students_in bigint,
      enabled boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, id),
      UNIQUE (school_id, name),
      FOREIGN KEY (school_id, create_students_in) REFERENCES class (school_id, id)
        ON DELETE SET NULL (create_students_in)
    );

    -- Who somebody at a provider is here. One account has one person there, and one person one account of each kind.
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

    -- A browser that was sent to a provider and has not come back. Only hashes: what proves it stays in the browser.
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
      PRIMARY KEY (school_id, state_hash),
      FOREIGN KEY (school_id, provider_id) REFERENCES sign_in_provider (school_id, id) ON DELETE CASCADE
    );

    CREATE INDEX student_by_email ON student (school_id, lower(email)) WHERE email IS NOT NULL;
  `)
    .execute(db);
}
