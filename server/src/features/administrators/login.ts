import { type CheckFor, hashPassword, loginOf, verifyOwn, verifyPassword } from '../../access/passwords.ts';
import {
  type Admin,
  type AdminSessions,
  adminFields,
  adminOf,
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
  { username, password, ...opening }: Typed,
  setSession: (opened: OpenedSession) => void,
): Attempt<Admin> => ({
  name: username,
  refusal: () => new AppError('unauthenticated', 'Wrong username or password'),
  find: async () => ({
    check: async () => {
      const found = await find(
        db,
        username,
        password,
        loginOf('administrators', username, opening.device.ip),
      );
      if (!found) return null;
      const { admin, passwordHash } = found;
      const opened = await sessions.open({
        ...opening,
        adminId: admin.id,
        passwordHash,
        openedWith: 'password',
      });
      if (!opened) return null;
      setSession(opened);
      return admin;
    },
  }),
});

async function find(
  db: Database,
  username: string,
  password: string,
  by: CheckFor,
): Promise<{ admin: Admin; passwordHash: string } | null> {
  const row = await db
    .selectFrom('admin')
    .leftJoin('school', 'school.id', 'admin.school_id')
    .where('admin.username', '=', username.toWellFormed().replaceAll('\0', '�'))
    .select([...adminFields, 'admin.password_hash as passwordHash'])
    .executeTakeFirst();
  const usable = row && !row.disabled && row.schoolDisabled !== true;
  const matches = await verifyPassword(usable ? row.passwordHash : null, password, by);
  return usable && matches ? { admin: adminOf(row), passwordHash: row.passwordHash } : null;
}

/**
 * Changes the own password and ends every other session.
 *
 * @returns the attempt; it fails with invalid_value, also where the old password is changed at the same moment
 */
export function changeOwnPassword(
  db: Database,
  sessions: AdminSessions,
  admin: Admin,
  session: string,
  { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
): Attempt<Admin> {
  const refusal = () => invalidValue('The old password is wrong');
  return {
    name: String(admin.id),
    refusal,
    find: async () => ({
      check: async () => {
        const oldHash = await verifyOwn(db, admin.id, [oldPassword]);
        if (oldHash === null) return null;
        const passwordHash = await hashPassword(newPassword);
        await inTransaction(db, async (tx) => {
          const changed = await tx
            .updateTable('admin')
            .set({ password_hash: passwordHash })
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
