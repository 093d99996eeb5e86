import { announceAccessChange } from '../../access/access-changes.ts';
import type { InitialPasswords } from '../../access/initial-passwords.ts';
import { initialPasswordColumns } from '../../access/initial-passwords.ts';
import { generatePassword } from '../../access/passwords.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { notFound } from '../../errors/app-error.ts';
import { removeFactors } from '../second-factor/reset-factors.ts';

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
        target_id: null,
        target_name: null,
      })
      .execute();
  });
  return password;
}
