import { announceAccessChange } from '../../access/access-changes.ts';
import { type InitialPasswords, initialPasswordColumns } from '../../access/initial-passwords.ts';
import { generatePassword, hashPassword } from '../../access/passwords.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { notFound } from '../../errors/app-error.ts';
import { removeFactors } from '../second-factor/manage-factors.ts';

/**
 * Returns the new password to print once. Also enables the account, because no other administrator could enable the
 * only super administrator. @throws AppError not_found
 */
export async function resetAdminAccess(
  db: Database,
  username: string,
  passwords: InitialPasswords,
  at: Date,
): Promise<string> {
  const password = generatePassword(16);
  const initialPassword = await passwords.create(password, 'generated', at);
  await inTransaction(db, async (tx) => {
    const found = await tx
      .updateTable('admin')
      .set({ ...initialPasswordColumns(initialPassword), disabled: false })
      .where('username', '=', username)
      .returning(['id', 'school_id as schoolId'])
      .executeTakeFirst();
    if (!found) throw notFound(`The administrator "${username}"`);
    await announceAccessChange(tx, { issuerId: found.id });
    await removeFactors(tx, found.id);
    await tx.deleteFrom('admin_session').where('admin_id', '=', found.id).execute();
    await tx
      .insertInto('activity')
      .values({
        school_id: found.schoolId ?? 0,
        created_at: at,
        admin_id: found.id,
        username,
        action: 'passwordReset',
      })
      .execute();
  });
  return password;
}

/**
 * Creates an administrator if none exists; servers that start in parallel create only one.
 * @returns the generated password, or null when `password` was given or an administrator exists
 */
export async function ensureFirstAdmin(
  db: Database,
  username: string,
  password: string | null,
  at: Date,
): Promise<string | null> {
  const existing = await db.selectFrom('admin').select('id').limit(1).executeTakeFirst();
  if (existing) return null;
  const generated = password === null ? generatePassword(16) : null;
  const created = await db
    .insertInto('admin')
    .values({
      username,
      password_hash: await hashPassword(password ?? (generated as string)),
      password_is_initial: generated !== null,
      role: 'super_admin',
      created_at: at,
    })
    .onConflict((taken) => taken.column('username').doNothing())
    .returning('id')
    .executeTakeFirst();
  return created ? generated : null;
}
