import type { Admin, AdminSessions } from '../../access/sessions.ts';
import { AppError, conflict } from '../../app-error.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { lockManaged } from '../administrators/manage-administrators.ts';
import { hasFactor } from './factors.ts';
import { removeRecoveryCodes } from './recovery-codes.ts';

/**
 * Removes the factors that someone has lost, and ends that person's sessions: whoever found the factor may sit there.
 *
 * @param school where the administrator must be; null: anywhere
 * @throws AppError as `readManaged`; permission_denied (oneself), conflict (there is none)
 */
export function resetFactors(
  db: Database,
  sessions: AdminSessions,
  caller: Admin,
  school: number | null,
  id: number,
) {
  return inTransaction(db, async (tx) => {
    const { manager, target } = await lockManaged(tx, caller, school, id);
    if (target.id === manager.id) {
      throw new AppError('permission_denied', 'Remove your own second factors on your account page');
    }
    if (!(await hasFactor(tx, id))) throw conflict('The administrator has no second factor');
    await removeFactors(tx, id);
    await sessions.closeOthers(tx, id, '');
    return { id, username: target.username, schoolId: target.schoolId };
  });
}

/** Whatever stands beside the password of an administrator goes. */
export async function removeFactors(tx: Transaction, adminId: number): Promise<void> {
  await tx.deleteFrom('code_app').where('admin_id', '=', adminId).execute();
  await tx.deleteFrom('passkey').where('admin_id', '=', adminId).execute();
  await removeRecoveryCodes(tx, adminId);
}
