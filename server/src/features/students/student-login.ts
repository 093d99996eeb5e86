import { type Body, type InternalOperations, limits } from '@classledger/contract';
import { sql } from 'kysely';
import type { AccountEvents } from '../../access/account-events.ts';
import { requireAllowedPassword, samePasswordError } from '../../access/chosen-passwords.ts';
import { chosenStudentPasswordColumns, passwordExpiredError } from '../../access/initial-passwords.ts';
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
import type { AttemptOrigin, ThrottledAttempt } from '../../access/throttles.ts';
import type { Database } from '../../database/connect.ts';
import { AppError, conflict, invalidValue } from '../../errors/app-error.ts';
import { readProfile } from './student-account.ts';

interface Candidate {
  readonly schoolId: number;
  readonly id: number;
  readonly passwordHash: string;
  readonly isPasswordExpired: boolean;
}

/** `schoolId`: null if the student named only a username, 0 if the named school does not exist. */
interface StudentLoginCall
  extends Pick<StudentSessionRequest, 'shared' | 'replaces' | 'device'>,
    Pick<AttemptOrigin, 'browser'> {
  readonly username: string;
  readonly password: string;
  readonly schoolId: number | null;
  readonly at: Date;
}

/** The most students of all schools whose passwords one login checks (docs/contract.md, Throttles). */
const candidatesTriedMax = 8;
/** The most students with the same username that a login reads before it chooses whose passwords to check. */
const candidatesMax = 1_000;

interface StudentLoginServices {
  readonly db: Database;
  readonly sessions: StudentSessions;
  readonly events: AccountEvents;
  readonly signInAddresses: SignInAddresses;
}

/**
 * Signs a student in by username and password. The answer is the same for an unknown username or school, a wrong or
 * expired password, and a disabled student or school. A login without candidates takes as long as with one.
 *
 * Without a school, tries at most eight enabled students of that username and counts one attempt for each. Schools
 * known at the IP address come first, so new schools cannot displace others. Asks for the school if several students
 * fit (this counts no failure), or if all tried students fail and more exist.
 *
 * With a school, failures count for the username in that school. A browser that the student has used has its own
 * counters when there is one candidate.
 *
 * @returns an attempt whose failure is unauthenticated, or conflict when the login must name the school
 */
export const logInStudent = <T>(
  { db, sessions, events, signInAddresses }: StudentLoginServices,
  { username, password, schoolId, browser, at, ...opening }: StudentLoginCall,
  onSignedIn: (schoolId: number, id: number, token: string) => Promise<T>,
): ThrottledAttempt<T> => {
  let refusal = new AppError('unauthenticated', 'Wrong username or password');
  const prepare = async () => {
    const { ip } = opening.device;
    const all = await findCandidates(db, username, schoolId, at);
    const candidates =
      all.length > candidatesTriedMax ? await preferKnownSchools(signInAddresses, ip, all) : all;
    if (all.length > candidatesTriedMax) {
      refusal = conflict('Many schools have a student with this username; name the school with schoolDb');
    }
    const check = async () => {
      const { device } = opening;
      const matching = await findMatching(candidates, password, loginCheck('students', username, device.ip));
      const usable = matching.filter(({ isPasswordExpired }) => !isPasswordExpired);
      const [found] = usable;
      if (candidates.length === 0) events.recordUnknownLogin('student', device);
      if (!found) {
        if (matching.length > 0) refusal = passwordExpiredError('your teacher');
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
      // Ignores a failure, because the next sign-in records the address.
      await signInAddresses.record(ip, found.schoolId, at).catch(() => undefined);
      return onSignedIn(found.schoolId, found.id, token);
    };
    const [only, ...others] = candidates;
    const account = only && others.length === 0 ? accountOf(only) : null;
    return { check, passwords: Math.max(1, candidates.length), account };
  };
  return { name: throttleName(schoolId, username), refusal: () => refusal, prepare };
};

/**
 * @throws AppError missing_field, unless a printed code opened this session recently and the password is still initial
 */
async function requireRecentSlipSignIn(data: SchoolData, session: string, now: Date): Promise<true> {
  if (await StudentSessions.isFromRecentCode(data, session, now)) return true;
  throw new AppError('missing_field', 'oldPassword is required');
}

type PasswordChange = Body<InternalOperations['changeStudentPassword']> & { readonly strict: boolean };

/**
 * Signs out all other sessions. After a sign-in with a printed code, the student can leave out the initial password.
 * @returns an attempt whose failure is invalid_value for a wrong old password, or one that changes meanwhile
 */
export function changeOwnPassword(
  db: Database,
  data: SchoolData,
  events: AccountEvents,
  call: Device &
    AttemptOrigin & { readonly student: StudentCaller; readonly session: string; readonly at: Date },
  { oldPassword, newPassword, strict }: PasswordChange,
): ThrottledAttempt<{ id: number; username: string }> {
  const { session } = call;
  const { id, username } = call.student;
  const refusal = () => invalidValue('The old password is wrong');
  const find = async () => {
    const [own] = await findCandidates(db, username, data.schoolId, call.at);
    return own?.id === id ? own : null;
  };
  const check = async () => {
    const own = await find();
    // Rejects an expired initial password, because others may have seen it and opened this session with it.
    if (own?.isPasswordExpired)
      throw invalidValue('Your initial password has ended; ask your school for a new one');
    const by = confirmationCheck('student', id);
    const matches =
      oldPassword === undefined
        ? await requireRecentSlipSignIn(data, session, call.at)
        : await verifyPassword(own?.passwordHash ?? null, oldPassword, by);
    const account = { schoolId: data.schoolId, id };
    if (!own || !matches) {
      events.recordStudentEvent(account, 'confirmationFailed', call);
      return null;
    }
    if (oldPassword === undefined && (await verifyPassword(own.passwordHash, newPassword, by)))
      throw samePasswordError();
    const passwordHash = await hashPassword(newPassword, `school ${data.schoolId}`);
    await data.transaction(async (tx) => {
      await tx
        .updateTable('student')
        .where('id', '=', id)
        .where('password_hash', '=', own.passwordHash)
        .set(chosenStudentPasswordColumns(passwordHash))
        .returning('id')
        .executeTakeFirstOrThrow(() => refusal());
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
      await requireAllowedPassword(newPassword, owner, strict);
      const own = await find();
      return { check, account: own && accountOf(own) };
    },
  };
}

async function preferKnownSchools(
  signInAddresses: SignInAddresses,
  ip: string,
  all: readonly Candidate[],
): Promise<Candidate[]> {
  const schoolIds = all.map(({ schoolId }) => schoolId);
  const known = await signInAddresses.knownSchools(ip, schoolIds);
  const isKnown = ({ schoolId }: Candidate) => known.has(schoolId);
  return [...all.filter(isKnown), ...all.filter((one) => !isKnown(one))].slice(0, candidatesTriedMax);
}

/** Sorts by school, the oldest first. Reads students before schools, which can be on another database node. */
async function findCandidates(
  db: Database,
  username: string,
  schoolId: number | null,
  at: Date,
): Promise<Candidate[]> {
  const storableUsername = username.toWellFormed().replaceAll('\0', '�');
  const { rows } = await sql<Candidate>`
    WITH found AS MATERIALIZED (
      SELECT school_id, id, password_hash, password_expires_at FROM student
      WHERE username = ${storableUsername} AND NOT disabled ${schoolId === null ? sql`` : sql`AND school_id = ${schoolId}`}
      ORDER BY school_id
    )
    SELECT found.school_id AS "schoolId", found.id, found.password_hash AS "passwordHash",
      coalesce(found.password_expires_at <= ${at.toISOString()}::timestamptz, false) AS "isPasswordExpired"
    FROM found WHERE (SELECT NOT disabled FROM school WHERE id = found.school_id)
    LIMIT ${candidatesMax}`.execute(db);
  return rows;
}

const accountOf = ({ id, passwordHash }: Candidate): Account => ({ kind: 'student', id, passwordHash });

/** Returns the name under which failures count. The prefix keeps a typed username from imitating another name. */
const throttleName = (schoolId: number | null, username: string) =>
  schoolId === null ? `any ${username}` : `${schoolId} ${username}`;

/** Stops at the second candidate who can sign in, because the login must then name the school. */
async function findMatching(
  candidates: readonly Candidate[],
  password: string,
  by: PasswordCheck,
): Promise<Candidate[]> {
  const matching: Candidate[] = [];
  if (candidates.length === 0) await verifyPassword(null, password, by);
  for (const candidate of candidates) {
    if (await verifyPassword(candidate.passwordHash, password, by)) matching.push(candidate);
    if (matching.filter((one) => !one.isPasswordExpired).length > 1) break;
  }
  return matching;
}
