import type { ManagerCall } from '../../access/sessions.ts';
import type { Transaction } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { AppError, conflict } from '../../errors/app-error.ts';
import { lockManagedAdministrator } from '../administrators/manage-administrators.ts';
import type { SessionServices } from '../administrators/own-sessions.ts';
import { hasFactor, removeRecoveryCodes } from './factors.ts';

/** Also signs out all sessions. @throws AppError as `lockManagedAdministrator`; permission_denied, conflict */
export async function resetFactors({ db, sessions, events }: SessionServices, call: ManagerCall, id: number) {
  const reset = await inTransaction(db, async (tx) => {
    const { manager, target } = await lockManagedAdministrator(tx, call, id);
    if (target.id === manager.id) {
      throw new AppError('permission_denied', 'Remove your own second factors on your account page');
    }
    if (!(await hasFactor(tx, id))) throw conflict('The administrator has no second factor');
    await removeFactors(tx, id);
    await sessions.closeOthers(tx, id, '');
    return { id, username: target.username, schoolId: target.schoolId };
  });
  events.recordAdminEvent(reset, 'secondFactorReset', null);
  return reset;
}

export async function removeFactors(tx: Transaction, adminId: number): Promise<void> {
  await tx.deleteFrom('code_app').where('admin_id', '=', adminId).execute();
  await tx.deleteFrom('passkey').where('admin_id', '=', adminId).execute();
  await removeRecoveryCodes(tx, adminId);
}
