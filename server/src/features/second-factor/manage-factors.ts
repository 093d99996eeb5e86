import { type Data, type InternalOperations, type Role, roles } from '@classledger/contract';
import { sql } from 'kysely';
import { type ManagerCall, ownsFactor } from '../../access/sessions.ts';
import type { Database, Queryable, Transaction } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { AppError, conflict } from '../../errors/app-error.ts';
import { lockManagedAdministrator } from '../administrators/manage-administrators.ts';
import type { SessionServices } from '../administrators/own-sessions.ts';
import { hasFactor, removeRecoveryCodes } from './factors.ts';

type FactorRoles = Data<InternalOperations['getSecondFactorRoles']>;

export async function readFactorRoles(db: Queryable): Promise<FactorRoles> {
  const required = await db.selectFrom('second_factor_role').select('role').execute();
  const counted = await db
    .selectFrom('admin')
    .where('disabled', '=', false)
    .select((is) => [
      'role',
      is.fn.countAll<number>().as('administrators'),
      is.fn
        .countAll<number>()
        .filterWhere((admin) => admin.not(ownsFactor))
        .as('withoutFactor'),
    ])
    .groupBy('role')
    .execute();
  return {
    roles: roles.map((role) => ({
      administrators: 0,
      withoutFactor: 0,
      ...counted.find((row) => row.role === role),
      role,
      isRequired: required.some((row) => row.role === role),
    })),
  };
}

export function setRequiredRoles(db: Database, required: readonly Role[]): Promise<FactorRoles> {
  return inTransaction(db, async (tx) => {
    // Runs parallel calls one after the other, so that their roles do not mix.
    await sql`LOCK TABLE second_factor_role IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
    await tx.deleteFrom('second_factor_role').execute();
    if (required.length > 0) {
      await tx
        .insertInto('second_factor_role')
        .values(required.map((role) => ({ role })))
        .onConflict((known) => known.doNothing())
        .execute();
    }
    return readFactorRoles(tx);
  });
}

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
