import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE seat (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      class_id bigint NOT NULL,
      group_index integer NOT NULL CHECK (group_index BETWEEN 1 AND 20),
      row_index integer NOT NULL CHECK (row_index BETWEEN 1 AND 20),
      col_index integer NOT NULL CHECK (col_index BETWEEN 1 AND 20),
      student_id bigint,
      PRIMARY KEY (school_id, id),
      UNIQUE (school_id, class_id, group_index, row_index, col_index),
      UNIQUE (school_id, student_id),
      FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id) ON DELETE CASCADE,
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE SET NULL (student_id)
    );

    -- Students who were present and on time have no row.
    CREATE TABLE absence (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      student_id bigint NOT NULL,
      -- In the time zone of the school.
      day date NOT NULL,
      state text NOT NULL CHECK (state IN ('absent', 'late', 'excused')),
      -- The last administrator who marked it.
      admin_id bigint,
      marked_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, id),
      UNIQUE (school_id, student_id, day),
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX absence_by_day ON absence (school_id, day, student_id);

    CREATE TABLE team (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      class_id bigint NOT NULL,
      position integer NOT NULL CHECK (position >= 1),
      name text NOT NULL,
      colour integer NOT NULL CHECK (colour >= 1),
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, id),
      FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX team_by_class ON team (school_id, class_id, position);

    -- The primary key allows a student one team.
    CREATE TABLE team_member (
      school_id bigint NOT NULL,
      student_id bigint NOT NULL,
      team_id bigint NOT NULL,
      joined_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, student_id),
      FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE,
      FOREIGN KEY (school_id, team_id) REFERENCES team (school_id, id) ON DELETE CASCADE
    );
    CREATE INDEX team_member_by_team ON team_member (school_id, team_id, student_id);

    -- Points of the team itself, not of its members. A record is live until it is revoked or its term is closed.
    CREATE TABLE team_record (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      team_id bigint NOT NULL,
      score_change integer NOT NULL,
      description text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      admin_id bigint NOT NULL,
      revoked_at timestamptz(3),
      revoked_by_admin_id bigint,
      term_id bigint,
      PRIMARY KEY (school_id, id),
      FOREIGN KEY (school_id, team_id) REFERENCES team (school_id, id) ON DELETE CASCADE,
      FOREIGN KEY (school_id, term_id) REFERENCES term (school_id, id)
    );
    CREATE INDEX team_record_by_team ON team_record (school_id, team_id, created_at, id);
    CREATE INDEX team_record_by_term ON team_record (school_id, term_id) WHERE term_id IS NOT NULL;
  `)
    .execute(db);
}
