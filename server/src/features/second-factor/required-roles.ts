import { type Data, type InternalOperations, type Role, roles } from '@classledger/contract';
import { sql } from 'kysely';
import { ownsFactor } from '../../access/sessions.ts';
import type { Database, Queryable } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';

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
