import { hash, randomInt } from 'node:crypto';
import type { Queryable, Transaction } from '../../database/connect.ts';

/** Without characters that are read for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const codesMade = 10;

/** Sixteen characters, some 79 bits: a fast hash keeps them. */
const newCode = () => Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('');

/** However it was typed: with or without hyphens and blanks, in capitals. */
const hashCode = (adminId: number, typed: string) =>
  hash('sha256', `${adminId}:${typed.toLowerCase().replaceAll(/[\s-]/g, '')}`, 'buffer');

/** Ten new recovery codes, as they are shown; the earlier ones count no more. Lock the administrator before. */
export async function replaceRecoveryCodes(tx: Transaction, adminId: number): Promise<string[]> {
  const codes = Array.from({ length: codesMade }, newCode);
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

/** Uses a recovery code up. @returns whether it was one */
export async function spendRecoveryCode(db: Queryable, adminId: number, typed: string): Promise<boolean> {
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
