import type {
  Announcement,
  Application,
  Permission,
  Role,
  SchoolSettings,
  ScopeType,
  SignInProvider,
  StudentEventKind,
  Term,
} from '@classledger/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Read as UTC ISO 8601 text with milliseconds (see connect.ts), written from a Date or such text. */
type Instant = ColumnType<string, Date | string, Date | string>;
type NullableInstant = ColumnType<string | null, Date | string | null, Date | string | null>;

/** By what a session was opened. */
export type SignInMethod = 'password' | 'passkey' | 'provider' | 'code';

interface SchoolTable {
  id: GeneratedAlways<number>;
  name: string;
  disabled: Generated<boolean>;
  /** Whether passwords, passkeys and codes of our own open the accounts of its people. */
  local_sign_in_administrators: Generated<boolean>;
  local_sign_in_students: Generated<boolean>;
  created_at: Instant;
  /** What students see of their classmates. */
  classmates: Generated<SchoolSettings['classmates']>;
  /** So long after they were disabled, students are erased; null: never. */
  erase_leavers_after_days: number | null;
}

interface GradeTable {
  school_id: number;
  id: GeneratedAlways<number>;
  name: string;
  created_at: Instant;
}

/** Counts and sums are kept by the roster and the ledger, in the transaction of what changes them. */
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
  created_at: Instant;
}

/** What a class's live records of one UTC day add up to. */
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

interface StudentTable {
  school_id: number;
  id: GeneratedAlways<number>;
  class_id: number;
  username: string;
  actual_name: string;
  password_hash: string;
  /** Handed out by someone else and not changed since. */
  password_is_initial: Generated<boolean>;
  /** Given to several students at once: it ends even when it is used. */
  password_is_shared: Generated<boolean>;
  /** From when on an initial password signs in no more; null: it does not end. */
  password_expires_at: NullableInstant;
  disabled: Generated<boolean>;
  /** Null unless disabled. */
  disabled_at: NullableInstant;
  /** When the personal data was erased; disabled from then on. */
  erased_at: NullableInstant;
  email: string | null;
  email_bound_at: NullableInstant;
  total_score: Generated<number>;
  add_score: Generated<number>;
  deduct_score: Generated<number>;
  score_count: Generated<number>;
  created_at: Instant;
}

/** The ledger. A record is live until it is revoked or its term is closed; it never goes away by itself. */
interface ScoreRecordTable {
  school_id: number;
  id: Generated<number>;
  student_id: number;
  score_change: number;
  description: string;
  created_at: Instant;
  live: Generated<boolean>;
  token_id: number | null;
  admin_id: number | null;
  revoked_at: NullableInstant;
  revoked_by_token_id: number | null;
  revoked_by_admin_id: number | null;
  term_id: number | null;
}

interface TemplateTable {
  school_id: number;
  id: GeneratedAlways<number>;
  class_id: number | null;
  name: string;
  score_change: number;
  description: string;
  created_at: Instant;
  updated_at: Instant;
}

interface IdempotencyKeyTable {
  school_id: number;
  /** `token <id>` of a credential, `admin <id>` of an administrator. */
  owner: string;
  key: string;
  endpoint: string;
  request_id: string;
  answer: Buffer;
  created_at: Instant;
}

/** How and where a session was opened. */
interface SessionOrigin {
  id: GeneratedAlways<number>;
  opened_with: Generated<SignInMethod>;
  /** On a computer that others use too: it ends sooner. */
  shared: Generated<boolean>;
  ip: string | null;
  user_agent: string | null;
}

/** A student's token lives 30 days from `created_at`, 8 hours where it is shared. */
interface StudentSessionTable extends SessionOrigin {
  school_id: number;
  token_hash: Buffer;
  student_id: number;
  created_at: Instant;
  last_seen_at: Instant;
}

/** What happened to the account of a student. */
interface StudentEventTable {
  school_id: number;
  id: GeneratedAlways<number>;
  created_at: Instant;
  student_id: number;
  kind: StudentEventKind;
  ip: string | null;
  user_agent: string | null;
}

/** Signs a student in once. */
interface SignInCodeTable {
  school_id: number;
  code_hash: Buffer;
  student_id: number;
  /** What its session counts as opened with. */
  opens: 'code' | 'provider';
  created_at: Instant;
  expires_at: Instant;
}

interface SignInProviderTable {
  school_id: number;
  id: GeneratedAlways<number>;
  kind: SignInProvider['kind'];
  name: string;
  issuer: string;
  client_id: string;
  /** Sealed. */
  client_secret: Buffer;
  scopes: string;
  for_administrators: boolean;
  for_students: boolean;
  claim: string;
  student_attribute: SignInProvider['studentAttribute'];
  create_students_in: number | null;
  enabled: boolean;
  created_at: Instant;
}

/** Who somebody at a provider is here: an administrator or a student. */
interface SignInIdentityTable {
  school_id: number;
  id: GeneratedAlways<number>;
  provider_id: number;
  admin_id: number | null;
  student_id: number | null;
  subject: string;
  created_at: Instant;
}

/** A browser that was sent to a provider and has not come back. */
interface SignInFlowTable {
  school_id: number;
  state_hash: Buffer;
  browser_hash: Buffer;
  provider_id: number;
  purpose: 'administrator' | 'student' | 'confirmation';
  /** The session that is to be confirmed. */
  session_hash: Buffer | null;
  popup: boolean;
  shared: boolean;
  return_path: string;
  created_at: Instant;
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

interface TermTable {
  school_id: number;
  id: GeneratedAlways<number>;
  class_id: number | null;
  class_name: string;
  name: string;
  action: Term['action'];
  started_at: Instant;
  closed_at: Instant;
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
  /** Sanitised HTML. */
  content: string;
  type: Announcement['type'];
  active: boolean;
  created_at: Instant;
  updated_at: Instant;
}

interface ApplicationTable {
  id: GeneratedAlways<number>;
  school_name: string;
  applicant_name: string;
  contact_phone: string;
  reason: string;
  status: Generated<Application['status']>;
  review_note: string | null;
  reviewed_at: NullableInstant;
  reviewed_by_id: number | null;
  reviewed_by_username: string | null;
  created_at: Instant;
}

/** `school_id` 0 stands for what belongs to no school. */
interface ActivityTable {
  school_id: number;
  id: GeneratedAlways<number>;
  created_at: Instant;
  admin_id: number;
  username: string;
  action: string;
  target_id: number | null;
  target_name: string | null;
  ip: string | null;
  user_agent: string | null;
}

interface AdminTable {
  id: GeneratedAlways<number>;
  username: string;
  password_hash: string;
  /** Handed out by someone else and not changed since. */
  password_is_initial: Generated<boolean>;
  /** From when on an initial password signs in no more; null: it does not end. */
  password_expires_at: NullableInstant;
  role: Role;
  school_id: number | null;
  grade_id: number | null;
  class_id: number | null;
  disabled: Generated<boolean>;
  created_at: Instant;
}

interface AdminSessionTable extends SessionOrigin {
  token_hash: Buffer;
  admin_id: number;
  created_at: Instant;
  last_seen_at: Instant;
  /** When its person last proved who it is: by signing in, by a password or by a passkey. */
  confirmed_at: Instant;
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
  expires_at: NullableInstant;
  disabled: Generated<boolean>;
  revoked_at: NullableInstant;
  call_count: Generated<number>;
  last_used_at: NullableInstant;
  last_used_ip: string | null;
  created_at: Instant;
  issuer_id: number;
  issuer_username: string;
}

/** `school_id` 0 stands for a call that named no known credential. */
interface AuditRecordTable {
  school_id: number;
  id: GeneratedAlways<number>;
  created_at: Instant;
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

/** Of each process that writes batches behind its requests, the last batch that is stored. */
interface BatchWriterTable {
  id: string;
  last_batch: number;
  /** By the clock of the database. */
  written_at: Generated<string>;
}

/** The app that shows an administrator's codes. */
interface CodeAppTable {
  admin_id: number;
  sealed_secret: Buffer;
  /** Codes of this step and earlier count no more. */
  last_step: number;
  created_at: Instant;
}

/** A row goes when its code is used. */
interface RecoveryCodeTable {
  admin_id: number;
  code_hash: Buffer;
}

interface PasskeyTable {
  id: GeneratedAlways<number>;
  admin_id: number;
  credential_id: string;
  public_key: Buffer;
  /** Of its uses, as it counts them itself; 0 where it does not. */
  counter: number;
  /** The host for which it was made. */
  rp_id: string;
  transports: string[];
  name: string;
  created_at: Instant;
  last_used_at: NullableInstant;
}

/** Challenges that were answered, as long as they would last. */
interface SpentChallengeTable {
  challenge_hash: Buffer;
  created_at: Instant;
}

interface SecondFactorRoleTable {
  role: Role;
}

export interface Tables {
  school: SchoolTable;
  grade: GradeTable;
  class: ClassTable;
  class_day: ClassDayTable;
  student: StudentTable;
  score_record: ScoreRecordTable;
  template: TemplateTable;
  idempotency_key: IdempotencyKeyTable;
  student_session: StudentSessionTable;
  student_event: StudentEventTable;
  sign_in_code: SignInCodeTable;
  sign_in_provider: SignInProviderTable;
  sign_in_identity: SignInIdentityTable;
  sign_in_flow: SignInFlowTable;
  seat: SeatTable;
  term: TermTable;
  term_standing: TermStandingTable;
  announcement: AnnouncementTable;
  application: ApplicationTable;
  activity: ActivityTable;
  admin: AdminTable;
  admin_session: AdminSessionTable;
  api_token: ApiTokenTable;
  audit_record: AuditRecordTable;
  batch_writer: BatchWriterTable;
  code_app: CodeAppTable;
  recovery_code: RecoveryCodeTable;
  passkey: PasskeyTable;
  spent_challenge: SpentChallengeTable;
  second_factor_role: SecondFactorRoleTable;
}

/** Checked by the compiler to be all of them. */
const named: Record<keyof Tables, true> = {
  school: true,
  grade: true,
  class: true,
  class_day: true,
  student: true,
  score_record: true,
  template: true,
  idempotency_key: true,
  student_session: true,
  student_event: true,
  sign_in_code: true,
  sign_in_provider: true,
  sign_in_identity: true,
  sign_in_flow: true,
  seat: true,
  term: true,
  term_standing: true,
  announcement: true,
  application: true,
  activity: true,
  admin: true,
  admin_session: true,
  api_token: true,
  audit_record: true,
  batch_writer: true,
  code_app: true,
  recovery_code: true,
  passkey: true,
  spent_challenge: true,
  second_factor_role: true,
};

/** The names of all tables of the product. */
export const tableNames: readonly string[] = Object.keys(named);
