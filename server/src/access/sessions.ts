import { hash, randomBytes } from 'node:crypto';
import { Session } from '@classledger/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { AdminSessionTable, SessionOrigin, SignInMethod } from '../database/account-tables.ts';
import type { Database, Queryable } from '../database/connect.ts';
import { type ListResult, readPage, type Slice } from '../database/page.ts';
import { columnsOf } from '../fields/fields.ts';
import type { Clock } from '../time/clock.ts';
import type { Responsibility } from './range.ts';
import type { SchoolData } from './school-data.ts';

/** Selects whether a row of `admin` has a second factor. Recovery codes replace a factor but do not count as one. */
export const ownsFactor = sql<boolean>`(
  EXISTS (SELECT FROM code_app WHERE code_app.admin_id = admin.id)
  OR EXISTS (SELECT FROM passkey WHERE passkey.admin_id = admin.id))`;

/** Selects whether a row of `admin` lacks the second factor that its role needs (docs/contract.md, Second factor). */
export const lacksFactor = sql<boolean>`(
  EXISTS (SELECT FROM second_factor_role WHERE second_factor_role.role = admin.role)
  AND NOT ${ownsFactor})`;

/** Returns whether a sign-in proved only a password or a code. A provider checks second factors itself. */
export const isByPasswordAlone = (method: SignInMethod) => method === 'password' || method === 'code';

const slidingMs = 12 * 3_600_000;
const sharedSlidingMs = 30 * 60_000;
const longestMs = 7 * 24 * 3_600_000;
/** `last_seen_at` is written again only after this long, which saves a write on most calls. */
const touchAfterMs = 60_000;

export interface Device {
  readonly ip: string;
  readonly userAgent: string | null;
}

export interface SessionRequest {
  readonly adminId: number;
  /** The stored hash of the password that the sign-in used; null when it used none. */
  readonly passwordHash: string | null;
  readonly passkeyId?: number;
  readonly openedWith: SignInMethod;
  readonly shared: boolean;
  readonly asksConfirmations: boolean;
  /** Token of the browser's previous session, which is closed; empty when there is none. */
  readonly replaces: string;
  readonly device: Device;
}

export interface OpenedSession {
  readonly token: string;
  readonly shared: boolean;
}

export interface Admin extends Responsibility {
  readonly id: number;
  readonly username: string;
  readonly name: string | null;
  readonly mustChangePassword: boolean;
}

export interface SignedInAdmin extends Admin {
  readonly taughtClassIds: number[];
  /** True when the role needs a second factor and none is set up. Then only calls about the own account succeed. */
  readonly mustSetUpFactor: boolean;
}

/** What a rule about credentials or administrators needs to know of the call of an administrator. */
export interface ManagerCall {
  readonly admin: Admin;
  /** The chosen school; null for all schools. */
  readonly data: SchoolData | null;
  readonly at: Date;
}

export const adminFields = [
  'admin.id',
  'admin.username',
  'admin.name',
  'admin.role',
  'admin.school_id as schoolId',
  'admin.grade_id as gradeId',
  'admin.class_id as classId',
  'admin.password_is_initial as mustChangePassword',
  lacksFactor.as('mustSetUpFactor'),
  sql<number[]>`(
    SELECT coalesce(json_agg(class_id), '[]') FROM teaching
    WHERE teaching.admin_id = admin.id AND promotion_id IS NULL)`.as('taughtClassIds'),
  'admin.disabled',
  'school.disabled as schoolDisabled',
] as const;

/** Leaves out the other columns of a row. */
export function adminOf(row: SignedInAdmin): SignedInAdmin {
  const { id, username, name, role, schoolId, gradeId, classId, taughtClassIds } = row;
  const { mustChangePassword, mustSetUpFactor } = row;
  return {
    ...{ id, username, name, role, schoolId, gradeId, classId, taughtClassIds },
    ...{ mustChangePassword, mustSetUpFactor },
  };
}

/** Finds the administrator for background work. Returns null when the account or its school is disabled or gone. */
export async function findUsableAdmin(db: Queryable, id: number): Promise<Admin | null> {
  const row = await db
    .selectFrom('admin')
    .leftJoin('school', 'school.id', 'admin.school_id')
    .where('admin.id', '=', id)
    .select(adminFields)
    .executeTakeFirst();
  return !row || row.disabled || row.schoolDisabled === true ? null : adminOf(row);
}

export interface Confirmation {
  readonly asksConfirmations: boolean;
  /** Time of the last confirmation; at first, of the sign-in. */
  readonly at: string;
  /** When the person last confirmed with a passkey or at a provider; null if never. */
  readonly withoutPasswordAt: string | null;
}

export interface FoundSession {
  readonly admin: SignedInAdmin;
  readonly confirmation: Confirmation;
}

export const sqlTimestamp = (milliseconds: number) =>
  sql<string>`${new Date(milliseconds).toISOString()}::timestamptz`;

const isLive = (now: number): RawBuilder<boolean> => sql`(
  session.created_at >= ${sqlTimestamp(now - longestMs)}
  AND session.last_seen_at >= CASE WHEN session.shared THEN ${sqlTimestamp(now - sharedSlidingMs)} ELSE ${sqlTimestamp(now - slidingMs)} END)`;

export const hashSessionToken = (token: string) => hash('sha256', token, 'buffer');

type SessionRow = SessionOrigin & Pick<AdminSessionTable, 'token_hash' | 'created_at' | 'last_seen_at'>;

/** Lists sessions, last used first. @param live unexpired sessions @param token of the current session */
export function listLiveSessions(
  live: SelectQueryBuilder<{ session: SessionRow }, 'session', object>,
  token: string,
  slice: Slice,
): Promise<ListResult<Session>> {
  return readPage(
    live
      .select(columnsOf('session', Session, ['current', 'lastUsedAt']))
      .select('session.last_seen_at as lastUsedAt')
      .select((is) => is('session.token_hash', '=', hashSessionToken(token)).$castTo<boolean>().as('current'))
      .orderBy('session.last_seen_at', 'desc')
      .orderBy('session.id', 'desc'),
    slice,
    'session.id',
  );
}

/** Returns a condition for a row that still has a password, which has not expired. */
export const isUsablePassword = (passwordHash: string, at: RawBuilder<unknown>) =>
  sql`AND password_hash = ${passwordHash} AND (password_expires_at IS NULL OR password_expires_at > ${at})`;

/** Manages sessions of administrators: 12 hours from the last use (30 minutes on a shared computer), 7 days at most. */
export class AdminSessions {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Opens a session and marks an initial password as used. A concurrent change that closes all sessions prevents this
   * one or closes it. @returns null when the account, its school, the password or the passkey is no longer valid
   */
  async open(opening: SessionRequest): Promise<OpenedSession | null> {
    const { adminId, passwordHash, passkeyId, openedWith, shared, asksConfirmations, replaces, device } =
      opening;
    const token = randomBytes(32).toString('base64url');
    const now = this.#clock().getTime();
    const at = sqlTimestamp(now);
    // Keeps `asks_confirmations` of the replaced session, because a stranger's link can start a sign-in at a provider.
    const former = openedWith === 'provider' ? hashSessionToken(replaces) : null;
    const asked = sql<boolean>`(${asksConfirmations}::boolean OR EXISTS (
      SELECT FROM admin_session session
      WHERE session.token_hash = ${former}::bytea AND session.admin_id = held.id
        AND session.asks_confirmations AND ${isLive(now)}))`;
    // Checked after locking the administrator, because removing a passkey takes the same lock.
    const hasPasskey = sql`WHERE EXISTS (
      SELECT passkey.id FROM passkey WHERE passkey.admin_id = held.id AND passkey.id = ${passkeyId} FOR KEY SHARE)`;
    // PostgreSQL locks rows of a filter first. So this locks the school before the account, as everywhere. The lock of the
    // account is not shared, because two sign-ins at once would deadlock when both write the row.
    const { rows } = await sql`
      WITH held AS (
        SELECT id FROM admin
        WHERE id = ${adminId} AND NOT disabled ${passwordHash === null ? sql`` : isUsablePassword(passwordHash, at)}
          AND (school_id IS NULL OR EXISTS (
            SELECT school.id FROM school WHERE school.id = admin.school_id AND NOT school.disabled
              ${openedWith === 'provider' ? sql`` : sql`AND school.local_sign_in_administrators`} FOR SHARE))
        FOR NO KEY UPDATE
      ), opened AS (
        INSERT INTO admin_session (token_hash, admin_id, created_at, last_seen_at, confirmed_at, opened_with, shared,
          asks_confirmations, ip, user_agent)
        SELECT ${hashSessionToken(token)}::bytea, held.id, ${at}, ${at}, ${at}, ${openedWith}::text, ${shared}::boolean,
          ${asked}, ${device.ip}::text, ${device.userAgent}::text
        FROM held ${passkeyId === undefined ? sql`` : hasPasskey}
        RETURNING admin_id
      ), used AS (
        UPDATE admin SET password_is_used = true, password_expires_at = NULL FROM opened
        WHERE admin.id = opened.admin_id AND password_is_initial AND NOT password_is_used
          AND ${sql.lit(passwordHash !== null)}
      )
      SELECT admin_id FROM opened`.execute(this.#db);
    if (rows.length === 0) return null;
    if (replaces !== '') await this.close(replaces);
    return { token, shared };
  }

  /** Finds a session and records its use. Returns null if it ended, or its administrator or school is disabled. */
  async find(token: string, { ip, userAgent }: Device): Promise<FoundSession | null> {
    const now = this.#clock().getTime();
    const row = await this.#db
      .selectFrom('admin_session as session')
      .innerJoin('admin', 'admin.id', 'session.admin_id')
      .leftJoin('school', 'school.id', 'admin.school_id')
      .where('session.token_hash', '=', hashSessionToken(token))
      .where(isLive(now))
      .select([
        ...adminFields,
        'session.last_seen_at as lastSeenAt',
        'session.confirmed_at as confirmedAt',
        'session.confirmed_without_password_at as withoutPasswordAt',
        'session.asks_confirmations as asksConfirmations',
        'session.opened_with as openedWith',
      ])
      .executeTakeFirst();
    if (!row || row.disabled || row.schoolDisabled === true) return null;
    if (now - Date.parse(row.lastSeenAt) > touchAfterMs) {
      await this.#db
        .updateTable('admin_session')
        .set({ last_seen_at: new Date(now), ip, user_agent: userAgent })
        .where('token_hash', '=', hashSessionToken(token))
        .execute();
    }
    const mustSetUpFactor = row.mustSetUpFactor && isByPasswordAlone(row.openedWith);
    // A sign-in at a provider uses another password, so this one may stay.
    const mustChangePassword = row.mustChangePassword && row.openedWith !== 'provider';
    const admin = { ...adminOf(row), mustSetUpFactor, mustChangePassword };
    const { asksConfirmations, confirmedAt, withoutPasswordAt } = row;
    return { admin, confirmation: { asksConfirmations, at: confirmedAt, withoutPasswordAt } };
  }

  async close(token: string): Promise<void> {
    await this.#db.deleteFrom('admin_session').where('token_hash', '=', hashSessionToken(token)).execute();
  }

  /** Records that the person confirmed their identity. @returns false when the session has ended meanwhile */
  async confirm(db: Queryable, token: string, by: 'password' | 'passkey' | 'provider'): Promise<boolean> {
    const at = this.#clock();
    const confirmed = await db
      .updateTable('admin_session')
      .set({ confirmed_at: at, ...(by !== 'password' && { confirmed_without_password_at: at }) })
      .where('token_hash', '=', hashSessionToken(token))
      .returning('id')
      .executeTakeFirst();
    return confirmed !== undefined;
  }

  list(adminId: number, token: string, slice: Slice): Promise<ListResult<Session>> {
    const live = this.#db
      .selectFrom('admin_session as session')
      .where('session.admin_id', '=', adminId)
      .where(isLive(this.#clock().getTime()));
    return listLiveSessions(live, token, slice);
  }

  async end(adminId: number, id: number, token: string): Promise<'current' | 'other' | null> {
    const ended = await this.#db
      .deleteFrom('admin_session')
      .where('admin_id', '=', adminId)
      .where('id', '=', id)
      .returning('token_hash as hash')
      .executeTakeFirst();
    if (!ended) return null;
    return ended.hash.equals(hashSessionToken(token)) ? 'current' : 'other';
  }

  async closeOthers(db: Queryable, adminId: number, keptToken: string): Promise<number> {
    const { numDeletedRows } = await db
      .deleteFrom('admin_session')
      .where('admin_id', '=', adminId)
      .where('token_hash', '!=', hashSessionToken(keptToken))
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  async removeEnded(): Promise<void> {
    await this.#db
      .deleteFrom('admin_session as session')
      .where(({ not }) => not(isLive(this.#clock().getTime())))
      .execute();
  }
}
