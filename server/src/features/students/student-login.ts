import { sql } from 'kysely';
import type { LoginThrottle } from '../../access/login-throttle.ts';
import {
  type CheckFor,
  confirmationBy,
  hashPassword,
  loginOf,
  verifyPassword,
} from '../../access/passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { type StudentCaller, StudentSessions } from '../../access/student-sessions.ts';
import { AppError, conflict, invalidValue } from '../../app-error.ts';
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

/** One login tries no more students than these, however many schools know its username (docs/contract.md, Throttles). */
const triedMax = 3;

/** Sign-in of students, and the change of their own password. */
export class StudentLogin {
  readonly #db: Database;
  readonly #logins: LoginThrottle;
  readonly #confirmations: LoginThrottle;
  readonly #sessions: StudentSessions;

  /**
   * @param throttles of students alone: their failures lock no administrator of the same name or address out.
   * Confirmations count apart, so that those who guess at a login keep no one who is signed in from acting
   */
  constructor(
    db: Database,
    throttles: { logins: LoginThrottle; confirmations: LoginThrottle },
    sessions: StudentSessions,
  ) {
    this.#db = db;
    this.#logins = throttles.logins;
    this.#confirmations = throttles.confirmations;
    this.#sessions = sessions;
  }

  /**
   * Opens a session for the student with this username and password. Where no school is named, every enabled
   * student of that username is a candidate and the password decides, unless there are more than may be tried: then the
   * school is asked for before any password is checked (docs/contract.md, Throttles). That answer tells a stranger that several
   * schools use the name, and nothing about a password, so it counts as no failure: pupils with a common name share
   * their school's address. An unknown username or school, a wrong password, and a disabled student or school are
   * answered alike; with one candidate it takes as long as with none. Each student tried is an attempt. Failures count
   * for the username in its school where the school is named, so that guessing at a name that many schools use leaves
   * those who name their school alone.
   *
   * @throws AppError unauthenticated, rate_limited, unavailable, conflict (the school has to be named)
   */
  async signIn(attempt: Attempt): Promise<{ schoolId: number; id: number; token: string }> {
    const { username, password, schoolId, ip } = attempt;
    const name = throttledName(schoolId, username);
    this.#logins.refuseKnownGuesser(name, ip);
    const candidates = await this.#candidates(username, schoolId);
    if (candidates.length > triedMax) {
      throw conflict('Several schools have a student with this username; name the school with schoolDb');
    }
    const check = async () => {
      const matching = await matchingOf(candidates, password, loginOf('students', username, ip));
      const [found] = matching;
      if (!found) return null;
      if (matching.length > 1) {
        throw conflict(
          'Several schools have a student with this username and password; name the school with schoolDb',
        );
      }
      const token = await this.#sessions.open(found.schoolId, found.id, found.passwordHash);
      return token === null ? null : { schoolId: found.schoolId, id: found.id, token };
    };
    const signedIn = await this.#logins.attempt(name, ip, check, Math.max(1, candidates.length));
    if (!signedIn) throw new AppError('unauthenticated', 'Wrong username or password');
    return signedIn;
  }

  /**
   * Changes the own password and ends every other session.
   *
   * @param data the student's own
   * @throws AppError invalid_value (the old password is wrong, or was changed at the same moment), rate_limited,
   * unavailable
   */
  async changePassword(
    student: StudentCaller,
    data: SchoolData,
    session: string,
    passwords: { oldPassword: string; newPassword: string },
    ip: string,
  ): Promise<void> {
    const isWrong = () => invalidValue('The old password is wrong');
    const oldHash = await this.#confirmations.attempt(String(student.id), ip, async () => {
      const [own] = await this.#candidates(student.username, data.schoolId);
      const by = confirmationBy('student', student.id);
      const matches = await verifyPassword(own?.passwordHash ?? null, passwords.oldPassword, by);
      return own && own.id === student.id && matches ? own.passwordHash : null;
    });
    if (oldHash === null) throw isWrong();
    const passwordHash = await hashPassword(passwords.newPassword, `school ${data.schoolId}`);
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
   * The enabled students of a username, one more than may be tried at most. Looks into every enabled school, or the one
   * that is named. OFFSET 0 keeps the planner from joining the tables in another way: each school's own index of
   * usernames is asked, and never all students are read.
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
      LIMIT ${triedMax + 1}`.execute(this.#db);
    return rows;
  }
}

/** The name by which failures are counted; what someone types as a username cannot pretend to be another. */
const throttledName = (schoolId: number | null, username: string) =>
  schoolId === null ? `any ${username}` : `${schoolId} ${username}`;

/** Candidates with this password: all are tried, until a second one shows that the school has to be named. */
async function matchingOf(
  candidates: readonly Candidate[],
  password: string,
  by: CheckFor,
): Promise<Candidate[]> {
  const matching: Candidate[] = [];
  if (candidates.length === 0) await verifyPassword(null, password, by);
  for (const candidate of candidates) {
    if (await verifyPassword(candidate.passwordHash, password, by)) matching.push(candidate);
    if (matching.length > 1) break;
  }
  return matching;
}
