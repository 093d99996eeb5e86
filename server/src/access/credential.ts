import type { CredentialStatus, Permission, ScopeType } from '@classledger/contract';
import { AppError, schoolGone } from '../app-error.ts';
import type { Database, Queryable } from '../database/connect.ts';
import { adminRange, covers, type Range } from './range.ts';
import { hashToken, isWellFormedToken } from './token.ts';

/** A credential with everything that decides whether it may be used, as of its last reading. */
export interface Credential {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly scopeType: ScopeType;
  readonly range: Range;
  readonly permissions: ReadonlySet<Permission>;
  readonly scopes: readonly Permission[];
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly school: { readonly id: number; readonly name: string } | null;
  /** Why it is refused whatever the time is; see `assertUsable` for the order. */
  readonly disabled: boolean;
  readonly schoolDisabled: boolean;
  readonly issuerUnable: boolean;
}

/**
 * Refuses a credential that may not be used now (docs/contract.md, Credentials).
 *
 * @throws AppError token_disabled, token_expired, school_disabled or token_issuer_disabled
 */
export function assertUsable(credential: Credential, now: Date): void {
  if (credential.disabled) throw new AppError('token_disabled', 'The credential is disabled or revoked');
  if (credential.expiresAt !== null && Date.parse(credential.expiresAt) < now.getTime()) {
    throw new AppError('token_expired', `The credential expired at ${credential.expiresAt}`);
  }
  if (credential.schoolDisabled) throw schoolGone();
  if (credential.issuerUnable) {
    throw new AppError(
      'token_issuer_disabled',
      'The administrator who issued the credential is disabled or no longer responsible for its range',
    );
  }
}

/** What administrators see of a credential's usability, by the same rule and in the same order. */
export function statusOf(credential: Credential, now: Date): CredentialStatus {
  try {
    assertUsable(credential, now);
    return 'enabled';
  } catch (error) {
    const kind = error instanceof AppError ? error.kind : null;
    if (kind === 'token_expired') return 'expired';
    if (kind === 'school_disabled') return 'school_disabled';
    return kind === 'token_issuer_disabled' ? 'issuer_disabled' : 'disabled';
  }
}

/**
 * Credentials with everything that decides about them: the school, the issuer and the grade of the target as
 * they are now. Alias `k`.
 */
export function selectCredentials(db: Queryable) {
  return db
    .selectFrom('api_token as k')
    .leftJoin('school', 'school.id', 'k.school_id')
    .leftJoin('admin as issuer', 'issuer.id', 'k.issuer_id')
    .leftJoin('class as target', (join) =>
      join.onRef('target.school_id', '=', 'k.school_id').onRef('target.id', '=', 'k.scope_class_id'),
    )
    .leftJoin('grade as target_grade', (join) =>
      join
        .onRef('target_grade.school_id', '=', 'k.school_id')
        .on((is) =>
          is.or([
            is('target_grade.id', '=', is.ref('k.scope_grade_id')),
            is('target_grade.id', '=', is.ref('target.grade_id')),
          ]),
        ),
    )
    .select([
      'k.id',
      'k.school_id',
      'k.name',
      'k.prefix',
      'k.scope_type',
      'k.scope_grade_id',
      'k.scope_class_id',
      'k.scopes',
      'k.expires_at',
      'k.disabled',
      'k.revoked_at',
      'k.created_at',
      'school.name as school_name',
      'school.disabled as school_disabled',
      'issuer.role as issuer_role',
      'issuer.school_id as issuer_school_id',
      'issuer.grade_id as issuer_grade_id',
      'issuer.class_id as issuer_class_id',
      'issuer.disabled as issuer_disabled',
      'target_grade.id as target_grade_id',
    ]);
}

type CredentialRow = Awaited<ReturnType<ReturnType<typeof selectCredentials>['executeTakeFirstOrThrow']>>;

export function toCredential(row: CredentialRow): Credential {
  const range: Range = {
    schoolId: row.school_id,
    gradeId: row.scope_grade_id,
    classId: row.scope_class_id,
  };
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopeType: row.scope_type,
    range,
    permissions: new Set(row.scopes),
    scopes: row.scopes,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    school: row.school_name === null ? null : { id: row.school_id, name: row.school_name },
    disabled: row.disabled || row.revoked_at !== null,
    schoolDisabled: row.school_disabled !== false,
    issuerUnable: row.issuer_disabled !== false || exceedsIssuer(row, range),
  };
}

/** Whether the credential reaches further than the administrator who issued it may today. */
function exceedsIssuer(row: CredentialRow, range: Range): boolean {
  if (row.issuer_role === null) return true;
  const issuer = adminRange({
    role: row.issuer_role,
    schoolId: row.issuer_school_id,
    gradeId: row.issuer_grade_id,
    classId: row.issuer_class_id,
  });
  if (issuer === 'everything') return false;
  // A deleted grade or class cannot be compared; a credential for it sees nothing anyway.
  if (row.scope_type !== 'school' && row.target_grade_id === null) return false;
  return issuer === null || !covers(issuer, { ...range, gradeId: row.target_grade_id });
}

/** Keeps memory bounded when many credentials are in use; past it, reading again is all that happens. */
const cachedMax = 10_000;

/**
 * Finds credentials by their plaintext. Readings are kept in memory, because every call needs one, and dropped
 * as soon as anything that decides about a credential changes. The database says so (access-changes.ts): to the
 * connection that made the change before its commit is answered, to all other processes a moment later. While no
 * notifications can arrive, nothing is kept.
 */
export class CredentialDirectory {
  readonly #db: Database;
  readonly #cached = new Map<string, Credential>();
  #generation = 0;
  #keeping = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Called once notifications arrive, and with false when they no longer do. */
  keepReadings(keeping: boolean): void {
    this.#keeping = keeping;
    this.forgetAll();
  }

  forgetAll(): void {
    this.#generation++;
    this.#cached.clear();
  }

  /** From memory alone. @returns null for one that is not there, known or not */
  remembered(plaintext: string): Credential | null {
    if (!isWellFormedToken(plaintext)) return null;
    return this.#cached.get(hashToken(plaintext).toString('base64')) ?? null;
  }

  /** Asks the database. @returns null when no credential has this plaintext */
  async find(plaintext: string): Promise<Credential | null> {
    if (!isWellFormedToken(plaintext)) return null;
    const tokenHash = hashToken(plaintext);
    const generation = this.#generation;
    const row = await selectCredentials(this.#db).where('k.token_hash', '=', tokenHash).executeTakeFirst();
    const credential = row ? toCredential(row) : null;
    // A change between reading and here makes the reading old already: use it for this call, do not keep it.
    if (credential && this.#keeping && generation === this.#generation && this.#cached.size < cachedMax) {
      this.#cached.set(tokenHash.toString('base64'), credential);
    }
    return credential;
  }
}
