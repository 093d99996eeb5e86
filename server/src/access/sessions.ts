import { hash, randomBytes } from 'node:crypto';
import type { Role, Session } from '@classledger/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { AdminSessionTable, SessionOrigin, SignInMethod } from '../database/account-tables.ts';
import type { Database, Queryable } from '../database/connect.ts';
import { type Listed, readPage, type Slice } from '../database/page.ts';
import { isByPasswordAlone, lacksFactor } from './required-factors.ts';

const slidingMs = 12 * 3_600_000;
const sharedSlidingMs = 30 * 60_000;
const longestMs = 7 * 24 * 3_600_000;
/** How stale the last use may be in the database: saves a write on most calls. */
const touchAfterMs = 60_000;

/** Where a call comes from. */
export interface Device {
  readonly ip: string;
  readonly userAgent: string | null;
}

/** A session to be opened for somebody who has proved who they are. */
export interface Opening {
  readonly adminId: number;
  /** What the password was verified against; null where it was proved otherwise. */
  readonly passwordHash: string | null;
  /** The passkey that proved it, if one did. */
  readonly passkeyId?: number;
  readonly openedWith: SignInMethod;
  /** On a computer that others use too. */
  readonly shared: boolean;
  /** Whether the session asks for confirmations. */
  readonly asksConfirmations: boolean;
  /** The session that the browser had before: it ends. Empty without one. */
  readonly replaces: string;
  readonly device: Device;
}

/** What the browser is to keep. */
export interface OpenedSession {
  /** The value of the session cookie. */
  readonly token: string;
  readonly shared: boolean;
}

/** The administrator of a session. */
export interface Admin {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
  readonly schoolId: number | null;
  readonly gradeId: number | null;
  readonly classId: number | null;
  /** Somebody else gave out the password. */
  readonly mustChangePassword: boolean;
}

/** An administrator, as the pages know it who have it signed in. */
export interface SignedIn extends Admin {
  /** The role needs a second factor that is missing: nothing but the own account may be used until then. */
  readonly mustSetUpFactor: boolean;
}

/** Of `admin`, with its `school` if it has one: who it is and whether it may sign in. */
export const adminFields = [
  'admin.id',
  'admin.username',
  'admin.role',
  'admin.school_id as schoolId',
  'admin.grade_id as gradeId',
  'admin.class_id as classId',
  'admin.password_is_initial as mustChangePassword',
  lacksFactor.as('mustSetUpFactor'),
  'admin.disabled',
  'school.disabled as schoolDisabled',
] as const;

/** The administrator of a row, and nothing else that stands there. */
export const adminOf = ({
  id,
  username,
  role,
  schoolId,
  gradeId,
  classId,
  mustChangePassword,
  mustSetUpFactor,
}: SignedIn): SignedIn => ({
  id,
  username,
  role,
  schoolId,
  gradeId,
  classId,
  mustChangePassword,
  mustSetUpFactor,
});

/** What a session knows of its confirmations. */
export interface Confirmation {
  /** Whether its sign-in asked for them. */
  readonly isAsked: boolean;
  /** When its person last proved who it is. */
  readonly at: string;
  /** When its person last confirmed with a passkey or at a provider; null: never. */
  readonly withoutPasswordAt: string | null;
}

/** A session that may be used. */
export interface FoundSession {
  readonly admin: SignedIn;
  readonly confirmation: Confirmation;
}

/** A moment as the database takes it. */
export const instant = (milliseconds: number) =>
  sql<string>`${new Date(milliseconds).toISOString()}::timestamptz`;

/** Whether a session may still be used. */
const isLive = (now: number): RawBuilder<boolean> => sql`(
  session.created_at >= ${instant(now - longestMs)}
  AND session.last_seen_at >= CASE WHEN session.shared THEN ${instant(now - sharedSlidingMs)} ELSE ${instant(now - slidingMs)} END)`;

/** Only this is stored of what opens a session. */
export const hashSession = (token: string) => hash('sha256', token, 'buffer');

/** What administrators and students alike have of a session. */
type SessionRow = SessionOrigin & Pick<AdminSessionTable, 'token_hash' | 'created_at' | 'last_seen_at'>;

/** Sessions as their person sees them, last used first. @param live those that may still be used */
export function listLive(
  live: SelectQueryBuilder<{ session: SessionRow }, 'session', object>,
  token: string,
  slice: Slice,
): Promise<Listed<Session>> {
  return readPage(
    live
      .select([
        'session.id',
        'session.opened_with as openedWith',
        'session.shared',
        'session.ip',
        'session.user_agent as userAgent',
        'session.created_at as createdAt',
        'session.last_seen_at as lastUsedAt',
      ])
      .select(sql<boolean>`session.token_hash = ${hashSession(token)}`.as('current'))
      .orderBy('session.last_seen_at', 'desc')
      .orderBy('session.id', 'desc'),
    live.select(sql<number>`count(*)`.as('total')),
    slice,
    'session.id',
  );
}

/** Whether the initial password of the row has not signed in yet. A process of the release before notes only that it ends no more. */
export const isUnused = sql<boolean>`password_is_initial AND (NOT password_is_used OR password_expires_at IS NOT NULL)`;

/** Sessions of administrators: 12 hours from the last use, 7 days at most. Only a hash is stored. */
export class AdminSessions {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Opens a session. The locks let no change pass by: what ends the sessions of the administrator or the school
   * comes either before, and then none is opened, or finds this one. An initial password is used from now on, and
   * ends no more.
   *
   * @returns null when the password was changed or has ended, the passkey was removed, or the administrator or the school
   * was disabled meanwhile, and for a password or passkey where the school wants its provider to be used
   */
  async open(opening: Opening): Promise<OpenedSession | null> {
    const { adminId, passwordHash, passkeyId, openedWith, shared, asksConfirmations, replaces, device } =
      opening;
    const token = randomBytes(32).toString('base64url');
    const now = this.#clock().getTime();
    const at = instant(now);
    // A link of somebody else can begin a sign-in at a provider: the browser's session must lose nothing by it.
    const former = openedWith === 'provider' ? hashSession(replaces) : null;
    const asked = sql<boolean>`(${asksConfirmations}::boolean OR EXISTS (
      SELECT FROM admin_session session
      WHERE session.token_hash = ${former}::bytea AND session.admin_id = held.id
        AND session.asks_confirmations AND ${isLive(now)}))`;
    const opened = await this.#db
      .with('held', (db) =>
        db
          .selectFrom('admin')
          .where('admin.id', '=', adminId)
          .$if(passwordHash !== null, (found) =>
            found
              .where('admin.password_hash', '=', passwordHash)
              .where((is) =>
                is.or([is('password_expires_at', 'is', null), is('password_expires_at', '>', at)]),
              ),
          )
          .where('admin.disabled', '=', false)
          .where((is) =>
            is.or([
              is('admin.school_id', 'is', null),
              // What filters is locked before the row that is found: everywhere the school is locked first.
              is.exists(
                is
                  .selectFrom('school')
                  .whereRef('school.id', '=', 'admin.school_id')
                  .where('school.disabled', '=', false)
                  // Of a school that lets its people in through its provider alone.
                  .$if(openedWith !== 'provider', (own) =>
                    own.where('school.local_sign_in_administrators', '=', true),
                  )
                  .select('school.id')
                  .forShare(),
              ),
            ]),
          )
          .select('admin.id')
          // Not to be shared: of two sign-ins at once, neither could write what the other one holds.
          .forNoKeyUpdate(),
      )
      .with('opened', (db) =>
        db
          .insertInto('admin_session')
          .columns([
            'token_hash',
            'admin_id',
            'created_at',
            'last_seen_at',
            'confirmed_at',
            'opened_with',
            'shared',
            'asks_confirmations',
            'ip',
            'user_agent',
          ])
          .expression((from) =>
            from
              .selectFrom('held')
              .$if(passkeyId !== undefined, (found) =>
                found.where((is) =>
                  // Looked at once the administrator is locked, as whoever removes a passkey does.
                  is.exists(
                    is
                      .selectFrom('passkey')
                      .whereRef('passkey.admin_id', '=', 'held.id')
                      .where('passkey.id', '=', passkeyId as number)
                      .select('passkey.id')
                      .forKeyShare(),
                  ),
                ),
              )
              .select([
                sql<Buffer>`${hashSession(token)}::bytea`.as('token_hash'),
                'held.id',
                at.as('created'),
                at.as('seen'),
                at.as('confirmed'),
                sql<SignInMethod>`${openedWith}::text`.as('opened_with'),
                sql<boolean>`${shared}::boolean`.as('shared'),
                asked.as('asked'),
                sql<string>`${device.ip}::text`.as('ip'),
                sql<string | null>`${device.userAgent}::text`.as('user_agent'),
              ]),
          )
          .returning('admin_id'),
      )
      .with('used', (db) =>
        db
          .updateTable('admin')
          .from('opened')
          .whereRef('admin.id', '=', 'opened.admin_id')
          .where(isUnused)
          .where(sql.lit(passwordHash !== null))
          .set({ password_is_used: true, password_expires_at: null }),
      )
      .selectFrom('opened')
      .select('admin_id')
      .executeTakeFirst();
    if (!opened) return null;
    if (replaces !== '') await this.close(replaces);
    return { token, shared };
  }

  /**
   * Whose session it is; a use of it is noted with where it came from.
   *
   * @returns null for an unknown or ended session, a disabled administrator or a disabled school
   */
  async find(token: string, { ip, userAgent }: Device): Promise<FoundSession | null> {
    const now = this.#clock().getTime();
    const row = await this.#db
      .selectFrom('admin_session as session')
      .innerJoin('admin', 'admin.id', 'session.admin_id')
      .leftJoin('school', 'school.id', 'admin.school_id')
      .where('session.token_hash', '=', hashSession(token))
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
        .where('token_hash', '=', hashSession(token))
        .execute();
    }
    const mustSetUpFactor = row.mustSetUpFactor && isByPasswordAlone(row.openedWith);
    // Who comes from a provider has no password to change.
    const mustChangePassword = row.mustChangePassword && row.openedWith !== 'provider';
    const admin = { ...adminOf(row), mustSetUpFactor, mustChangePassword };
    const { asksConfirmations: isAsked, confirmedAt, withoutPasswordAt } = row;
    return { admin, confirmation: { isAsked, at: confirmedAt, withoutPasswordAt } };
  }

  async close(token: string): Promise<void> {
    await this.#db.deleteFrom('admin_session').where('token_hash', '=', hashSession(token)).execute();
  }

  /** The person of a session has proved again who it is. @returns false where it has ended meanwhile */
  async confirm(db: Queryable, token: string, by: 'password' | 'passkey' | 'provider'): Promise<boolean> {
    const at = this.#clock();
    const confirmed = await db
      .updateTable('admin_session')
      .set({ confirmed_at: at, ...(by !== 'password' && { confirmed_without_password_at: at }) })
      .where('token_hash', '=', hashSession(token))
      .returning('id')
      .executeTakeFirst();
    return confirmed !== undefined;
  }

  /** The sessions of an administrator that may still be used, last used first. */
  list(adminId: number, token: string, slice: Slice): Promise<Listed<Session>> {
    const live = this.#db
      .selectFrom('admin_session as session')
      .where('session.admin_id', '=', adminId)
      .where(isLive(this.#clock().getTime()));
    return listLive(live, token, slice);
  }

  /** Ends a session of an administrator. @returns null where there is no such session */
  async end(adminId: number, id: number, token: string): Promise<'current' | 'other' | null> {
    const ended = await this.#db
      .deleteFrom('admin_session')
      .where('admin_id', '=', adminId)
      .where('id', '=', id)
      .returning('token_hash as hash')
      .executeTakeFirst();
    if (!ended) return null;
    return ended.hash.equals(hashSession(token)) ? 'current' : 'other';
  }

  /** Ends all sessions of an administrator but the one that is kept. @returns how many */
  async closeOthers(db: Queryable, adminId: number, keptToken: string): Promise<number> {
    const { numDeletedRows } = await db
      .deleteFrom('admin_session')
      .where('admin_id', '=', adminId)
      .where('token_hash', '!=', hashSession(keptToken))
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  /** Removes sessions that can no longer be used. */
  async removeEnded(): Promise<void> {
    await this.#db
      .deleteFrom('admin_session as session')
      .where(sql<boolean>`NOT ${isLive(this.#clock().getTime())}`)
      .execute();
  }
}
