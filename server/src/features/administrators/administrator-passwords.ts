import type { AccountEvents } from '../../access/account-events.ts';
import { type InitialPasswords, passwordEndsAtField } from '../../access/initial-passwords.ts';
import { generatePassword } from '../../access/passwords.ts';
import type { Admin, AdminSessions } from '../../access/sessions.ts';
import type { Database } from '../../database/connect.ts';
import { changeAdministrator, readManagedAdministrator } from './manage-administrators.ts';

/** Returns the new password, which cannot be read again. @throws AppError as `changeAdministrator` */
export async function resetPassword(
  db: Database,
  sessions: AdminSessions,
  events: AccountEvents,
  passwords: InitialPasswords,
  caller: Admin,
  school: number | null,
  id: number,
  at: Date,
) {
  // Checks the target before the slow hashing.
  await readManagedAdministrator(db, caller, school, id);
  const initialPassword = generatePassword();
  const password = await passwords.create(initialPassword, 'generated', at);
  const { username } = await changeAdministrator(db, sessions, events, caller, school, id, { password });
  return { id, username, initialPassword, ...passwordEndsAtField(password) };
}
