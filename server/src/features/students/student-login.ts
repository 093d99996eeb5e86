import { sql } from 'kysely';
import type { LoginThrottle } from '../../access/login-throttle.ts';
import { hashPassword, verifyPassword } from '../../access/passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { type StudentCaller, StudentSessions } from '../../access/student-sessions.ts';
import { AppError, conflict, invalidValue } from '../../app-error.ts';
import { workThrough } from '../../at-most.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';

/** A student who may be meant by a login. */
interface Candidate {
  readonly schoolId: number;
  readonly id: number;
  readonly passwordHash: string;
}

/** What is typed at a login; `schoolId` null where the school is not named, 0 for a school that there is not. */
interface Attempt {
  readonly username: string;
  readonly password: string;
  readonly schoolId: number | null;
  readonly ip: string;
}

/** One login has no more than this many passwords verified at a time, however many schools know its username. */
const verifiedAtOnce = 2;

/** Sign-in of students, and the change of their own password. */
export class StudentLogin {
  readonly #db: Database;
  readonly #throttle: LoginThrottle;
  readonly #sessions: StudentSessions;

  /** @param throttle of students alone: their failures lock no administrator of the same name or address out */
  constructor(db: Database, throttle: LoginThrottle, sessions: StudentSessions) {
    this.#db = db;
    this.#throttle = throttle;
    this.#sessions = sessions;
  }

  /**
   * Opens a session for the student with this username and password. Where no school is named, every enabled
   * student of that username is a candidate and the password decides (decisions, section 1). An unknown username or
   * school, a wrong password, and a disabled student or school are answered alike; with one candidate it takes as
   * long as with none. Failures count for the username in its school where the school is named, so that guessing
   * at a name that many schools use leaves those who name their school alone.
   *
   * @throws AppError unauthenticated, rate_limited, conflict (right, but in several schools)
   */
  async signIn(attempt: Attempt): Promise<{ schoolId: number; id: number; token: string }> {
    const { username, password, schoolId, ip } = attempt;
    const signedIn = await this.#throttle.attempt(throttledName(schoolId, username), ip, async () => {
      const matching = await matchingOf(await this.#candidates(username, schoolId), password);
      const [found] = matching;
      if (!found) return null;
      if (matching.length > 1) {
        throw conflict(
          'Several schools have a student with this username and password; name one by schoolDb',
        );
      }
      const token = await this.#sessions.open(found.schoolId, found.id, found.passwordHash);
      return token === null ? null : { schoolId: found.schoolId, id: found.id, token };
    });
    if (!signedIn) throw new AppError('unauthenticated', 'The username or the password is wrong');
    return signedIn;
  }

  /**
   * Changes the own password and ends every other session.
   *
   * @param data the student's own
   * @throws AppError invalid_value (the old password is wrong, or was changed at the same moment), rate_limited
   */
  async changePassword(
    student: StudentCaller,
    data: SchoolData,
    session: string,
    passwords: { oldPassword: string; newPassword: string },
    ip: string,
  ): Promise<void> {
    const isWrong = () => invalidValue('The old password is wrong');
    const name = throttledName(data.schoolId, student.username);
    const oldHash = await this.#throttle.attempt(name, ip, async () => {
      const [own] = await this.#candidates(student.username, data.schoolId);
      const matches = await verifyPassword(own?.passwordHash ?? null, passwords.oldPassword);
      return own && own.id === student.id && matches ? own.passwordHash : null;
    });
    if (oldHash === null) throw isWrong();
    const passwordHash = await hashPassword(passwords.newPassword);
    await inTransaction(this.#db, async (tx) => {
      const own = data.through(tx);
      const changed = await own
        .updateStudent(student.id)
        .where('password_hash', '=', oldHash)
        .set({ password_hash: passwordHash })
        .returning('id')
        .executeTakeFirst();
      if (!changed) throw isWrong();
      await StudentSessions.closeAll(own, student.id, session);
    });
  }

  /**
   * Looks into every enabled school, or the one that is named. OFFSET 0 keeps the planner from joining the tables
   * in another way: each school's own index of usernames is asked, and never all students are read.
   */
  async #candidates(username: string, schoolId: number | null): Promise<Candidate[]> {
    const known = username.toWellFormed().replaceAll('\0', '�');
    const { rows } = await sql<Candidate>`
      SELECT found.school_id AS "schoolId", found.id, found.password_hash AS "passwordHash"
      FROM school CROSS JOIN LATERAL (
        SELECT s.school_id, s.id, s.password_hash FROM student s
        WHERE s.school_id = school.id AND s.username = ${known} AND NOT s.disabled
        OFFSET 0
      ) found
      WHERE NOT school.disabled ${schoolId === null ? sql`` : sql`AND school.id = ${schoolId}`}
      ORDER BY found.school_id`.execute(this.#db);
    return rows;
  }
}

/** The name by which failures are counted; what somebody types as a username cannot pretend to be another. */
const throttledName = (schoolId: number | null, username: string) =>
  schoolId === null ? `any ${username}` : `${schoolId} ${username}`;

/** Candidates with this password: all are tried, until a second one shows that the school has to be named. */
async function matchingOf(candidates: readonly Candidate[], password: string): Promise<Candidate[]> {
  const matching: Candidate[] = [];
  if (candidates.length === 0) await verifyPassword(null, password);
  await workThrough(candidates, verifiedAtOnce, async (candidate) => {
    if (matching.length < 2 && (await verifyPassword(candidate.passwordHash, password)))
      matching.push(candidate);
  });
  return matching;
}
