import type { Absence } from '@classledger/contract';
import type { GeneratedAlways } from 'kysely';
import type { Instant, NullableInstant } from './account-tables.ts';

/** Who was not there in time on a day of the school. */
interface AbsenceTable {
  school_id: number;
  id: GeneratedAlways<number>;
  student_id: number;
  day: string;
  state: Absence['state'];
  admin_id: number | null;
  marked_at: Instant;
}

interface SeatTable {
  school_id: number;
  id: GeneratedAlways<number>;
  class_id: number;
  group_index: number;
  row_index: number;
  col_index: number;
  student_id: number | null;
}

interface TeamTable {
  school_id: number;
  id: GeneratedAlways<number>;
  class_id: number;
  /** Its place in the order, from 1. */
  position: number;
  name: string;
  colour: number;
  created_at: Instant;
}

interface TeamMemberTable {
  school_id: number;
  student_id: number;
  team_id: number;
  /** Since then, what the student is given counts for the team. */
  joined_at: Instant;
}

/** What a team itself was given; live until it is revoked or its term is closed. */
interface TeamRecordTable {
  school_id: number;
  id: GeneratedAlways<number>;
  team_id: number;
  score_change: number;
  description: string;
  created_at: Instant;
  admin_id: number;
  revoked_at: NullableInstant;
  revoked_by_admin_id: number | null;
  term_id: number | null;
}

/** The tables of what teachers have in front of a class: seats, teams, absences. */
export interface ClassroomTables {
  absence: AbsenceTable;
  seat: SeatTable;
  team: TeamTable;
  team_member: TeamMemberTable;
  team_record: TeamRecordTable;
}
