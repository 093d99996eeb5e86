import type { SchoolData } from '../../access/school-data.ts';
import type { Transaction } from '../../database/connect.ts';
import { anyOf } from '../../database/expressions.ts';

/* Unbinding also ends sessions opened by a provider and deletes pending codes, so that a wrong person is signed out. */

/** Unbinds an administrator that the transaction has locked. @returns the number of removed bindings */
export async function deleteAdminIdentities(
  tx: Transaction,
  { id, schoolId }: { readonly id: number; readonly schoolId: number | null },
): Promise<number> {
  // Providers belong to a school, so a super administrator has no bindings.
  if (schoolId === null) return 0;
  const deleted = await tx
    .deleteFrom('sign_in_identity')
    .where('school_id', '=', schoolId)
    .where('admin_id', '=', id)
    .returning('id')
    .execute();
  await endProviderSessions(tx, [id]);
  return deleted.length;
}

/** Unbinds all accounts of a provider, in a transaction that has locked the provider. */
export async function deleteProviderIdentities(
  own: SchoolData,
  tx: Transaction,
  providerId: number,
): Promise<void> {
  const forgotten = await own
    .deleteFrom('sign_in_identity')
    .where('provider_id', '=', providerId)
    .returning(['admin_id as adminId', 'student_id as studentId'])
    .execute();
  const adminIds = forgotten.flatMap(({ adminId }) => adminId ?? []);
  await endProviderSessions(tx, adminIds);
  const theirs = anyOf(forgotten.flatMap(({ studentId }) => studentId ?? []));
  const codes = own.deleteFrom('sign_in_code').where('opens', '=', 'provider');
  await codes.where('student_id', '=', theirs).execute();
  const sessions = own.deleteFrom('student_session').where('opened_with', '=', 'provider');
  await sessions.where('student_id', '=', theirs).execute();
}

async function endProviderSessions(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('admin_session')
    .where('opened_with', '=', 'provider')
    .where('admin_id', '=', anyOf(ids))
    .execute();
}
