import type { SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import { lockStudent } from '../../access/targets.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { readManaged } from '../administrators/manage-administrators.ts';

/**
 * Forgets who an administrator is at providers, as someone who manages it may.
 *
 * @param school where the administrator must be; null: anywhere
 * @throws AppError as `readManaged`
 */
export function unbindAdministrator(db: Database, caller: Admin, school: number | null, id: number) {
  return inTransaction(db, async (tx) => {
    const { username } = await readManaged(tx, caller, school, id);
    const removed = await tx
      .deleteFrom('sign_in_identity')
      .where('admin_id', '=', id)
      .returning('id')
      .execute();
    return { id, username, removed: removed.length };
  });
}

/** Forgets who a student is at providers. @throws AppError not_found, out_of_range */
export function unbindStudent(data: SchoolData, id: number) {
  return data.transaction(async (own, tx) => {
    const { username } = await lockStudent(own, id);
    const removed = await tx
      .deleteFrom('sign_in_identity')
      .where('school_id', '=', own.schoolId)
      .where('student_id', '=', id)
      .returning('id')
      .execute();
    return { id, username, removed: removed.length };
  });
}
