import { hash, randomInt } from 'node:crypto';
import type { Data, InternalOperations, Passkey } from '@classledger/contract';
import type { Sealing } from '../../access/sealing.ts';
import { type Admin, type Device, ownsFactor } from '../../access/sessions.ts';
import type { Database, Queryable, Transaction } from '../../database/connect.ts';
import { countRows } from '../../database/page.ts';
import { inTransaction } from '../../database/transaction.ts';
import { AppError, conflict } from '../../errors/app-error.ts';
import type { SessionServices } from '../administrators/own-sessions.ts';

export interface FactorServices extends SessionServices {
  readonly sealing: Sealing;
}

/** The server's address as the browser sees it. A passkey works only for the host that it was made for. */
export interface ServerSite {
  readonly host: string;
  readonly origin: string;
}

export interface OwnFactorCall extends Device {
  readonly admin: Admin;
  readonly session: string;
  readonly site: ServerSite;
  readonly at: Date;
}

/** Reads an administrator's second factors. Recovery codes do not count as one. */
export async function readFactors(
  db: Queryable,
  admin: Admin,
): Promise<Data<InternalOperations['getSecondFactor']>> {
  const app = await db
    .selectFrom('code_app')
    .where('admin_id', '=', admin.id)
    .select('created_at')
    .executeTakeFirst();
  return {
    isRequired: await isFactorRequired(db, admin),
    codeAppSince: app?.created_at ?? null,
    passkeys: await listPasskeys(db, admin.id),
    recoveryCodesLeft: await countRecoveryCodes(db, admin.id),
  };
}

export async function hasFactor(db: Queryable, adminId: number): Promise<boolean> {
  const found = await db
    .selectFrom('admin')
    .where('id', '=', adminId)
    .where(ownsFactor)
    .select('id')
    .executeTakeFirst();
  return found !== undefined;
}

async function isFactorRequired(db: Queryable, { role }: Pick<Admin, 'role'>): Promise<boolean> {
  const found = await db
    .selectFrom('second_factor_role')
    .where('role', '=', role)
    .select('role')
    .executeTakeFirst();
  return found !== undefined;
}

/** Changes factors under a lock of the account. @throws AppError unauthenticated (deleted or disabled) */
export function changeFactors<T>(
  db: Database,
  adminId: number,
  change: (tx: Transaction, admin: Pick<Admin, 'role'>) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    const admin = await tx
      .selectFrom('admin')
      .where('id', '=', adminId)
      .where('disabled', '=', false)
      .select('role')
      .forUpdate()
      .executeTakeFirst();
    if (!admin) throw new AppError('unauthenticated', 'Your account has been disabled or deleted');
    return change(tx, admin);
  });
}

/** Creates recovery codes with the first factor; returns null when some exist. */
export async function createFirstRecoveryCodes(tx: Transaction, adminId: number): Promise<string[] | null> {
  return (await countRecoveryCodes(tx, adminId)) > 0 ? null : replaceRecoveryCodes(tx, adminId);
}

/** Removes the recovery codes when no factor is left. @throws AppError conflict when the role requires a factor */
export async function finishFactorRemoval(
  tx: Transaction,
  adminId: number,
  admin: Pick<Admin, 'role'>,
): Promise<void> {
  if (await hasFactor(tx, adminId)) return;
  if (await isFactorRequired(tx, admin)) {
    throw conflict('Your role needs a second factor: set up another one before you remove the last');
  }
  await removeRecoveryCodes(tx, adminId);
}

/** @throws AppError conflict without a factor */
export function createRecoveryCodes(db: Database, adminId: number) {
  return changeFactors(db, adminId, async (tx) => {
    if (!(await hasFactor(tx, adminId))) throw conflict('Set up a second factor first');
    return { recoveryCodes: await replaceRecoveryCodes(tx, adminId) };
  });
}

/** Without easily confused characters. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const codesCount = 10;

/** Makes a code of sixteen characters, about 79 bits, so a fast hash is safe. */
const newCode = () => Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('');

const hashCode = (adminId: number, typed: string) =>
  hash('sha256', `${adminId}:${typed.toLowerCase().replaceAll(/[\s-]/g, '')}`, 'buffer');

/** Returns the new codes. The caller locks the administrator first. */
async function replaceRecoveryCodes(tx: Transaction, adminId: number): Promise<string[]> {
  const codes = Array.from({ length: codesCount }, newCode);
  await removeRecoveryCodes(tx, adminId);
  await tx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ admin_id: adminId, code_hash: hashCode(adminId, code) })))
    .execute();
  return codes.map((code) => (code.match(/.{4}/g) as string[]).join('-'));
}

export async function removeRecoveryCodes(tx: Transaction, adminId: number): Promise<void> {
  await tx.deleteFrom('recovery_code').where('admin_id', '=', adminId).execute();
}

/** Uses a recovery code. @returns false when it is invalid */
export async function consumeRecoveryCode(db: Queryable, adminId: number, typed: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_code')
    .where('admin_id', '=', adminId)
    .where('code_hash', '=', hashCode(adminId, typed))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const countRecoveryCodes = (db: Queryable, adminId: number): Promise<number> =>
  countRows(db.selectFrom('recovery_code').where('admin_id', '=', adminId));

export const passkeyColumns = [
  'id',
  'name',
  'rp_id as host',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const;

export function listPasskeys(db: Queryable, adminId: number): Promise<Passkey[]> {
  return db
    .selectFrom('passkey')
    .where('admin_id', '=', adminId)
    .select(passkeyColumns)
    .orderBy('id')
    .execute();
}

export async function describePasskeys(db: Queryable, adminId: number, host: string) {
  const found = await db
    .selectFrom('passkey')
    .where('admin_id', '=', adminId)
    .where('rp_id', '=', host)
    .select(['credential_id as id', 'transports'])
    .orderBy('id')
    .execute();
  return found.map((passkey) => ({ ...passkey, type: 'public-key' as const }));
}
