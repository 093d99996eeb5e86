import { limits } from '@classledger/contract';
import { sql } from 'kysely';
import type { AccountEvents } from '../../access/account-events.ts';
import { requireGoodChoice, sameAsOldPassword } from '../../access/chosen-passwords.ts';
import { chosenColumnsOfStudent, passwordExpired } from '../../access/initial-passwords.ts';
import type { Account } from '../../access/known-devices.ts';
import {
  confirmationCheck,
  hashPassword,
  loginCheck,
  type PasswordCheck,
  verifyPassword,
} from '../../access/passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Device } from '../../access/sessions.ts';
import type { SignInAddresses } from '../../access/sign-in-addresses.ts';
import {
  type StudentCaller,
  type StudentSessionRequest,
  StudentSessions,
} from '../../access/student-sessions.ts';
import type { Attempt, Origin } from '../../access/throttles.ts';
import { AppError, conflict, invalidValue } from '../../app-error.ts';
import type { Database } from '../../database/connect.ts';
import { readProfile } from './student-account.ts';

/** A student who may be meant by a login. */
interface Candidate {
  readonly schoolId: number;
  readonly id: number;
  readonly passwordHash: string;
  /** It was given out, and signs in no more. */
  readonly passwordEnded: boolean;
}

/** What is typed at a login; `schoolId` null where the school is not named, 0 for a school that there is not. */
interface Typed
  extends Pick<StudentSessionRequest, 'shared' | 'replaces' | 'device'>,
    Pick<Origin, 'browser'> {
  readonly username: string;
  readonly password: string;
  readonly schoolId: number | null;
  readonly at: Date;
}

/** One login tries no more students than these, however many schools know its username (docs/contract.md, Throttles). */
const triedMax = 8;
/** Among so many students of one username the ones to be tried are chosen. */
const candidatesMax = 1_000;

interface LoginParts {
  readonly db: Database;
  readonly sessions: StudentSessions;
  readonly events: AccountEvents;
  readonly signInAddresses: SignInAddresses;
}

/**
 * Opens a session for the student with this username and password. Where no school is named, the enabled students of
 * that username are candidates. Up to eight are tried, each an attempt: first those of schools that are known at this
 * address, then those of the oldest schools, so that a new school disturbs nobody. The password decides; several
 * matches ask for the school and count as no failure, because the password was right. No match among eight of more
 * asks for the school, too, and counts: passwords were checked.
 *
 * An unknown username or school, a wrong password, and a disabled student or school are answered alike; with one
 * candidate it takes as long as with none. The right password after its end is a failure, too, and the answer says whom
 * to ask. Failures count for the username in its school where the school is named, so that guessing at a name that many
 * schools use leaves those who name their school alone. A browser that knows the student has counters of its own as long
 * as no other student can be meant.
 *
 * @param ofStudent makes the answer
 * @returns the attempt; it fails with unauthenticated, and with conflict when the school has to be named
 */
export const logInStudent = <T>(
  { db, sessions, events, signInAddresses }: LoginParts,
  { username, password, schoolId, browser, at, ...opening }: Typed,
  ofStudent: (schoolId: number, id: number, token: string) => Promise<T>,
): Attempt<T> => {
  let refusal = new AppError('unauthenticated', 'Wrong username or password');
  const prepare = async () => {
    const { ip } = opening.device;
    const all = await candidatesOf(db, username, schoolId, at);
    const candidates = all.length > triedMax ? await nearest(signInAddresses, ip, all) : all;
    if (all.length > triedMax) {
      refusal = conflict('Many schools have a student with this username; name the school with schoolDb');
    }
    const check = async () => {
      const { device } = opening;
      const matching = await matchingOf(candidates, password, loginCheck('students', username, device.ip));
      const usable = matching.filter(({ passwordEnded }) => !passwordEnded);
      const [found] = usable;
      if (candidates.length === 0) events.recordUnknownLogin('student', device);
      if (!found) {
        if (matching.length > 0) refusal = passwordExpired('your teacher');
        for (const one of candidates) events.recordStudentEvent(one, 'signInFailed', device);
        return null;
      }
      if (usable.length > 1) {
        throw conflict(
          'Several schools have a student with this username and password; name the school with schoolDb',
        );
      }
      const { passwordHash } = found;
      const student = { schoolId: found.schoolId, studentId: found.id, passwordHash };
      const token = await sessions.open({ ...opening, ...student, openedWith: 'password' });
      events.recordStudentEvent(found, token === null ? 'signInFailed' : 'signedIn', device);
      if (token === null) return null;
      browser.remember(accountOf(found));
      // The next sign-in notes it where this does not.
      await signInAddresses.record(ip, found.schoolId, at).catch(() => undefined);
      return ofStudent(found.schoolId, found.id, token);
    };
    const [only, ...others] = candidates;
    const account = only && others.length === 0 ? accountOf(only) : null;
    return { check, passwords: Math.max(1, candidates.length), account };
  };
  return { name: throttledName(schoolId, username), refusal: () => refusal, prepare };
};

/** The code of the slip was proof enough. @throws AppError missing_field: the old password is needed */
async function requireFreshSlip(data: SchoolData, session: string, now: Date): Promise<true> {
  if (await StudentSessions.isFromRecentCode(data, session, now)) return true;
  throw new AppError('missing_field', 'oldPassword is required');
}

/**
 * Changes the own password and ends every other session. The old one may be left out by who has come by the code of a
 * slip a moment ago and has not chosen a password yet: a young pupil may not be able to read it.
 *
 * @param data the student's own
 * @returns the attempt; it fails with invalid_value, also where the old password is changed at the same moment, and
 * before any password is checked where the new one may not be chosen
 */
export function changeOwnPassword(
  db: Database,
  data: SchoolData,
  events: AccountEvents,
  call: Device & Origin & { readonly student: StudentCaller; readonly session: string; readonly at: Date },
  {
    oldPassword,
    newPassword,
    strict,
  }: { readonly oldPassword?: string | undefined; readonly newPassword: string; readonly strict: boolean },
): Attempt<{ id: number; username: string }> {
  const { session } = call;
  const { id, username } = call.student;
  const refusal = () => invalidValue('The old password is wrong');
  const find = async () => {
    const [own] = await candidatesOf(db, username, data.schoolId, call.at);
    return own?.id === id ? own : null;
  };
  const check = async () => {
    const own = await find();
    // Whoever has a session still may be anyone of those who knew it.
    if (own?.passwordEnded)
      throw invalidValue('Your initial password has ended; ask your school for a new one');
    const by = confirmationCheck('student', id);
    const matches =
      oldPassword === undefined
        ? await requireFreshSlip(data, session, call.at)
        : await verifyPassword(own?.passwordHash ?? null, oldPassword, by);
    const account = { schoolId: data.schoolId, id };
    if (!own || !matches) {
      events.recordStudentEvent(account, 'confirmationFailed', call);
      return null;
    }
    if (oldPassword === undefined && (await verifyPassword(own.passwordHash, newPassword, by)))
      throw sameAsOldPassword();
    const passwordHash = await hashPassword(newPassword, `school ${data.schoolId}`);
    await data.transaction(async (tx) => {
      const changed = await tx
        .updateStudent(id)
        .where('password_hash', '=', own.passwordHash)
        .set(chosenColumnsOfStudent(passwordHash))
        .returning('id')
        .executeTakeFirst();
      if (!changed) throw refusal();
      await StudentSessions.closeAll(tx, id, session);
    });
    call.browser.remember({ kind: 'student', id, passwordHash });
    events.recordStudentEvent(account, 'passwordChanged', call);
    return { id, username };
  };
  return {
    name: String(id),
    refusal,
    prepare: async () => {
      const { actualName, schoolName } = await readProfile(data, id);
      const names = [actualName, schoolName];
      const owner = { oldPassword, username, names, strictLengthMin: limits.passwordLengthMin };
      await requireGoodChoice(newPassword, owner, strict);
      const own = await find();
      return { check, account: own && accountOf(own) };
    },
  };
}

/** The candidates to be tried: of schools that are known at the address first, then of the oldest schools. */
async function nearest(
  signInAddresses: SignInAddresses,
  ip: string,
  all: readonly Candidate[],
): Promise<Candidate[]> {
  const known = await signInAddresses.knownSchools(
    ip,
    all.map(({ schoolId }) => schoolId),
  );
  const isKnown = ({ schoolId }: Candidate) => known.has(schoolId);
  return [...all.filter(isKnown), ...all.filter((one) => !isKnown(one))].slice(0, triedMax);
}

/**
 * The enabled students of a username, of every enabled school or the one that is named, those of the oldest school
 * first. An index of all usernames finds them. They are found first, because the list of schools may be on another node;
 * each one's school is looked at alone, so that nothing is read past the last one that is wanted.
 */
async function candidatesOf(
  db: Database,
  username: string,
  schoolId: number | null,
  at: Date,
): Promise<Candidate[]> {
  const known = username.toWellFormed().replaceAll('\0', '�');
  const { rows } = await sql<Candidate>`
    WITH found AS MATERIALIZED (
      SELECT school_id, id, password_hash, password_expires_at FROM student
      WHERE username = ${known} AND NOT disabled ${schoolId === null ? sql`` : sql`AND school_id = ${schoolId}`}
      ORDER BY school_id
    )
    SELECT found.school_id AS "schoolId", found.id, found.password_hash AS "passwordHash",
      coalesce(found.password_expires_at <= ${at.toISOString()}::timestamptz, false) AS "passwordEnded"
    FROM found WHERE (SELECT NOT disabled FROM school WHERE id = found.school_id)
    LIMIT ${candidatesMax}`.execute(db);
  return rows;
}

const accountOf = ({ id, passwordHash }: Candidate): Account => ({ kind: 'student', id, passwordHash });

/** The name by which failures are counted; what someone types as a username cannot pretend to be another. */
const throttledName = (schoolId: number | null, username: string) =>
  schoolId === null ? `any ${username}` : `${schoolId} ${username}`;

/** Candidates with this password: all are tried, until a second one that may sign in shows that the school has to be named. */
async function matchingOf(
  candidates: readonly Candidate[],
  password: string,
  by: PasswordCheck,
): Promise<Candidate[]> {
  const matching: Candidate[] = [];
  if (candidates.length === 0) await verifyPassword(null, password, by);
  for (const candidate of candidates) {
    if (await verifyPassword(candidate.passwordHash, password, by)) matching.push(candidate);
    if (matching.filter((one) => !one.passwordEnded).length > 1) break;
  }
  return matching;
}
