import type {
  Absence,
  Announcement,
  Application,
  ChangeAction,
  ChangeType,
  ClassroomTool,
  ClassTeams,
  Delivery,
  ImportEffect,
  ImportEntry,
  ImportRow,
  ImportRun,
  Permission,
  SchoolSettings,
  ScopeType,
  Term,
  Webhook,
  WebhookEvent,
} from '@classledger/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { GivenColumns } from '../fields/students.ts';
import type { AccountTables, NullableTimestampColumn, TimestampColumn } from './account-tables.ts';

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

type Json<T> = ColumnType<T, string, string>;
type Reasons = Readonly<Record<string, ImportEffect['kept'][number]['because']>>;

/** A skipped entry has failed already, for the reason that the caller sent. */
export type StoredEntry = ImportEntry & { readonly skipped?: boolean };

export interface Tables extends AccountTables {
  school: {
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
  };
  grade: {
    school_id: number;
    id: GeneratedAlways<number>;
    name: string;
    created_at: TimestampColumn;
    /** Null until the first change; also in classes and students. */
    updated_at: NullableTimestampColumn;
    /** Set when the grade is created for graduated classes; null in other grades. */
    archived_at: NullableTimestampColumn;
  };
  /** Code that changes students or point records updates the counts and sums in the same transaction. */
  class: {
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
  };
  /** Counts and sums of the live records of a class on one day. */
  class_day: {
    school_id: number;
    class_id: number;
    day: string;
    add_count: number;
    deduct_count: number;
    record_count: number;
    add_score: number;
    deduct_score: number;
  };
  /** The same for the records of one category. */
  class_day_category: Tables['class_day'] & { category_id: number };
  student: StudentTable;
  student_category: {
    school_id: number;
    student_id: number;
    category_id: number;
    record_count: number;
    add_score: number;
    deduct_score: number;
  };
  /** The ledger. A record is live until it is revoked or its term is closed. */
  score_record: {
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
    category_id: number | null;
  };
  category: {
    school_id: number;
    id: GeneratedAlways<number>;
    code: string;
    name: string;
    colour: number;
    position: number;
    retired_at: NullableTimestampColumn;
    created_at: TimestampColumn;
    updated_at: TimestampColumn;
  };
  template: {
    school_id: number;
    id: GeneratedAlways<number>;
    class_id: number | null;
    name: string;
    score_change: number;
    description: string;
    category_id: number | null;
    created_at: TimestampColumn;
    updated_at: TimestampColumn;
  };
  idempotency_key: {
    school_id: number;
    owner: string;
    key: string;
    endpoint: string;
    request_id: string;
    answer: Buffer;
    created_at: TimestampColumn;
  };
  change: {
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
  };
  term: {
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
  };
  term_standing: {
    school_id: number;
    term_id: number;
    student_id: number;
    username: string;
    actual_name: string;
    add_score: number;
    deduct_score: number;
    score_count: number;
  };
  absence: {
    school_id: number;
    id: GeneratedAlways<number>;
    student_id: number;
    day: string;
    state: Absence['state'];
    admin_id: number | null;
    marked_at: TimestampColumn;
  };
  seat: {
    school_id: number;
    id: GeneratedAlways<number>;
    class_id: number;
    group_index: number;
    row_index: number;
    col_index: number;
    student_id: number | null;
  };
  team: {
    school_id: number;
    id: GeneratedAlways<number>;
    class_id: number;
    position: number;
    name: string;
    colour: number;
    created_at: TimestampColumn;
  };
  team_member: {
    school_id: number;
    student_id: number;
    team_id: number;
    /** Only points given since then count for the team. */
    joined_at: TimestampColumn;
  };
  /** Points of a team itself; live until the record is revoked or its term is closed. */
  team_record: {
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
  };
  promotion: {
    school_id: number;
    id: GeneratedAlways<number>;
    name: string;
    created_at: TimestampColumn;
    admin_id: number;
    username: string;
    scored_until: TimestampColumn;
    archived_grade_id: number | null;
    undone_at: NullableTimestampColumn;
  };
  promotion_class: {
    school_id: number;
    promotion_id: number;
    class_id: number;
    name_before: string;
    name_after: string;
    from_grade_id: number;
    to_grade_id: number;
    from_grade_name: string;
    to_grade_name: string;
    students: number;
  };
  promotion_student: {
    school_id: number;
    promotion_id: number;
    student_id: number;
  };
  import_run: {
    school_id: number;
    id: GeneratedAlways<number>;
    name: string | null;
    source: ImportRun['source'];
    admin_id: number;
    username: string;
    created_at: TimestampColumn;
    part_count: Generated<number>;
    parts: Generated<number>;
    total_count: Generated<number>;
    done_count: Generated<number>;
    failed_count: Generated<number>;
    created_count: Generated<number>;
    changed_count: Generated<number>;
    missing_count: Generated<number>;
    undo_begun_at: NullableTimestampColumn;
    undone_at: NullableTimestampColumn;
    undone_by: string | null;
    restored_count: Generated<number>;
    kept_count: Generated<number>;
  };
  import_effect: {
    school_id: number;
    import_id: number;
    part: number;
    student_id: number;
    action: ImportEffect['action'];
    before: Json<ImportEffect['before']>;
    after: Json<ImportEffect['after']>;
    undone_at: NullableTimestampColumn;
    kept: ColumnType<Reasons | null, string | null | undefined, string | null>;
  };
  import_row: {
    school_id: number;
    import_id: number;
    part: number;
    position: number;
    created_at: TimestampColumn;
    entry: Json<StoredEntry>;
    student_id: number | null;
    action: ImportRow['action'];
    code: number | null;
    reason: string | null;
    secrets: Buffer | null;
  };
  import_job: {
    id: GeneratedAlways<number>;
    school_id: number;
    import_id: number;
    admin_id: number;
    owner: string | null;
    owned_until: NullableTimestampColumn;
  };
  webhook: {
    id: GeneratedAlways<number>;
    school_id: number;
    token_id: number;
    url: string;
    events: WebhookEvent[];
    description: string;
    active: boolean;
    secret: Buffer;
    old_secret: Buffer | null;
    old_secret_until: NullableTimestampColumn;
    cursor: string;
    cursor_at: TimestampColumn;
    next_number: Generated<number>;
    failures: Generated<number>;
    failing_since: NullableTimestampColumn;
    retry_at: NullableTimestampColumn;
    last_delivered_at: NullableTimestampColumn;
    missed_at: NullableTimestampColumn;
    stopped_because: Webhook['stoppedBecause'];
    owner: string | null;
    owned_until: NullableTimestampColumn;
    created_at: TimestampColumn;
    updated_at: TimestampColumn;
  };
  webhook_delivery: {
    school_id: number;
    created_at: TimestampColumn;
    webhook_id: number;
    number: number;
    type: ChangeType;
    action: ChangeAction;
    thing_id: number;
    changed_at: TimestampColumn;
    line: string;
    tombstone: ColumnType<object | null, string | null, string | null>;
    state: Delivery['state'];
    attempts: Generated<number>;
    first_attempt_at: NullableTimestampColumn;
    last_attempt_at: NullableTimestampColumn;
    next_attempt_at: TimestampColumn;
    status_code: number | null;
    latency_ms: number | null;
    error: string | null;
  };
  announcement: {
    id: GeneratedAlways<number>;
    title: string;
    content: string;
    type: Announcement['type'];
    active: boolean;
    created_at: TimestampColumn;
    updated_at: TimestampColumn;
  };
  application: {
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
  };
  /** `school_id` 0: no school. */
  activity: {
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
  };
  api_token: {
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
  };
  /** `school_id` 0: a call without a known credential. */
  audit_record: {
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
  };
  /** The last stored batch of each `BatchWriter`. */
  batch_writer: {
    id: string;
    last_batch: number;
    written_at: Generated<string>;
  };
  /** Unlogged; see `0007-credentials`. */
  rate_limit_window: {
    token_id: number;
    total_started_at: TimestampColumn;
    total_granted: number;
    total_holders: number;
    total_part: number;
    write_started_at: TimestampColumn;
    write_granted: number;
    write_holders: number;
    write_part: number;
  };
  counted_event: {
    counter: Buffer;
    event: Buffer;
    undecided: boolean;
    expires_at: TimestampColumn;
  };
}

interface TableUse {
  /** Where rows are in a distributed database (distribute.ts): with their school, or on the coordinator. */
  readonly placement: 'school' | 'coordinator';
  /** Returns the condition for rows in the backup of a school; null for tables of the installation. */
  readonly backup: ((school: number) => string) | null | 'left out';
}

const bySchool = (school: number) => `school_id = ${school}`;
const byAdmin = (school: number) => `admin_id IN (SELECT id FROM admin WHERE school_id = ${school})`;
const ofSchool: TableUse = { placement: 'school', backup: bySchool };

/**
 * Lists each table after those that it refers to, as a restore fills them. Backups leave out sessions, because restored
 * ones would undo sign-outs.
 */
const uses: Readonly<Record<keyof Tables, TableUse>> = {
  school: { placement: 'coordinator', backup: (school) => `id = ${school}` },
  grade: ofSchool,
  class: ofSchool,
  class_day: ofSchool,
  category: ofSchool,
  class_day_category: ofSchool,
  student: ofSchool,
  student_category: ofSchool,
  admin: { placement: 'coordinator', backup: bySchool },
  teaching: { placement: 'coordinator', backup: bySchool },
  term: ofSchool,
  term_standing: ofSchool,
  promotion: ofSchool,
  promotion_class: ofSchool,
  promotion_student: ofSchool,
  score_record: ofSchool,
  absence: ofSchool,
  template: ofSchool,
  seat: ofSchool,
  team: ofSchool,
  team_member: ofSchool,
  team_record: ofSchool,
  api_token: { placement: 'coordinator', backup: bySchool },
  // Backed up, so that a call that is repeated after a restore does nothing twice.
  idempotency_key: ofSchool,
  // Backed up, because schools have handed out these codes on paper.
  sign_in_code: ofSchool,
  student_event: ofSchool,
  sign_in_provider: ofSchool,
  sign_in_identity: ofSchool,
  code_app: { placement: 'coordinator', backup: byAdmin },
  recovery_code: { placement: 'coordinator', backup: byAdmin },
  passkey: { placement: 'coordinator', backup: byAdmin },
  activity: ofSchool,
  import_run: ofSchool,
  import_effect: ofSchool,
  audit_record: ofSchool,
  announcement: { placement: 'coordinator', backup: null },
  application: { placement: 'coordinator', backup: null },
  second_factor_role: { placement: 'coordinator', backup: null },
  // Not part of a school's backup, because webhooks are encrypted with the secret of the installation.
  webhook: { placement: 'coordinator', backup: null },
  // Backed up, so that nobody can answer a passkey challenge again after a restore.
  spent_challenge: { placement: 'coordinator', backup: null },
  // Left out, because a restore stops imports that were running.
  import_row: { placement: 'school', backup: 'left out' },
  import_job: { placement: 'coordinator', backup: 'left out' },
  // Left out, because cursors depend on the transaction order of one database; readers start again after a restore.
  change: { placement: 'school', backup: 'left out' },
  admin_session: { placement: 'coordinator', backup: 'left out' },
  student_session: { placement: 'school', backup: 'left out' },
  sign_in_flow: { placement: 'school', backup: 'left out' },
  batch_writer: { placement: 'coordinator', backup: 'left out' },
  rate_limit_window: { placement: 'coordinator', backup: 'left out' },
  counted_event: { placement: 'coordinator', backup: 'left out' },
  // Left out, because webhooks tell their receivers after a restore that changes are missing.
  webhook_delivery: { placement: 'school', backup: 'left out' },
};

export const tableNames: readonly string[] = Object.keys(uses);

export const schoolTables: readonly string[] = Object.entries(uses).flatMap(([name, { placement }]) =>
  placement === 'school' ? [name] : [],
);

export interface BackupTable {
  readonly name: string;
  /** Undefined means all rows. */
  readonly condition: string | undefined;
}

/** Returns the tables of a backup, of a school or the installation, in the order in which they are restored. */
export function tablesOfBackup(school: number | null): readonly BackupTable[] {
  return Object.entries(uses).flatMap(([name, { backup }]): BackupTable[] => {
    if (backup === 'left out') return [];
    if (school === null) return [{ name, condition: undefined }];
    // COPY takes no parameters, so the number becomes part of the statement and must be an integer.
    return backup !== null && Number.isSafeInteger(school) ? [{ name, condition: backup(school) }] : [];
  });
}
