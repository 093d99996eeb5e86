import type {
  Announcement,
  Application,
  ChangeType,
  ClassroomTool,
  ClassTeams,
  Permission,
  SchoolSettings,
  ScopeType,
  Term,
} from '@classledger/contract';
import type { Generated, GeneratedAlways } from 'kysely';
import type { GivenColumns } from '../fields/students.ts';
import type { AccountTables, NullableTimestampColumn, TimestampColumn } from './account-tables.ts';
import type { ClassroomTables } from './classroom-tables.ts';
import type { ImportTables } from './import-tables.ts';
import type { PromotionTables } from './promotion-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

interface SchoolTable {
  id: GeneratedAlways<number>;
  name: string;
  disabled: Generated<boolean>;
  /** Whether passwords, passkeys and sign-in codes open the accounts of the school. */
  local_sign_in_administrators: Generated<boolean>;
  local_sign_in_students: Generated<boolean>;
  /** IANA name; it defines the days of `class_day`. */
  time_zone: Generated<string>;
  created_at: TimestampColumn;
  classmates: Generated<SchoolSettings['classmates']>;
  /** Days after which disabled students are erased; null means never. */
  erase_leavers_after_days: number | null;
  switched_off_tools: Generated<ClassroomTool[]>;
}

interface GradeTable {
  school_id: number;
  id: GeneratedAlways<number>;
  name: string;
  created_at: TimestampColumn;
  /** Null until the first change; also in classes and students. */
  updated_at: NullableTimestampColumn;
  /** Set when the grade is created for graduated classes; null in other grades. */
  archived_at: NullableTimestampColumn;
}

/** Code that changes students or point records updates the counts and sums in the same transaction. */
interface ClassTable {
  school_id: number;
  id: GeneratedAlways<number>;
  grade_id: number;
  name: string;
  student_count: Generated<number>;
  disabled_student_count: Generated<number>;
  add_score: Generated<number>;
  deduct_score: Generated<number>;
  record_count: Generated<number>;
  team_ranking: Generated<ClassTeams['ranking']>;
  created_at: TimestampColumn;
  updated_at: NullableTimestampColumn;
  /** Copies the archived state of its grade, for code that locks only the class. */
  archived: Generated<boolean>;
}

/** Counts and sums of the live records of a class on one day. */
interface ClassDayTable {
  school_id: number;
  class_id: number;
  day: string;
  add_count: number;
  deduct_count: number;
  record_count: number;
  add_score: number;
  deduct_score: number;
}

interface StudentTable extends GivenColumns {
  school_id: number;
  id: GeneratedAlways<number>;
  password_hash: string;
  /** True while the password is one that another person set. */
  password_is_initial: Generated<boolean>;
  password_is_used: Generated<boolean>;
  password_is_shared: Generated<boolean>;
  password_expires_at: NullableTimestampColumn;
  disabled_at: NullableTimestampColumn;
  /** An erased student stays disabled. */
  erased_at: NullableTimestampColumn;
  email: string | null;
  email_bound_at: NullableTimestampColumn;
  total_score: Generated<number>;
  add_score: Generated<number>;
  deduct_score: Generated<number>;
  score_count: Generated<number>;
  created_at: TimestampColumn;
  /** The last change of fields other than points. */
  updated_at: NullableTimestampColumn;
  picked_on: Generated<string | null>;
}

/** The ledger. A record is live until it is revoked or its term is closed. */
interface ScoreRecordTable {
  school_id: number;
  id: Generated<number>;
  student_id: number;
  score_change: number;
  description: string;
  created_at: TimestampColumn;
  occurred_at: NullableTimestampColumn;
  live: Generated<boolean>;
  token_id: number | null;
  admin_id: number | null;
  revoked_at: NullableTimestampColumn;
  revoked_by_token_id: number | null;
  revoked_by_admin_id: number | null;
  term_id: number | null;
  note: string | null;
}

interface TemplateTable {
  school_id: number;
  id: GeneratedAlways<number>;
  class_id: number | null;
  name: string;
  score_change: number;
  description: string;
  created_at: TimestampColumn;
  updated_at: TimestampColumn;
}

interface IdempotencyKeyTable {
  school_id: number;
  owner: string;
  key: string;
  endpoint: string;
  request_id: string;
  answer: Buffer;
  created_at: TimestampColumn;
}

interface ChangeTable {
  school_id: number;
  created_at: TimestampColumn;
  xid: string;
  number: GeneratedAlways<number>;
  type: ChangeType;
  ids: number[];
  grade_before: number | null;
  class_before: number | null;
  grade_after: number | null;
  class_after: number | null;
  along: boolean;
  keys: unknown;
}

interface TermTable {
  school_id: number;
  id: GeneratedAlways<number>;
  class_id: number | null;
  class_name: string;
  name: string;
  action: Term['action'];
  started_at: TimestampColumn;
  closed_at: TimestampColumn;
  closed_by_id: number;
  closed_by_username: string;
  student_count: number;
  record_count: number;
}

interface TermStandingTable {
  school_id: number;
  term_id: number;
  student_id: number;
  username: string;
  actual_name: string;
  add_score: number;
  deduct_score: number;
  score_count: number;
}

interface AnnouncementTable {
  id: GeneratedAlways<number>;
  title: string;
  content: string;
  type: Announcement['type'];
  active: boolean;
  created_at: TimestampColumn;
  updated_at: TimestampColumn;
}

interface ApplicationTable {
  id: GeneratedAlways<number>;
  school_name: string;
  applicant_name: string;
  contact_phone: string;
  reason: string;
  status: Generated<Application['status']>;
  review_note: string | null;
  reviewed_at: NullableTimestampColumn;
  reviewed_by_id: number | null;
  reviewed_by_username: string | null;
  created_at: TimestampColumn;
}

/** `school_id` 0: no school. */
interface ActivityTable {
  school_id: number;
  id: GeneratedAlways<number>;
  created_at: TimestampColumn;
  admin_id: number;
  username: string;
  action: string;
  target_id: number | null;
  target_name: string | null;
  ip: string | null;
  user_agent: string | null;
}

interface ApiTokenTable {
  id: GeneratedAlways<number>;
  school_id: number;
  name: string;
  token_hash: Buffer;
  prefix: string;
  scope_type: ScopeType;
  scope_grade_id: number | null;
  scope_class_id: number | null;
  scopes: Permission[];
  expires_at: NullableTimestampColumn;
  disabled: Generated<boolean>;
  revoked_at: NullableTimestampColumn;
  call_count: Generated<number>;
  last_used_at: NullableTimestampColumn;
  last_used_ip: string | null;
  created_at: TimestampColumn;
  issuer_id: number;
  issuer_username: string;
}

/** `school_id` 0: a call without a known credential. */
interface AuditRecordTable {
  school_id: number;
  id: GeneratedAlways<number>;
  created_at: TimestampColumn;
  request_id: string;
  token_id: number | null;
  token_prefix: string | null;
  method: string;
  path: string;
  status_code: number;
  latency_ms: number;
  ip: string;
  user_agent: string | null;
  error_message: string | null;
}

/** The last stored batch of each `BatchWriter`. */
interface BatchWriterTable {
  id: string;
  last_batch: number;
  written_at: Generated<string>;
}

/** Unlogged; see `0007-credentials`. */
interface RateLimitWindowTable {
  token_id: number;
  total_started_at: TimestampColumn;
  total_granted: number;
  total_holders: number;
  total_part: number;
  write_started_at: TimestampColumn;
  write_granted: number;
  write_holders: number;
  write_part: number;
}

interface CountedEventTable {
  counter: Buffer;
  event: Buffer;
  undecided: boolean;
  expires_at: TimestampColumn;
}

export interface Tables extends AccountTables, ClassroomTables, ImportTables, PromotionTables, WebhookTables {
  school: SchoolTable;
  grade: GradeTable;
  class: ClassTable;
  class_day: ClassDayTable;
  student: StudentTable;
  score_record: ScoreRecordTable;
  template: TemplateTable;
  idempotency_key: IdempotencyKeyTable;
  change: ChangeTable;
  term: TermTable;
  term_standing: TermStandingTable;
  announcement: AnnouncementTable;
  application: ApplicationTable;
  activity: ActivityTable;
  api_token: ApiTokenTable;
  audit_record: AuditRecordTable;
  batch_writer: BatchWriterTable;
  rate_limit_window: RateLimitWindowTable;
  counted_event: CountedEventTable;
}

/** Where rows are in a distributed database (distribute.ts): with their school, or on the coordinator. */
type Placement = 'school' | 'coordinator';

const placements: Readonly<Record<keyof Tables, Placement>> = {
  school: 'coordinator',
  grade: 'school',
  class: 'school',
  class_day: 'school',
  student: 'school',
  score_record: 'school',
  template: 'school',
  idempotency_key: 'school',
  change: 'school',
  student_session: 'school',
  student_event: 'school',
  sign_in_code: 'school',
  sign_in_provider: 'school',
  sign_in_identity: 'school',
  sign_in_flow: 'school',
  absence: 'school',
  seat: 'school',
  team: 'school',
  team_member: 'school',
  team_record: 'school',
  term: 'school',
  term_standing: 'school',
  promotion: 'school',
  promotion_class: 'school',
  promotion_student: 'school',
  activity: 'school',
  import_run: 'school',
  import_effect: 'school',
  import_row: 'school',
  import_job: 'coordinator',
  audit_record: 'school',
  announcement: 'coordinator',
  application: 'coordinator',
  admin: 'coordinator',
  admin_session: 'coordinator',
  api_token: 'coordinator',
  batch_writer: 'coordinator',
  rate_limit_window: 'coordinator',
  counted_event: 'coordinator',
  webhook: 'coordinator',
  webhook_delivery: 'school',
  code_app: 'coordinator',
  recovery_code: 'coordinator',
  passkey: 'coordinator',
  spent_challenge: 'coordinator',
  second_factor_role: 'coordinator',
};

export const tableNames: readonly string[] = Object.keys(placements);

export const schoolTables: readonly string[] = tableNames.filter(
  (name) => placements[name as keyof Tables] === 'school',
);
