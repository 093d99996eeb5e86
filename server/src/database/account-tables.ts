import type { Role, SignInProvider, StudentEventKind } from '@classledger/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Read as UTC ISO 8601 text with milliseconds (connect.ts); written from a Date or such text. */
export type TimestampColumn = ColumnType<string, Date | string, Date | string>;
export type NullableTimestampColumn = ColumnType<string | null, Date | string | null, Date | string | null>;

export type SignInMethod = 'password' | 'passkey' | 'provider' | 'code';

export interface SessionOrigin {
  id: GeneratedAlways<number>;
  opened_with: Generated<SignInMethod>;
  /** True on a shared computer, where a session ends sooner. */
  shared: Generated<boolean>;
  ip: string | null;
  user_agent: string | null;
}

/** Valid for 30 days from `created_at`, or 8 hours on a shared computer. */
interface StudentSessionTable extends SessionOrigin {
  school_id: number;
  token_hash: Buffer;
  student_id: number;
  created_at: TimestampColumn;
  last_seen_at: TimestampColumn;
}

export interface AdminSessionTable extends SessionOrigin {
  token_hash: Buffer;
  admin_id: number;
  created_at: TimestampColumn;
  last_seen_at: TimestampColumn;
  /** The last sign-in or confirmation, with a password, a passkey or a provider. */
  confirmed_at: TimestampColumn;
  /** The last confirmation with a passkey or at a provider; signing in does not count. */
  confirmed_without_password_at: NullableTimestampColumn;
  /** Whether sensitive changes need a recent confirmation. Set at the sign-in and never changed. */
  asks_confirmations: Generated<boolean>;
}

export interface AccountTables {
  student_session: StudentSessionTable;
  student_event: {
    school_id: number;
    id: GeneratedAlways<number>;
    created_at: TimestampColumn;
    student_id: number;
    kind: StudentEventKind;
    ip: string | null;
    user_agent: string | null;
  };
  sign_in_code: {
    school_id: number;
    code_hash: Buffer;
    student_id: number;
    /** The sign-in method of a session that the code opens. */
    opens: 'code' | 'provider';
    created_at: TimestampColumn;
    expires_at: TimestampColumn;
  };
  sign_in_provider: {
    school_id: number;
    id: GeneratedAlways<number>;
    kind: SignInProvider['kind'];
    name: string;
    issuer: string;
    client_id: string;
    /** Encrypted. */
    client_secret: Buffer;
    scopes: string;
    for_administrators: boolean;
    for_students: boolean;
    claim: string;
    student_attribute: SignInProvider['studentAttribute'];
    create_students_in: number | null;
    enabled: boolean;
    created_at: TimestampColumn;
  };
  sign_in_identity: {
    school_id: number;
    id: GeneratedAlways<number>;
    provider_id: number;
    admin_id: number | null;
    student_id: number | null;
    subject: string;
    created_at: TimestampColumn;
  };
  sign_in_flow: {
    school_id: number;
    state_hash: Buffer;
    browser_hash: Buffer;
    provider_id: number;
    purpose: 'administrator' | 'student' | 'confirmation';
    session_hash: Buffer | null;
    popup: boolean;
    shared: boolean;
    asks_confirmations: Generated<boolean>;
    return_path: string;
    created_at: TimestampColumn;
  };
  admin: {
    id: GeneratedAlways<number>;
    username: string;
    name: string | null;
    password_hash: string;
    /** True while the password is one that another person set. */
    password_is_initial: Generated<boolean>;
    /** Whether the current initial password was used to sign in. */
    password_is_used: Generated<boolean>;
    /** Null means never. */
    password_expires_at: NullableTimestampColumn;
    role: Role;
    school_id: number | null;
    grade_id: number | null;
    class_id: number | null;
    disabled: Generated<boolean>;
    created_at: TimestampColumn;
    /** The last change by another administrator. */
    updated_at: NullableTimestampColumn;
  };
  /** The classes that an administrator teaches beside those that the role manages. */
  teaching: {
    admin_id: number;
    school_id: number;
    class_id: number;
    subject: string | null;
    /** The promotion that ended the assignment; null while it holds. */
    promotion_id: number | null;
    created_at: TimestampColumn;
  };
  admin_session: AdminSessionTable;
  code_app: {
    admin_id: number;
    sealed_secret: Buffer;
    last_step: number;
    created_at: TimestampColumn;
  };
  /** Deleted when its code is used. */
  recovery_code: {
    admin_id: number;
    code_hash: Buffer;
  };
  passkey: {
    id: GeneratedAlways<number>;
    admin_id: number;
    credential_id: string;
    public_key: Buffer;
    /** The passkey's own signature counter; 0 when it does not count. */
    counter: number;
    rp_id: string;
    transports: string[];
    name: string;
    created_at: TimestampColumn;
    last_used_at: NullableTimestampColumn;
  };
  /** Stores used challenges until they expire. */
  spent_challenge: {
    challenge_hash: Buffer;
    created_at: TimestampColumn;
  };
  second_factor_role: {
    role: Role;
  };
}
