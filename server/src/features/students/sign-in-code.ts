import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { AccountEvents } from '../../access/account-events.ts';
import type { InitialPassword } from '../../access/initial-passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { type StudentSessionRequest, StudentSessions } from '../../access/student-sessions.ts';
import type { Attempt, Origin } from '../../access/throttles.ts';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';

/*
 * Codes that sign a student in once: on a slip beside the first password, and to hand a student over to the pages who
 * has signed in at the provider of the school. Only their hashes are stored. They end with the sessions of the student:
 * with a new password and with disabling (StudentSessions.closeAll).
 */

/** What the session of a code counts as opened with. */
export type CodeKind = 'code' | 'provider';

interface Issue {
  /** Earlier codes of the same kind end. */
  readonly kind: CodeKind;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** A code on a slip: it ends with the password that it stands beside. */
export function slipOf({ expiresAt }: InitialPassword, at: Date): Issue {
  if (expiresAt === null) throw new Error('Only generated passwords come with a slip, and they end');
  return { kind: 'code', at, expiresAt };
}

const refusal = () =>
  new AppError('unauthenticated', 'This code cannot be used, or not any more; sign in with your password');

const hashOf = (code: string) => hash('sha256', code, 'buffer');

/** The school stands in front, as in a token: a code is looked up where the school's data is. */
const pattern = /^([1-9][0-9]{0,14})\.[\w-]{22}$/;

/**
 * Makes a code for each of some students, inside a transaction that has their rows.
 *
 * @returns the codes by the ids of the students
 */
export async function issueSignInCodes(
  own: SchoolData,
  studentIds: readonly number[],
  { kind, at, expiresAt }: Issue,
): Promise<Map<number, string>> {
  const codes = new Map(
    studentIds.map((id) => [id, `${own.schoolId}.${randomBytes(16).toString('base64url')}`]),
  );
  await own
    .deleteFrom('sign_in_code')
    .where('student_id', '=', sql<number>`ANY(${studentIds}::bigint[])`)
    .where('opens', '=', kind)
    .execute();
  await own.execute(sql`
    INSERT INTO sign_in_code (school_id, code_hash, student_id, opens, created_at, expires_at)
    SELECT ${own.schoolId}, n.code_hash, n.student_id, ${kind},
      ${at.toISOString()}::timestamptz, ${expiresAt.toISOString()}::timestamptz
    FROM unnest(${[...codes.values()].map(hashOf)}::bytea[], ${[...codes.keys()]}::bigint[]) AS n (code_hash, student_id)`);
  return codes;
}

/** The same for one student. */
export async function issueSignInCode(own: SchoolData, studentId: number, issue: Issue): Promise<string> {
  return (await issueSignInCodes(own, [studentId], issue)).get(studentId) as string;
}

interface Sent
  extends Pick<StudentSessionRequest, 'shared' | 'replaces' | 'device'>,
    Pick<Origin, 'browser'> {
  readonly code: string;
  readonly at: Date;
}

/**
 * Signs the student of a code in, once. A wrong, used, ended or expired code and one of a disabled student or school are
 * answered alike. When the session cannot be opened, the code is left as it was.
 *
 * @param ofStudent makes the answer
 * @returns the attempt; it fails with unauthenticated
 */
export const signInByCode = <T>(
  db: Database,
  events: AccountEvents,
  { code, at, browser, ...opening }: Sent,
  ofStudent: (student: { schoolId: number; id: number; token: string; kind: CodeKind }) => Promise<T>,
): Attempt<T> => {
  const codeHash = hashOf(code);
  const { device } = opening;
  return {
    // Each code by itself: nobody can shut out the others by guessing.
    name: `code ${codeHash.toString('hex')}`,
    refusal,
    prepare: async () => ({
      // Nobody guesses one, so nobody uses up the failures of its student.
      account: null,
      check: async () => {
        const schoolId = Number(pattern.exec(code)?.[1] ?? 0);
        const opened = await open(db, schoolId, codeHash, at, opening);
        if (!opened) {
          events.recordUnknownLogin('student', device);
          return null;
        }
        const { id, token, kind, passwordHash } = opened;
        events.recordStudentEvent({ schoolId, id }, 'signedIn', device);
        browser.remember({ kind: 'student', id, passwordHash });
        return ofStudent({ schoolId, id, token, kind });
      },
    }),
  };
};

/**
 * Uses a code up and opens the session in one transaction. The student is locked first, as by whoever makes a new
 * password: either that comes before, and the code is gone, or it finds the session and ends it.
 */
function open(
  db: Database,
  schoolId: number,
  codeHash: Buffer,
  at: Date,
  opening: Pick<StudentSessionRequest, 'shared' | 'replaces' | 'device'>,
) {
  return inTransaction(db, async (tx) => {
    // In front: everywhere it is locked before its students.
    const school = await tx
      .selectFrom('school')
      .where('id', '=', schoolId)
      .where('disabled', '=', false)
      .select('id')
      .forShare()
      .executeTakeFirst();
    if (!school) return null;
    const student = await tx
      .selectFrom('student as s')
      .where('s.school_id', '=', schoolId)
      .where('s.disabled', '=', false)
      .where('s.id', 'in', (query) =>
        query
          .selectFrom('sign_in_code as c')
          .select('c.student_id')
          .where('c.school_id', '=', schoolId)
          .where('c.code_hash', '=', codeHash),
      )
      .select(['s.id', 's.password_hash as passwordHash'])
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!student) return null;
    const used = await tx
      .deleteFrom('sign_in_code')
      .where('school_id', '=', schoolId)
      .where('code_hash', '=', codeHash)
      .where('expires_at', '>', at.toISOString())
      .returning('opens')
      .executeTakeFirst();
    if (!used) return null;
    const token = await new StudentSessions(tx, () => at).open({
      ...opening,
      schoolId,
      studentId: student.id,
      // A slip uses the password that stands on it; who comes from the provider has none to use.
      passwordHash: used.opens === 'provider' ? null : student.passwordHash,
      openedWith: used.opens,
    });
    // As where the school lets nobody in with a password: undone, so that the code is left as it was.
    if (token === null) throw refusal();
    return { ...student, token, kind: used.opens };
  });
}
