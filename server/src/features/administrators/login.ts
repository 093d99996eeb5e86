import { type Body, type InternalOperations, limits } from '@classledger/contract';
import { requireAllowedPassword } from '../../access/chosen-passwords.ts';
import { chosenPasswordColumns, passwordExpiredError } from '../../access/initial-passwords.ts';
import type { Account } from '../../access/known-devices.ts';
import {
  findAdminAccount,
  hashPassword,
  loginCheck,
  verifyOwnPassword,
  verifyPassword,
} from '../../access/passwords.ts';
import {
  type Admin,
  adminFields,
  adminOf,
  type Device,
  type OpenedSession,
  type SessionRequest,
  type SignedInAdmin,
} from '../../access/sessions.ts';
import type { AttemptOrigin, ThrottledAttempt } from '../../access/throttles.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { AppError, invalidValue } from '../../errors/app-error.ts';
import type { FactorCode } from '../second-factor/factor-code.ts';
import type { SessionServices } from './own-sessions.ts';

interface LoginInput
  extends Pick<SessionRequest, 'shared' | 'asksConfirmations' | 'replaces' | 'device'>,
    Pick<AttemptOrigin, 'browser'> {
  readonly username: string;
  readonly password: string;
  readonly at: Date;
}

/**
 * Gives each cause of failure the same answer after the same time, so that answers do not reveal which accounts exist.
 * Only for an expired password, the answer states the reason.
 * @returns an attempt whose failure is unauthenticated
 */
export const logIn = (
  { db, sessions, events }: SessionServices,
  code: FactorCode,
  { username, password, browser, at, ...opening }: LoginInput,
  setSession: (opened: OpenedSession) => void,
): ThrottledAttempt<SignedInAdmin> => {
  let refusal = new AppError('unauthenticated', 'Wrong username or password');
  const prepare = async () => {
    const found = await findByUsername(db, username, at);
    const check = async () => {
      const { device } = opening;
      const attempt = loginCheck('administrators', username, device.ip);
      const matches = await verifyPassword(found?.account?.passwordHash ?? null, password, attempt);
      if (!found) {
        events.recordUnknownLogin('administrator', device);
        return null;
      }
      const { admin, account, isPasswordExpired } = found;
      if (matches && isPasswordExpired)
        refusal = passwordExpiredError('the administrator who gave it to you');
      const isVerified =
        account !== null &&
        matches &&
        !isPasswordExpired &&
        (await code.verify(admin, device, browser.idFor(account) !== null));
      const opened = isVerified
        ? await sessions.open({
            ...opening,
            adminId: admin.id,
            passwordHash: account.passwordHash,
            openedWith: 'password',
          })
        : null;
      events.recordAdminEvent(admin, opened ? 'signedIn' : 'signInFailed', device);
      if (!opened || !account) return null;
      setSession(opened);
      browser.remember(account);
      return admin;
    };
    return { check, account: found?.account ?? null };
  };
  return { name: username, refusal: () => code.refusal() ?? refusal, prepare };
};

/** Returns null as `account` when the administrator or the school is disabled. */
async function findByUsername(
  db: Database,
  username: string,
  at: Date,
): Promise<{ admin: SignedInAdmin; account: Account | null; isPasswordExpired: boolean } | null> {
  const row = await db
    .selectFrom('admin')
    .leftJoin('school', 'school.id', 'admin.school_id')
    .where('admin.username', '=', username.toWellFormed().replaceAll('\0', '�'))
    .select([...adminFields, 'admin.password_hash as passwordHash'])
    .select('admin.password_expires_at as passwordExpiresAt')
    .executeTakeFirst();
  if (!row) return null;
  const { id, passwordHash, passwordExpiresAt: end } = row;
  const isPasswordExpired = end !== null && Date.parse(end) <= at.getTime();
  const isUsable = !row.disabled && row.schoolDisabled !== true;
  return {
    admin: adminOf(row),
    account: isUsable ? { kind: 'administrator', id, passwordHash } : null,
    isPasswordExpired,
  };
}

/**
 * Signs out all other sessions and confirms the current one. Checks the new password before the old one.
 * @returns an attempt whose failure is invalid_value
 */
export function changeOwnPassword(
  { db, sessions, events }: SessionServices,
  call: Device & AttemptOrigin & { readonly admin: Admin; readonly session: string; readonly at: Date },
  { oldPassword, newPassword, strict }: Body<InternalOperations['changeMyPassword']> & { strict: boolean },
): ThrottledAttempt<Admin> {
  const { admin, session } = call;
  const refusal = () => invalidValue('The old password is wrong');
  const check = async () => {
    const oldHash = await verifyOwnPassword(db, admin.id, [oldPassword], call.at);
    if (oldHash === null) {
      events.recordAdminEvent(admin, 'confirmationFailed', call);
      return null;
    }
    const passwordHash = await hashPassword(newPassword);
    await inTransaction(db, async (tx) => {
      const changed = await tx
        .updateTable('admin')
        .set(chosenPasswordColumns(passwordHash))
        .where('id', '=', admin.id)
        .where('password_hash', '=', oldHash)
        .returning('id')
        .executeTakeFirst();
      if (!changed) throw refusal();
      await sessions.closeOthers(tx, admin.id, session);
      await sessions.confirm(tx, session, 'password');
    });
    call.browser.remember({ kind: 'administrator', id: admin.id, passwordHash });
    return admin;
  };
  return {
    name: String(admin.id),
    refusal,
    prepare: async () => {
      const { username } = admin;
      const { ownPasswordLengthMin: strictLengthMin } = limits;
      const names = await readSchoolNames(db, admin);
      await requireAllowedPassword(newPassword, { oldPassword, username, names, strictLengthMin }, strict);
      return { account: await findAdminAccount(db, admin.id), check };
    },
  };
}

async function readSchoolNames(db: Database, { schoolId }: Admin): Promise<string[]> {
  const school = await db.selectFrom('school').where('id', '=', schoolId).select('name').executeTakeFirst();
  return school ? [school.name] : [];
}
