import { type Kysely, sql } from 'kysely';

/** Keys begin with school_id, so no reference crosses schools and the tables can be distributed by school. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE school (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL,
      disabled boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL,
      local_sign_in_administrators boolean NOT NULL DEFAULT true,
      local_sign_in_students boolean NOT NULL DEFAULT true,
      -- How much of their classmates' points students see.
      classmates text NOT NULL DEFAULT 'front' CHECK (classmates IN ('names', 'front', 'all')),
      erase_leavers_after_days integer CHECK (erase_leavers_after_days > 0),
      time_zone text NOT NULL DEFAULT 'UTC',
      switched_off_tools text[] NOT NULL DEFAULT '{}'
    );

    CREATE TABLE grade (
      school_id bigint NOT NULL REFERENCES school (id),
      id bigint GENERATED ALWAYS AS IDENTITY,
      name text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3),
      archived_at timestamptz(3),
      PRIMARY KEY (school_id, id),
      UNIQUE (school_id, name)
    );

    -- Every score updates the sums. Free space on the page keeps these updates out of the indexes.
    CREATE TABLE class (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      grade_id bigint NOT NULL,
      student_count integer NOT NULL DEFAULT 0 CHECK (student_count >= 0),
      disabled_student_count integer NOT NULL DEFAULT 0
        CHECK (disabled_student_count BETWEEN 0 AND student_count),
      add_score bigint NOT NULL DEFAULT 0 CHECK (add_score >= 0),
      deduct_score bigint NOT NULL DEFAULT 0 CHECK (deduct_score <= 0),
      record_count bigint NOT NULL DEFAULT 0 CHECK (record_count >= 0),
      created_at timestamptz(3) NOT NULL,
      name text NOT NULL,
      updated_at timestamptz(3),
      -- Copied from the grade: code that locks the class reads it from the locked row. The same statement would not see
      -- the row of a grade that was just created.
      archived boolean NOT NULL DEFAULT false,
      -- How the members' points rank a team: 'average' or 'sum'.
      team_ranking text NOT NULL DEFAULT 'average',
      PRIMARY KEY (school_id, id),
      UNIQUE (school_id, grade_id, name),
      FOREIGN KEY (school_id, grade_id) REFERENCES grade (school_id, id)
    ) WITH (fillfactor = 50);

    CREATE TABLE student (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      class_id bigint NOT NULL,
      total_score bigint NOT NULL DEFAULT 0,
      add_score bigint NOT NULL DEFAULT 0 CHECK (add_score >= 0),
      deduct_score bigint NOT NULL DEFAULT 0 CHECK (deduct_score <= 0),
      score_count bigint NOT NULL DEFAULT 0 CHECK (score_count >= 0),
      created_at timestamptz(3) NOT NULL,
      email_bound_at timestamptz(3),
      disabled boolean NOT NULL DEFAULT false,
      username text NOT NULL,
      actual_name text NOT NULL,
      password_hash text NOT NULL,
      email text,
      password_is_initial boolean NOT NULL DEFAULT false,
      -- Several students were given the same password.
      password_is_shared boolean NOT NULL DEFAULT false,
      password_expires_at timestamptz(3),
      disabled_at timestamptz(3),
      erased_at timestamptz(3),
      external_id text,
      card_number text,
      updated_at timestamptz(3),
      -- The day on which the random picker chose the student. A new round clears it.
      picked_on date,
      password_is_used boolean NOT NULL DEFAULT false,
      PRIMARY KEY (school_id, id),
      UNIQUE (school_id, username),
      FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id),
      CHECK (total_score = add_score + deduct_score),
      CHECK (disabled = (disabled_at IS NOT NULL)),
      CHECK (disabled OR erased_at IS NULL)
    ) WITH (fillfactor = 70);
    CREATE INDEX student_by_class ON student (school_id, class_id, id);
    CREATE INDEX student_by_email ON student (school_id, lower(email)) WHERE email IS NOT NULL;
    CREATE INDEX student_leaver ON student (school_id, disabled_at, id) WHERE disabled AND erased_at IS NULL;
    CREATE UNIQUE INDEX student_external_id ON student (school_id, external_id);
    CREATE UNIQUE INDEX student_card_number ON student (school_id, card_number);
    -- Does not begin with the school, because a sign-in may leave out the school.
    CREATE INDEX student_by_username ON student (username) WHERE NOT disabled;

    CREATE TABLE announcement (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      title text NOT NULL,
      content text NOT NULL,
      type text NOT NULL CHECK (type IN ('info', 'warning', 'success', 'error')),
      active boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    );

    -- Asks for a new school.
    CREATE TABLE application (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      school_name text NOT NULL,
      applicant_name text NOT NULL,
      contact_phone text NOT NULL,
      reason text NOT NULL,
      status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
      review_note text,
      reviewed_at timestamptz(3),
      reviewed_by_id bigint,
      reviewed_by_username text,
      created_at timestamptz(3) NOT NULL,
      CHECK ((status = 'pending') = (reviewed_at IS NULL))
    );
    CREATE INDEX application_by_status ON application (status, id);
    -- Housekeeping finds expired rows.
    CREATE INDEX application_by_time ON application (created_at);
  `)
    .execute(db);
}
