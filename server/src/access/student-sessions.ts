import { randomBytes } from 'node:crypto';
import type { Session } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import type { SignInMethod } from '../database/account-tables.ts';
import { housekeepingLocks } from '../database/advisory-locks.ts';
import type { Database } from '../database/connect.ts';
import { anyOf } from '../database/expressions.ts';
import type { ListResult, Slice } from '../database/page.ts';
import { forEachSchoolBatch } from '../database/retention.ts';
import type { Clock } from '../time/clock.ts';
import type { Range } from './range.ts';
import type { SchoolData } from './school-data.ts';
import {
  type Device,
  hashSessionToken,
  isUsablePassword,
  listLiveSessions,
  type SessionRequest,
  sqlTimestamp,
} from './sessions.ts';

const lifetimeMs = 30 * 24 * 3_600_000;
const sharedLifetimeMs = 8 * 3_600_000;
/** For this long after a sign-in with a printed code, a student can replace the initial password without typing it. */
const recentCodeSignInMs = 10 * 60_000;
/** `last_seen_at` is written again only after this long, which saves a write on most calls. */
const touchAfterMs = 10 * 60_000;

export interface StudentSessionRequest
  extends Omit<SessionRequest, 'adminId' | 'passkeyId' | 'asksConfirmations'> {
  readonly schoolId: number;
  readonly studentId: number;
}

export interface StudentCaller {
  readonly id: number;
  readonly username: string;
  readonly openedWith: SignInMethod;
  readonly range: Range;
  readonly timeZone: string;
}

const isLive = (now: number): RawBuilder<boolean> => sql`(
  session.created_at >= CASE WHEN session.shared THEN ${sqlTimestamp(now - sharedLifetimeMs)} ELSE ${sqlTimestamp(now - lifetimeMs)} END)`;

/** Parses the school's id at the start of a token, so that a distributed database searches only that school's node. */
function schoolOf(token: string): number | null {
  const digits = /^([1-9][0-9]{0,14})\.[\w-]{43}$/.exec(token)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Manages sessions of students: 30 days from the login, 8 hours on a shared computer. Stores tokens as hashes. */
export class StudentSessions {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Opens a session like `AdminSessions.open`. @returns the token, or null when the sign-in is no longer valid */
  async open(opening: StudentSessionRequest): Promise<string | null> {
    const { schoolId, studentId, passwordHash, openedWith, shared, replaces, device } = opening;
    const token = `${schoolId}.${randomBytes(32).toString('base64url')}`;
    const at = sqlTimestamp(this.#clock().getTime());
    // Locks the school first, because all code locks a school before its students. The lock of the student is not shared,
    // because two sign-ins at once would deadlock when both write the row.
    const { rows } = await sql`
      WITH open_school AS (
        SELECT id FROM school
        WHERE id = ${schoolId} AND NOT disabled ${openedWith === 'provider' ? sql`` : sql`AND local_sign_in_students`}
        FOR SHARE
      ), held AS (
        SELECT s.id FROM student s
        WHERE s.school_id = ${schoolId} AND s.id = ${studentId} AND EXISTS (SELECT open_school.id FROM open_school)
          AND NOT s.disabled ${passwordHash === null ? sql`` : isUsablePassword(passwordHash, at)}
        FOR NO KEY UPDATE
      ), opened AS (
        INSERT INTO student_session (school_id, token_hash, student_id, created_at, last_seen_at, opened_with, shared, ip,
          user_agent)
        SELECT ${schoolId}::bigint, ${hashSessionToken(token)}::bytea, held.id, ${at}, ${at}, ${openedWith}::text,
          ${shared}::boolean, ${device.ip}::text, ${device.userAgent}::text
        FROM held
        RETURNING student_id
      ), used AS (
        UPDATE student SET password_is_used = true, password_expires_at = NULL FROM opened
        WHERE student.school_id = ${schoolId} AND student.id = opened.student_id AND password_is_initial
          AND NOT password_is_used AND ${sql.lit(passwordHash !== null)}
      )
      SELECT student_id FROM opened`.execute(this.#db);
    if (rows.length === 0) return null;
    await this.close(replaces);
    return token;
  }

  /** Finds a session and records its use. Returns null when it has ended, or its student or school is disabled. */
  async find(token: string, { ip, userAgent }: Device): Promise<StudentCaller | null> {
    const schoolId = schoolOf(token);
    if (schoolId === null) return null;
    const now = this.#clock().getTime();
    const row = await this.#db
      .selectFrom('student_session as session')
      .innerJoin('student as s', (join) =>
        join.onRef('s.school_id', '=', 'session.school_id').onRef('s.id', '=', 'session.student_id'),
      )
      .innerJoin('school', 'school.id', 'session.school_id')
      .where('session.school_id', '=', schoolId)
      .where('session.token_hash', '=', hashSessionToken(token))
      .where(isLive(now))
      .where('s.disabled', '=', false)
      .where('school.disabled', '=', false)
      .select(['s.id', 's.username', 's.class_id as classId', 'session.last_seen_at as lastSeenAt'])
      .select(['session.opened_with as openedWith', 'school.time_zone as timeZone'])
      .executeTakeFirst();
    if (!row) return null;
    if (now - Date.parse(row.lastSeenAt) > touchAfterMs) {
      await this.#db
        .updateTable('student_session')
        .set({ last_seen_at: new Date(now), ip, user_agent: userAgent })
        .where('school_id', '=', schoolId)
        .where('token_hash', '=', hashSessionToken(token))
        .execute();
    }
    const range = { schoolId, gradeId: null, classId: row.classId };
    return { id: row.id, username: row.username, openedWith: row.openedWith, range, timeZone: row.timeZone };
  }

  async close(token: string): Promise<void> {
    const schoolId = schoolOf(token);
    if (schoolId === null) return;
    await this.#db
      .deleteFrom('student_session')
      .where('school_id', '=', schoolId)
      .where('token_hash', '=', hashSessionToken(token))
      .execute();
  }

  list(data: SchoolData, studentId: number, token: string, slice: Slice): Promise<ListResult<Session>> {
    const live = this.#db
      .selectFrom('student_session as session')
      .where('session.school_id', '=', data.schoolId)
      .where('session.student_id', '=', studentId)
      .where(isLive(this.#clock().getTime()));
    return listLiveSessions(live, token, slice);
  }

  /** Returns whether a printed code opened the session lately and the student's password is still initial. */
  static async isFromRecentCode(data: SchoolData, token: string, now: Date): Promise<boolean> {
    const found = await data
      .students()
      .innerJoin('student_session as session', (join) =>
        join.onRef('session.school_id', '=', 's.school_id').onRef('session.student_id', '=', 's.id'),
      )
      .where('session.token_hash', '=', hashSessionToken(token))
      .where('session.opened_with', '=', 'code')
      .where('session.created_at', '>=', sqlTimestamp(now.getTime() - recentCodeSignInMs))
      .where('s.password_is_initial', '=', true)
      .select('s.id')
      .executeTakeFirst();
    return found !== undefined;
  }

  static async end(data: SchoolData, studentId: number, id: number): Promise<boolean> {
    const ended = await data
      .deleteFrom('student_session')
      .where('student_id', '=', studentId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return ended !== undefined;
  }

  /** Deletes sessions except the kept one, sign-in codes and slip secrets. Returns the number of deleted sessions. */
  static async closeAll(
    data: SchoolData,
    studentIds: number | readonly number[],
    keptToken = '',
  ): Promise<number> {
    const ids = [studentIds].flat();
    if (ids.length === 0) return 0;
    const theirs = anyOf(ids);
    await data.deleteFrom('sign_in_code').where('student_id', '=', theirs).execute();
    await data
      .updateTable('import_row')
      .where('student_id', '=', theirs)
      .where('secrets', 'is not', null)
      .set({ secrets: null })
      .execute();
    const { numDeletedRows } = await data
      .deleteFrom('student_session')
      .where('student_id', '=', theirs)
      .where('token_hash', '!=', hashSessionToken(keptToken))
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  async removeEnded(stop: AbortSignal): Promise<void> {
    const now = this.#clock().getTime();
    await forEachSchoolBatch(this.#db, housekeepingLocks.student_session, stop, async (tx, schools) => {
      const ofSchools = anyOf(schools);
      await tx
        .deleteFrom('sign_in_code')
        .where('school_id', '=', ofSchools)
        .where('expires_at', '<', sqlTimestamp(now))
        .execute();
      const sessions = tx.deleteFrom('student_session').where('school_id', '=', ofSchools);
      await sessions.where('created_at', '<', sqlTimestamp(now - lifetimeMs)).execute();
      await sessions
        .where('shared', '=', true)
        .where('created_at', '<', sqlTimestamp(now - sharedLifetimeMs))
        .execute();
    });
  }
}
