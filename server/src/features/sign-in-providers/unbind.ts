import type { AccountEvents } from '../../access/account-events.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { ManagerCall } from '../../access/sessions.ts';
import { StudentSessions } from '../../access/student-sessions.ts';
import { lockWritableStudent } from '../../access/targets.ts';
import { inTransaction } from '../../database/transaction.ts';
import { lockManagedAdministrator } from '../administrators/manage-administrators.ts';
import type { SessionServices } from '../administrators/own-sessions.ts';
import { deleteAdminIdentities } from './identities.ts';

/** Also ends all sessions, because the wrong person may be signed in. @throws AppError as `lockManagedAdministrator` */
export async function unbindAdministrator(
  { db, sessions, events }: SessionServices,
  call: ManagerCall,
  id: number,
) {
  const { target, removed } = await inTransaction(db, async (tx) => {
    const { target } = await lockManagedAdministrator(tx, call, id);
    const removed = await deleteAdminIdentities(tx, target);
    if (removed > 0) await sessions.closeOthers(tx, id, '');
    return { target, removed };
  });
  if (removed > 0) events.recordAdminEvent(target, 'unbound', null);
  return { id, username: target.username, removed };
}

/** Unbinds a student and ends all sessions. @throws AppError not_found, out_of_range, conflict (archived) */
export async function unbindStudent(data: SchoolData, events: AccountEvents, id: number) {
  const unbound = await data.transaction(async (own) => {
    const { username } = await lockWritableStudent(own, id);
    const removed = await own
      .deleteFrom('sign_in_identity')
      .where('student_id', '=', id)
      .returning('id')
      .execute();
    if (removed.length > 0) await StudentSessions.closeAll(own, id);
    return { id, username, removed: removed.length };
  });
  if (unbound.removed > 0) events.recordStudentEvent({ schoolId: data.schoolId, id }, 'unbound', null);
  return unbound;
}
