import type { CredentialStatus, Permission, ScopeType } from '@classledger/contract';
import { sql } from 'kysely';
import type { Queryable } from '../database/connect.ts';
import { AppError, schoolGone } from '../errors/app-error.ts';
import { adminRange, covers, type Range } from './range.ts';

export interface Credential {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly scopeType: ScopeType;
  readonly range: Range;
  readonly issuerId: number;
  readonly permissions: ReadonlySet<Permission>;
  readonly scopes: readonly Permission[];
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly school: { readonly id: number; readonly name: string } | null;
  readonly timeZone: string;
  /** `assertUsable` refuses the credential when one of these three is true. */
  readonly disabled: boolean;
  readonly schoolDisabled: boolean;
  readonly issuerUnable: boolean;
}

/**
 * Rejects an unusable credential (docs/contract.md, Credentials).
 * @throws AppError token_disabled, token_expired, school_disabled, token_issuer_disabled
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

/** Selects credentials as `k`. Reads no table that is distributed by school, because the school is still unknown. */
export function selectCredentials(db: Queryable) {
  return db
    .selectFrom('api_token as k')
    .leftJoin('school', 'school.id', 'k.school_id')
    .leftJoin('admin as issuer', 'issuer.id', 'k.issuer_id')
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
      'k.issuer_id',
      'school.name as school_name',
      'school.disabled as school_disabled',
      'school.time_zone',
      'issuer.role as issuer_role',
      'issuer.school_id as issuer_school_id',
      'issuer.grade_id as issuer_grade_id',
      'issuer.class_id as issuer_class_id',
      'issuer.disabled as issuer_disabled',
    ]);
}

type CredentialRow = Awaited<ReturnType<ReturnType<typeof selectCredentials>['executeTakeFirstOrThrow']>>;

/** Converts rows of `selectCredentials` in their order. Runs one further query at most, and usually none. */
export async function toCredentials(db: Queryable, rows: readonly CredentialRow[]): Promise<Credential[]> {
  const unsure = rows.filter((row) => row.scope_type !== 'school' && !isWithinIssuer(row, null));
  const gradeOf = await readGrades(db, unsure);
  return rows.map((row) => toCredential(row, exceedsIssuer(row, gradeOf)));
}

function toCredential(row: CredentialRow, exceedsIssuer: boolean): Credential {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopeType: row.scope_type,
    range: rangeOf(row),
    issuerId: row.issuer_id,
    permissions: new Set(row.scopes),
    scopes: row.scopes,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    school: row.school_name === null ? null : { id: row.school_id, name: row.school_name },
    timeZone: row.time_zone ?? 'UTC',
    disabled: row.disabled || row.revoked_at !== null,
    schoolDisabled: row.school_disabled !== false,
    issuerUnable: row.issuer_disabled !== false || exceedsIssuer,
  };
}

const rangeOf = (row: CredentialRow): Range => ({
  schoolId: row.school_id,
  gradeId: row.scope_grade_id,
  classId: row.scope_class_id,
});

type GradeOf = (row: CredentialRow) => number | null;

function exceedsIssuer(row: CredentialRow, gradeOf: GradeOf): boolean {
  if (isWithinIssuer(row, null)) return false;
  if (row.scope_type === 'school' || row.issuer_role === null) return true;
  const gradeId = gradeOf(row);
  // Accepts a credential for a deleted grade or class: it reads nothing, so it stays within its issuer's range.
  return gradeId !== null && !isWithinIssuer(row, gradeId);
}

function isWithinIssuer(row: CredentialRow, gradeId: number | null): boolean {
  if (row.issuer_role === null) return false;
  const issuer = adminRange({
    role: row.issuer_role,
    schoolId: row.issuer_school_id,
    gradeId: row.issuer_grade_id,
    classId: row.issuer_class_id,
  });
  if (issuer === null || issuer === 'everything') return issuer !== null;
  const range = rangeOf(row);
  return covers(issuer, { ...range, gradeId: range.gradeId ?? gradeId });
}

/** Reads all grades in one query. For a single school, a distributed database runs the query on that school's node. */
async function readGrades(db: Queryable, rows: readonly CredentialRow[]): Promise<GradeOf> {
  if (rows.length === 0) return () => null;
  const schools = [...new Set(rows.map((row) => row.school_id))];
  const inSchools =
    schools.length === 1 ? sql`school_id = ${schools[0]}` : sql`school_id = ANY(${schools}::bigint[])`;
  const idsOf = (column: 'scope_grade_id' | 'scope_class_id') =>
    sql`id = ANY(${rows.map((row) => row[column]).filter((id) => id !== null)}::bigint[])`;
  const found = await sql<{ type: string; id: number; gradeId: number }>`
    SELECT 'grade' AS type, id, id AS "gradeId" FROM grade WHERE ${inSchools} AND ${idsOf('scope_grade_id')}
    UNION ALL
    SELECT 'class', id, grade_id FROM class WHERE ${inSchools} AND ${idsOf('scope_class_id')}`.execute(db);
  const grades = new Map(found.rows.map(({ type, id, gradeId }) => [`${type} ${id}`, gradeId]));
  return (row) => grades.get(`${row.scope_type} ${row.scope_class_id ?? row.scope_grade_id}`) ?? null;
}
