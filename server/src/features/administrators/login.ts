import type { LoginThrottle } from '../../access/login-throttle.ts';
import {
  type CheckFor,
  confirmationBy,
  hashPassword,
  loginOf,
  verifyPassword,
} from '../../access/passwords.ts';
import type { Admin, AdminSessions } from '../../access/sessions.ts';
import { AppError, invalidValue } from '../../app-error.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';

/** Checks passwords of administrators, at logins and where one confirms an operation. */
export class PasswordCheck {
  readonly #db: Database;
  readonly #logins: LoginThrottle;
  readonly #confirmations: LoginThrottle;

  /** @param confirmations counts apart, so that those who guess at a login keep no one who is signed in from acting */
  constructor(db: Database, throttles: { logins: LoginThrottle; confirmations: LoginThrottle }) {
    this.#db = db;
    this.#logins = throttles.logins;
    this.#confirmations = throttles.confirmations;
  }

  /**
   * Opens a session for the administrator with this name and password. An unknown name, a wrong password, a
   * disabled administrator and a disabled school are answered alike and take as long; so is a password that is
   * changed at the same moment.
   *
   * @throws AppError unauthenticated, rate_limited, unavailable
   */
  async login(
    sessions: AdminSessions,
    username: string,
    password: string,
    ip: string,
  ): Promise<{ admin: Admin; session: string }> {
    const signedIn = await this.#logins.attempt(username, ip, async () => {
      const found = await this.#find(username, password, loginOf('administrators', username, ip));
      const session = found && (await sessions.open(found.admin.id, found.passwordHash));
      return session ? { admin: found.admin, session } : null;
    });
    if (!signedIn) throw new AppError('unauthenticated', 'Wrong username or password');
    return signedIn;
  }

  async #find(
    username: string,
    password: string,
    by: CheckFor,
  ): Promise<{ admin: Admin; passwordHash: string } | null> {
    const row = await this.#db
      .selectFrom('admin')
      .leftJoin('school', 'school.id', 'admin.school_id')
      .where('admin.username', '=', username.toWellFormed().replaceAll('\0', '�'))
      .select([
        'admin.id',
        'admin.username',
        'admin.role',
        'admin.school_id as schoolId',
        'admin.grade_id as gradeId',
        'admin.class_id as classId',
        'admin.disabled',
        'admin.password_hash as passwordHash',
        'school.disabled as schoolDisabled',
      ])
      .executeTakeFirst();
    const usable = row && !row.disabled && row.schoolDisabled !== true;
    const matches = await verifyPassword(usable ? row.passwordHash : null, password, by);
    if (!usable || !matches) return null;
    const { id, role, schoolId, gradeId, classId, passwordHash } = row;
    return { admin: { id, username: row.username, role, schoolId, gradeId, classId }, passwordHash };
  }

  /**
   * Confirms an operation by the administrator's own password, sent in one of several readings.
   *
   * @throws AppError missing_parameter (none was sent), permission_denied (wrong), rate_limited, unavailable
   */
  async confirm(admin: Admin, readings: readonly string[], ip: string): Promise<void> {
    if (readings.length === 0) {
      throw new AppError('missing_parameter', 'Send your password in the header x-confirm-password');
    }
    if ((await this.#matchedHash(admin, readings, ip)) === null) {
      throw new AppError('permission_denied', 'The password in x-confirm-password is wrong');
    }
  }

  /**
   * Changes the own password and ends every other session.
   *
   * @throws AppError invalid_value (the old password is wrong, or was changed at the same moment), rate_limited,
   * unavailable
   */
  async change(
    admin: Admin,
    sessions: AdminSessions,
    session: string,
    passwords: { oldPassword: string; newPassword: string },
    ip: string,
  ): Promise<void> {
    const isWrong = () => invalidValue('The old password is wrong');
    const oldHash = await this.#matchedHash(admin, [passwords.oldPassword], ip);
    if (oldHash === null) throw isWrong();
    const passwordHash = await hashPassword(passwords.newPassword);
    await inTransaction(this.#db, async (tx) => {
      const changed = await tx
        .updateTable('admin')
        .set({ password_hash: passwordHash })
        .where('id', '=', admin.id)
        .where('password_hash', '=', oldHash)
        .returning('id')
        .executeTakeFirst();
      if (!changed) throw isWrong();
      await sessions.closeOthers(tx, admin.id, session);
    });
  }

  /** What one of the readings was verified against; null when none fits, or the administrator is deleted by now. */
  #matchedHash(admin: Admin, readings: readonly string[], ip: string): Promise<string | null> {
    return this.#confirmations.attempt(String(admin.id), ip, async () => {
      const found = await this.#db
        .selectFrom('admin')
        .where('id', '=', admin.id)
        .select('password_hash as passwordHash')
        .executeTakeFirst();
      if (!found) return null;
      const by = confirmationBy('administrator', admin.id);
      for (const reading of readings) {
        if (await verifyPassword(found.passwordHash, reading, by)) return found.passwordHash;
      }
      return null;
    });
  }
}
