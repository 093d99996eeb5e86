import { hash, randomInt } from 'node:crypto';
import type { Queryable, Transaction } from '../../database/connect.ts';

/** Without easily confused characters. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const codesCount = 10;

/** Makes a code of sixteen characters, about 79 bits, so a fast hash is safe. */
const newCode = () => Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('');

const hashCode = (adminId: number, typed: string) =>
  hash('sha256', `${adminId}:${typed.toLowerCase().replaceAll(/[\s-]/g, '')}`, 'buffer');

/** Returns the new codes. The caller locks the administrator first. */
export async function replaceRecoveryCodes(tx: Transaction, adminId: number): Promise<string[]> {
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

export async function countRecoveryCodes(db: Queryable, adminId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .where('admin_id', '=', adminId)
    .select((is) => is.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
