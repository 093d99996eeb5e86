import type { AccountEvents } from '../../access/account-events.ts';
import { findAdminAccount, verifyOwnPassword } from '../../access/passwords.ts';
import type { Admin, AdminSessions, Device, OpenedSession } from '../../access/sessions.ts';
import { confirmedUntil } from '../../access/step-up.ts';
import type { ThrottledAttempt } from '../../access/throttles.ts';
import type { Database } from '../../database/connect.ts';
import { AppError, notFound } from '../../errors/app-error.ts';

/* Handles administrators' own sessions (docs/contract.md, Sessions and Confirmation). */

export interface SessionServices {
  readonly db: Database;
  readonly sessions: AdminSessions;
  readonly events: AccountEvents;
}

interface SessionCall extends Device {
  readonly admin: Admin;
  readonly session: string;
  readonly at: Date;
}

/** Returns an attempt of a signed-in administrator, whose failures count for the account. */
export const ownAttempt = <T>(
  db: Database,
  { id }: Pick<Admin, 'id'>,
  refusal: () => AppError,
  check: () => Promise<T | null>,
): ThrottledAttempt<T> => ({
  name: String(id),
  refusal,
  prepare: async () => ({ account: await findAdminAccount(db, id), check }),
});

/**
 * Returns an attempt that confirms the session, or fails with permission_denied if the password is wrong. It throws
 * unauthenticated if the session has ended.
 */
export const confirmByPassword = (
  { db, sessions, events }: SessionServices,
  call: SessionCall & { readonly body: { readonly password: string } },
): ThrottledAttempt<{ confirmedUntil: string }> => {
  const refusal = () => new AppError('permission_denied', 'The password is wrong');
  return ownAttempt(db, call.admin, refusal, async () => {
    if ((await verifyOwnPassword(db, call.admin.id, [call.body.password], call.at)) === null) {
      events.recordAdminEvent(call.admin, 'confirmationFailed', call);
      return null;
    }
    if (!(await sessions.confirm(db, call.session, 'password'))) {
      throw new AppError('unauthenticated', 'Sign in again; the session has ended');
    }
    events.recordAdminEvent(call.admin, 'confirmed', call);
    return { confirmedUntil: confirmedUntil(call.at) };
  });
};

/** Signs out one session of the caller; clears the cookie if that is the current session. @throws AppError not_found */
export async function endSession(
  { sessions, events }: SessionServices,
  call: SessionCall & { readonly setSession: (opened: OpenedSession | null) => void },
  id: number,
): Promise<{ id: number }> {
  const ended = await sessions.end(call.admin.id, id, call.session);
  if (ended === null) throw notFound('The session');
  if (ended === 'current') call.setSession(null);
  events.recordAdminEvent(call.admin, 'sessionEnded', call);
  return { id };
}

export async function endOtherSessions(
  { db, sessions, events }: SessionServices,
  call: SessionCall,
): Promise<{ ended: number }> {
  const ended = await sessions.closeOthers(db, call.admin.id, call.session);
  if (ended > 0) events.recordAdminEvent(call.admin, 'otherSessionsEnded', call);
  return { ended };
}
