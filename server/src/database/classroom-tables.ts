import type { Absence } from '@classledger/contract';
import type { GeneratedAlways } from 'kysely';
import type { NullableTimestampColumn, TimestampColumn } from './account-tables.ts';

interface AbsenceTable {
  school_id: number;
  id: GeneratedAlways<number>;
  student_id: number;
  day: string;
  state: Absence['state'];
  admin_id: number | null;
  marked_at: TimestampColumn;
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
  position: number;
  name: string;
  colour: number;
  created_at: TimestampColumn;
}

interface TeamMemberTable {
  school_id: number;
  student_id: number;
  team_id: number;
  /** Only points given since then count for the team. */
  joined_at: TimestampColumn;
}

/** Points of a team itself; live until the record is revoked or its term is closed. */
interface TeamRecordTable {
  school_id: number;
  id: GeneratedAlways<number>;
  team_id: number;
  score_change: number;
  description: string;
  created_at: TimestampColumn;
  admin_id: number;
  revoked_at: NullableTimestampColumn;
  revoked_by_admin_id: number | null;
  term_id: number | null;
}

export interface ClassroomTables {
  absence: AbsenceTable;
  seat: SeatTable;
  team: TeamTable;
  team_member: TeamMemberTable;
  team_record: TeamRecordTable;
}
