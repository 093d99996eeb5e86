import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import type { Range } from './range.ts';
import type { SchoolData } from './school-data.ts';

const lifetimeMs = 30 * 24 * 3_600_000;

/** The student of a token. */
export interface StudentCaller {
  readonly id: number;
  readonly username: string;
  /** The own class. */
  readonly range: Range;
}

const hashOf = (token: string) => hash('sha256', token, 'buffer');

/** The school stands in front, so that a token is looked up where the school's data is. */
function schoolOf(token: string): number | null {
  const digits = /^([1-9][0-9]{0,14})\.[\w-]{43}$/.exec(token)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Tokens of students, 30 days from the login. Only a hash is stored. */
export class StudentSessions {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Opens a session for a student who has proved who it is. The locks let no change pass by: what ends the
   * sessions of the student or the school comes either before, and then none is opened, or finds this one. An initial
   * password is used from now on, and ends no more, unless it is shared.
   *
   * @param passwordHash what the password was verified against; null where it was proved otherwise
   * @returns the token; null when the password was changed or has ended, or the student or the school was disabled
   * meanwhile
   */
  async open(schoolId: number, studentId: number, passwordHash: string | null): Promise<string | null> {
    const token = `${schoolId}.${randomBytes(32).toString('base64url')}`;
    const at = sql<string>`${this.#clock().toISOString()}::timestamptz`;
    const opened = await this.#db
      .with('opened', (db) =>
        db
          .insertInto('student_session')
          .columns(['school_id', 'token_hash', 'student_id', 'created_at', 'last_seen_at'])
          .expression((from) =>
            from
              .selectFrom('school')
              .innerJoin('student as s', 's.school_id', 'school.id')
              .where('school.id', '=', schoolId)
              .where('school.disabled', '=', false)
              .where('s.id', '=', studentId)
              .$if(passwordHash !== null, (found) =>
                found
                  .where('s.password_hash', '=', passwordHash)
                  .where((is) =>
                    is.or([is('s.password_expires_at', 'is', null), is('s.password_expires_at', '>', at)]),
                  ),
              )
              .where('s.disabled', '=', false)
              .select([
                's.school_id',
                sql<Buffer>`${hashOf(token)}::bytea`.as('token_hash'),
                's.id',
                at.as('created'),
                at.as('seen'),
              ])
              // The school in front: everywhere it is locked before its students. The student not to be shared: of two
              // sign-ins at once, neither could write what the other one holds.
              .forShare('school')
              .forNoKeyUpdate('s'),
          )
          .returning(['school_id', 'student_id']),
      )
      .with('used', (db) =>
        db
          .updateTable('student')
          .from('opened')
          .whereRef('student.school_id', '=', 'opened.school_id')
          .whereRef('student.id', '=', 'opened.student_id')
          .where('password_expires_at', 'is not', null)
          .where('password_is_shared', '=', false)
          .where(sql.lit(passwordHash !== null))
          .set({ password_expires_at: null }),
      )
      .selectFrom('opened')
      .select('student_id')
      .executeTakeFirst();
    return opened ? token : null;
  }

  /** @returns null for an unknown or ended token, a disabled student or a disabled school */
  async find(token: string): Promise<StudentCaller | null> {
    const schoolId = schoolOf(token);
    if (schoolId === null) return null;
    const row = await this.#db
      .selectFrom('student_session as session')
      .innerJoin('student as s', (join) =>
        join.onRef('s.school_id', '=', 'session.school_id').onRef('s.id', '=', 'session.student_id'),
      )
      .innerJoin('school', 'school.id', 'session.school_id')
      .where('session.school_id', '=', schoolId)
      .where('session.token_hash', '=', hashOf(token))
      .where('s.disabled', '=', false)
      .where('school.disabled', '=', false)
      .select(['s.id', 's.username', 's.class_id as classId', 'session.created_at as createdAt'])
      .executeTakeFirst();
    if (!row || this.#clock().getTime() - Date.parse(row.createdAt) > lifetimeMs) return null;
    return { id: row.id, username: row.username, range: { schoolId, gradeId: null, classId: row.classId } };
  }

  async close(token: string): Promise<void> {
    const schoolId = schoolOf(token);
    if (schoolId === null) return;
    await this.#db
      .deleteFrom('student_session')
      .where('school_id', '=', schoolId)
      .where('token_hash', '=', hashOf(token))
      .execute();
  }

  /**
   * Ends all sessions of a student, but for the one that is kept, and the codes that would open one; in the transaction
   * of what is the reason.
   */
  static async closeAll(data: SchoolData, studentId: number, keptToken = ''): Promise<void> {
    await data.deleteFrom('sign_in_code').where('student_id', '=', studentId).execute();
    await data
      .deleteFrom('student_session')
      .where('student_id', '=', studentId)
      .where('token_hash', '!=', hashOf(keptToken))
      .execute();
  }

  /** Removes sessions and codes that can no longer be used. */
  async removeEnded(): Promise<void> {
    await this.#db.deleteFrom('sign_in_code').where('expires_at', '<', this.#clock().toISOString()).execute();
    const before = new Date(this.#clock().getTime() - lifetimeMs).toISOString();
    await this.#db.deleteFrom('student_session').where('created_at', '<', before).execute();
  }
}
