import type { AccountEvents } from '../../access/account-events.ts';
import { chosenColumns } from '../../access/initial-passwords.ts';
import { hashPassword, loginOf, verifyOwn, verifyPassword } from '../../access/passwords.ts';
import {
  type Admin,
  type AdminSessions,
  adminFields,
  adminOf,
  type Device,
  type OpenedSession,
  type Opening,
} from '../../access/sessions.ts';
import type { Attempt } from '../../access/throttles.ts';
import { AppError, invalidValue } from '../../app-error.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';

/** What is typed at a login, and where. */
interface Typed extends Pick<Opening, 'shared' | 'replaces' | 'device'> {
  readonly username: string;
  readonly password: string;
}

/**
 * Opens a session for the administrator with this name and password. An unknown name, a wrong password, a disabled
 * administrator and a disabled school are answered alike and take as long; so is a password that is changed at the
 * same moment.
 *
 * @returns the attempt; it fails with unauthenticated
 */
export const logIn = (
  db: Database,
  sessions: AdminSessions,
  events: AccountEvents,
  { username, password, ...opening }: Typed,
  setSession: (opened: OpenedSession) => void,
): Attempt<Admin> => ({
  name: username,
  refusal: () => new AppError('unauthenticated', 'Wrong username or password'),
  find: async () => ({
    check: async () => {
      const { device } = opening;
      const named = await find(db, username);
      const by = loginOf('administrators', username, device.ip);
      const matches = await verifyPassword(named?.passwordHash ?? null, password, by);
      if (!named) {
        events.ofStranger('administrator', device);
        return null;
      }
      const { admin, passwordHash } = named;
      const openedWith = 'password';
      const opened =
        passwordHash !== null && matches
          ? await sessions.open({ ...opening, adminId: admin.id, passwordHash, openedWith })
          : null;
      events.ofAdmin(admin, opened ? 'signedIn' : 'signInFailed', device);
      if (!opened) return null;
      setSession(opened);
      return admin;
    },
  }),
});

/** Who has this name, and what a password is verified against; null for those who may not sign in. */
async function find(
  db: Database,
  username: string,
): Promise<{ admin: Admin; passwordHash: string | null } | null> {
  const row = await db
    .selectFrom('admin')
    .leftJoin('school', 'school.id', 'admin.school_id')
    .where('admin.username', '=', username.toWellFormed().replaceAll('\0', '�'))
    .select([...adminFields, 'admin.password_hash as passwordHash'])
    .executeTakeFirst();
  if (!row) return null;
  const usable = !row.disabled && row.schoolDisabled !== true;
  return { admin: adminOf(row), passwordHash: usable ? row.passwordHash : null };
}

/**
 * Changes the own password and ends every other session.
 *
 * @returns the attempt; it fails with invalid_value, also where the old password is changed at the same moment
 */
export function changeOwnPassword(
  db: Database,
  sessions: AdminSessions,
  events: AccountEvents,
  call: Device & { readonly admin: Admin; readonly session: string },
  { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
): Attempt<Admin> {
  const { admin, session } = call;
  const refusal = () => invalidValue('The old password is wrong');
  return {
    name: String(admin.id),
    refusal,
    find: async () => ({
      check: async () => {
        const oldHash = await verifyOwn(db, admin.id, [oldPassword]);
        if (oldHash === null) {
          events.ofAdmin(admin, 'confirmationFailed', call);
          return null;
        }
        const passwordHash = await hashPassword(newPassword);
        await inTransaction(db, async (tx) => {
          const changed = await tx
            .updateTable('admin')
            .set(chosenColumns(passwordHash))
            .where('id', '=', admin.id)
            .where('password_hash', '=', oldHash)
            .returning('id')
            .executeTakeFirst();
          if (!changed) throw refusal();
          await sessions.closeOthers(tx, admin.id, session);
        });
        return admin;
      },
    }),
  };
}
