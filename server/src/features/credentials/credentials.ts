import {
  type Body,
  type Credential as CredentialRecord,
  type InternalOperations,
  type Permission,
  permissions,
  scopeTypes,
} from '@classledger/contract';
import { announceAccessChange } from '../../access/access-changes.ts';
import { type Credential, selectCredentials, statusOf, toCredentials } from '../../access/credential.ts';
import { adminRange, covers, type Range } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Admin, ManagerCall } from '../../access/sessions.ts';
import { requireOpenClass, requireOpenGrade } from '../../access/targets.ts';
import { generateToken, hashToken, tokenPrefix } from '../../access/token.ts';
import type { Database } from '../../database/connect.ts';
import { readPage, type Slice } from '../../database/page.ts';
import { inTransaction } from '../../database/transaction.ts';
import { AppError, invalidValue, notFound, outOfRange } from '../../errors/app-error.ts';

export interface CredentialSettings {
  readonly tokenPrefix: string;
  readonly maxExpireDays: number;
}

export interface CredentialServices {
  readonly db: Database;
  readonly settings: CredentialSettings;
}

type NewCredential = Body<InternalOperations['issueCredential']>;
type RequestedScope = Pick<NewCredential, 'scopeType' | 'scopeGradeId' | 'scopeClassId'>;
type Change = Body<InternalOperations['updateCredential']>;

const dayMs = 86_400_000;

/** @param data null selects all */
export function credentialsInRange(db: Database, data: SchoolData | null) {
  const all = db.selectFrom('api_token').select('id');
  if (!data) return all;
  const { schoolId, gradeId, classId } = data.range;
  const ofSchool = all.where('school_id', '=', schoolId);
  if (classId !== null) return ofSchool.where('scope_class_id', '=', classId);
  if (gradeId === null) return ofSchool;
  return ofSchool.where((is) =>
    is.or([
      is('scope_grade_id', '=', gradeId),
      is('scope_class_id', 'in', data.classesUnjoined().select('c.id')),
    ]),
  );
}

function selectCredentialRecords(db: Database) {
  return selectCredentials(db).select([
    'k.call_count',
    'k.last_used_at',
    'k.last_used_ip',
    'k.issuer_username',
  ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectCredentialRecords>['executeTakeFirstOrThrow']>>;

async function toCredentialRecords(db: Database, rows: readonly Row[], now: Date) {
  const credentials = await toCredentials(db, rows);
  return rows.map((row, index) => toCredentialRecord(row, credentials[index] as Credential, now));
}

function toCredentialRecord(row: Row, credential: Credential, now: Date): CredentialRecord {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    status: statusOf(credential, now),
    schoolId: row.school_id,
    scopeType: row.scope_type,
    scopeGradeId: row.scope_grade_id,
    scopeClassId: row.scope_class_id,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    disabled: row.disabled,
    callCount: row.call_count,
    lastUsedAt: row.last_used_at,
    lastUsedIp: row.last_used_ip,
    createdAt: row.created_at,
    createdBy: { id: row.issuer_id, username: row.issuer_username },
  };
}

export async function listCredentials(db: Database, data: SchoolData | null, slice: Slice, now: Date) {
  const counted = credentialsInRange(db, data).where('revoked_at', 'is', null);
  const records = selectCredentialRecords(db)
    .where('k.id', 'in', credentialsInRange(db, data))
    .where('k.revoked_at', 'is', null)
    .orderBy('k.id', 'desc');
  const page = await readPage(records, slice, 'k.id', { counted });
  const answers = await toCredentialRecords(db, page.list, now);
  return page.mapParts(async (read) => toCredentialRecords(db, await read(), now), answers);
}

/** @throws AppError as `requireCredential` */
export async function readManagedCredential(db: Database, call: ManagerCall, id: number) {
  await requireCredential(db, call, id);
  return readCredential(db, id, call.at);
}

/** @throws AppError not_found */
async function readCredential(db: Database, id: number, now: Date): Promise<CredentialRecord> {
  const rows = await selectCredentialRecords(db).where('k.id', '=', id).execute();
  const [answer] = await toCredentialRecords(db, rows, now);
  if (!answer) throw notFound('The credential');
  return answer;
}

/**
 * Issues a credential. Only this result contains its token in plain text.
 * @throws AppError invalid_value, missing_field, not_found, out_of_range, conflict (the scope is archived)
 */
export async function issueCredential(
  { db, settings }: CredentialServices,
  { admin, data, at }: { readonly admin: Admin; readonly data: SchoolData; readonly at: Date },
  input: NewCredential,
) {
  const scope = await resolveScope(data, input);
  const plaintext = generateToken(settings.tokenPrefix);
  const { id } = await db
    .insertInto('api_token')
    .values({
      school_id: data.schoolId,
      name: input.name,
      token_hash: hashToken(plaintext),
      prefix: tokenPrefix(plaintext),
      scope_type: input.scopeType,
      scope_grade_id: scope.gradeId,
      scope_class_id: scope.classId,
      scopes: distinct(input.scopes),
      expires_at: expiryAfter(input.expiresInDays ?? null, settings, at),
      created_at: at,
      issuer_id: admin.id,
      issuer_username: admin.username,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...(await readCredential(db, id, at)), token: plaintext };
}

/** Returns the scope's school, by default the only one. @throws AppError not_found, missing_parameter (not just one) */
export async function readSchoolOfScope(db: Database, input: RequestedScope): Promise<number> {
  const { scopeGradeId: gradeId, scopeClassId: classId } = input;
  const named = classId != null ? ('class' as const) : gradeId != null ? ('grade' as const) : null;
  if (named !== null) {
    const found = await db
      .selectFrom(named)
      .where('id', '=', classId ?? gradeId ?? 0)
      .select('school_id')
      .executeTakeFirstOrThrow(() => notFound(named === 'class' ? 'The class' : 'The grade'));
    return found.school_id;
  }
  const [only, ...others] = await db.selectFrom('school').select('id').limit(2).execute();
  if (only && others.length === 0) return only.id;
  throw new AppError('missing_parameter', 'schoolDb is required: name the school of the credential');
}

/** @throws AppError invalid_value, missing_field, not_found, out_of_range (of the issuer), conflict (archived) */
export async function resolveScope(data: SchoolData, input: RequestedScope): Promise<Range> {
  const { range, schoolId } = data;
  const gradeId = input.scopeGradeId ?? null;
  const classId = input.scopeClassId ?? null;
  if (input.scopeType === 'school') {
    if (gradeId !== null || classId !== null)
      throw invalidValue('A credential for a school takes no grade or class');
    const scope = { schoolId, gradeId: null, classId: null };
    if (!covers(range, scope)) throw outOfRange('The whole school');
    return scope;
  }
  if (input.scopeType === 'grade') {
    if (classId !== null) throw invalidValue('A credential for a grade takes no class');
    // Defaults to the own grade of a head of grade.
    const chosen = gradeId ?? (range.classId === null ? range.gradeId : null);
    if (chosen === null) throw new AppError('missing_field', 'scopeGradeId is required');
    await requireOpenGrade(data, chosen);
    return { schoolId, gradeId: chosen, classId: null };
  }
  const chosen = classId ?? range.classId;
  if (chosen === null) throw new AppError('missing_field', 'scopeClassId is required');
  const target = await requireOpenClass(data, chosen);
  if (gradeId !== null && gradeId !== target.gradeId)
    throw invalidValue('The class scopeClassId is not in the grade scopeGradeId');
  return { schoolId, gradeId: null, classId: chosen };
}

/** Changes a credential except its scope. @throws AppError not_found, out_of_range, invalid_value */
export async function changeCredential(
  { db, settings }: CredentialServices,
  call: ManagerCall,
  id: number,
  change: Change,
): Promise<CredentialRecord> {
  const current = await readManagedCredential(db, call, id);
  const expiresAt = changedExpiry(change, current, settings, call.at);
  const disabled = changedDisabled(change, current);
  const scopes = change.scopes && distinct(change.scopes);
  const set = { name: change.name, scopes, expires_at: expiresAt, disabled };
  // Skips the update when the body only repeats the current status or expiry.
  if (Object.values(set).every((value) => value === undefined)) return current;
  await inTransaction(db, async (tx) => {
    await tx.updateTable('api_token').where('id', '=', id).where('revoked_at', 'is', null).set(set).execute();
    await announceAccessChange(tx, { credentialId: id });
  });
  return readCredential(db, id, call.at);
}

/** Keeps hash and audit records. Returns the school for the activity log. @throws AppError not_found, out_of_range */
export async function revokeCredential(db: Database, call: ManagerCall, id: number) {
  const { name, schoolId } = await requireCredential(db, call, id);
  await inTransaction(db, async (tx) => {
    await tx.updateTable('api_token').where('id', '=', id).set({ revoked_at: call.at }).execute();
    await announceAccessChange(tx, { credentialId: id });
  });
  return { id, name, schoolId };
}

/** @throws AppError not_found (also in another school, or revoked when `which` is live), out_of_range */
export async function requireCredential(
  db: Database,
  { admin, data }: ManagerCall,
  id: number,
  which: 'including revoked' | 'live' = 'live',
) {
  const found = await db
    .selectFrom('api_token')
    .where('id', '=', id)
    .select(['name', 'school_id as schoolId', 'revoked_at as revokedAt'])
    .executeTakeFirst();
  const ownSchoolId =
    adminRange(admin) === 'everything' ? (data?.schoolId ?? found?.schoolId) : admin.schoolId;
  if (!found || found.schoolId !== ownSchoolId || (found.revokedAt !== null && which === 'live')) {
    throw notFound('The credential');
  }
  const inRange = await credentialsInRange(db, data).where('id', '=', id).executeTakeFirst();
  if (!inRange) throw outOfRange('The credential');
  return found;
}

const distinct = (scopes: readonly Permission[]) => [...new Set(scopes)];

function changedExpiry(
  { expiresInDays: days, expiresAt }: Change,
  current: CredentialRecord,
  settings: CredentialSettings,
  now: Date,
): Date | null | undefined {
  if (expiresAt === undefined) return days === undefined ? undefined : expiryAfter(days, settings, now);
  if (days !== undefined && (days !== null || expiresAt !== null)) {
    throw invalidValue('Send either expiresAt or expiresInDays');
  }
  if (expiresAt === null) return null;
  const end = new Date(expiresAt);
  if (end.toISOString() === current.expiresAt) return undefined;
  const { maxExpireDays } = settings;
  if (end.getTime() <= now.getTime()) throw invalidValue('expiresAt must be in the future');
  if (end.getTime() > now.getTime() + maxExpireDays * dayMs) {
    throw invalidValue(`expiresAt must be at most ${maxExpireDays} days from now`);
  }
  return end;
}

/** Accepts a derived status, such as expired, only if it is the current one. @throws AppError invalid_value */
function changedDisabled({ disabled, status }: Change, current: CredentialRecord): boolean | undefined {
  if (status === undefined) return disabled;
  if (status !== 'enabled' && status !== 'disabled') {
    if (status === current.status) return disabled;
    throw invalidValue('status can be changed to enabled or disabled');
  }
  const isDisabledByStatus = status === 'disabled';
  if (disabled !== undefined && disabled !== isDisabledByStatus) {
    throw invalidValue('disabled and status contradict each other; send one of them');
  }
  return isDisabledByStatus;
}

function expiryAfter(days: number | null, { maxExpireDays }: CredentialSettings, now: Date): Date | null {
  if (days === null) return null;
  if (days > maxExpireDays) throw invalidValue(`expiresInDays must be at most ${maxExpireDays}`);
  return new Date(now.getTime() + days * dayMs);
}

/** Returns the scopes and permissions that an administrator can issue. */
export function credentialMeta(admin: Admin, { maxExpireDays }: CredentialSettings) {
  const range = adminRange(admin);
  const { gradeId, classId } = range && range !== 'everything' ? range : { gradeId: null, classId: null };
  return {
    // An administrator whose grade or class was deleted has lost the range, and so the right to issue.
    scopeTypes: scopeTypes.filter(
      (type) =>
        range !== null && (type === 'class' || (classId === null && (type === 'grade' || gradeId === null))),
    ),
    permissions: [...permissions],
    // A class administrator's range has no grade id, so the class's grade comes from the account.
    fixedGradeId: gradeId ?? admin.gradeId,
    fixedClassId: classId,
    maxExpireDays,
  };
}
