import type { Role, SignInProvider, StudentEventKind } from '@classledger/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Read as UTC ISO 8601 text with milliseconds (see connect.ts), written from a Date or such text. */
export type Instant = ColumnType<string, Date | string, Date | string>;
export type NullableInstant = ColumnType<string | null, Date | string | null, Date | string | null>;

/** By what a session was opened. */
export type SignInMethod = 'password' | 'passkey' | 'provider' | 'code';

/** How and where a session was opened. */
export interface SessionOrigin {
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
  /** Of the session that it opens. */
  asks_confirmations: Generated<boolean>;
  return_path: string;
  created_at: Instant;
}

interface AdminTable {
  id: GeneratedAlways<number>;
  username: string;
  password_hash: string;
  /** Handed out by someone else and not changed since. */
  password_is_initial: Generated<boolean>;
  /** Whether the present initial password has signed in. */
  password_is_used: Generated<boolean>;
  /** From when on an initial password signs in no more; null: it does not end. */
  password_expires_at: NullableInstant;
  role: Role;
  school_id: number | null;
  grade_id: number | null;
  class_id: number | null;
  disabled: Generated<boolean>;
  created_at: Instant;
}

export interface AdminSessionTable extends SessionOrigin {
  token_hash: Buffer;
  admin_id: number;
  created_at: Instant;
  last_seen_at: Instant;
  /** When its person last proved who it is: by signing in, by a password or by a passkey. */
  confirmed_at: Instant;
  /** When its person last confirmed with a passkey or at a provider; signing in does not count. */
  confirmed_without_password_at: NullableInstant;
  /** Whether what widens power needs a recent confirmation. Set at the sign-in, for good. */
  asks_confirmations: Generated<boolean>;
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

/** How people prove who they are: accounts of administrators, sessions, second factors, providers. */
export interface AccountTables {
  student_session: StudentSessionTable;
  student_event: StudentEventTable;
  sign_in_code: SignInCodeTable;
  sign_in_provider: SignInProviderTable;
  sign_in_identity: SignInIdentityTable;
  sign_in_flow: SignInFlowTable;
  admin: AdminTable;
  admin_session: AdminSessionTable;
  code_app: CodeAppTable;
  recovery_code: RecoveryCodeTable;
  passkey: PasskeyTable;
  spent_challenge: SpentChallengeTable;
  second_factor_role: SecondFactorRoleTable;
}
