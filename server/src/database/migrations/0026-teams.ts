import { type Kysely, sql } from 'kysely';
import { settleSchoolTable } from '../distribute.ts';

/** A student is in one team at most. A team's record is live until it is revoked or its term is closed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Of the members' points; 'average' or 'sum'.
    ALTER TABLE class ADD COLUMN team_ranking text NOT NULL DEFAULT 'average';

    CREATE TABLE team (
      school_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      class_id bigint NOT NULL,
      position integer NOT NULL CHECK (position >= 1),
      name text NOT NULL,
      colour integer NOT NULL CHECK (colour >= 1),
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, id)
    );
    CREATE INDEX team_by_class ON team (school_id, class_id, position);

    CREATE TABLE team_member (
      school_id bigint NOT NULL,
      student_id bigint NOT NULL,
      team_id bigint NOT NULL,
      joined_at timestamptz(3) NOT NULL,
      PRIMARY KEY (school_id, student_id)
    );
    CREATE INDEX team_member_by_team ON team_member (school_id, team_id, student_id);

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
      PRIMARY KEY (school_id, id)
    );
    CREATE INDEX team_record_by_team ON team_record (school_id, team_id, created_at, id);
    CREATE INDEX team_record_by_term ON team_record (school_id, term_id) WHERE term_id IS NOT NULL;
  `)
    .execute(db);
  const ofClass = 'FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id) ON DELETE CASCADE';
  const ofStudent =
    'FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE CASCADE';
  const ofTeam = 'FOREIGN KEY (school_id, team_id) REFERENCES team (school_id, id) ON DELETE CASCADE';
  const ofTerm = 'FOREIGN KEY (school_id, term_id) REFERENCES term (school_id, id)';
  await settleSchoolTable(db, 'team', [ofClass]);
  await settleSchoolTable(db, 'team_member', [ofStudent, ofTeam]);
  await settleSchoolTable(db, 'team_record', [ofTeam, ofTerm]);
}
