import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { AccountEvents } from '../../access/account-events.ts';
import type { InitialPassword } from '../../access/initial-passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { type StudentSessionRequest, StudentSessions } from '../../access/student-sessions.ts';
import type { AttemptOrigin, ThrottledAttempt } from '../../access/throttles.ts';
import type { Database } from '../../database/connect.ts';
import { anyOf } from '../../database/expressions.ts';
import { inTransaction } from '../../database/transaction.ts';
import { AppError } from '../../errors/app-error.ts';

/* One-time codes on printed slips, and for students who return from a provider. Only hashes are stored. */

/** The sign-in method that a session records when a code of this kind opens it. */
export type CodeKind = 'code' | 'provider';

interface CodeTerms {
  /** A new code replaces the student's earlier codes of the same kind. */
  readonly kind: CodeKind;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Creates a code for each printed slip with an initial password. The code expires with that password. */
export async function issuePrintedCodes(
  own: SchoolData,
  studentIds: readonly number[],
  password: Pick<InitialPassword, 'expiresAt'> | null | undefined,
  at: Date,
): Promise<ReadonlyMap<number, string>> {
  if (!password) return new Map();
  const { expiresAt } = password;
  if (expiresAt === null) throw new Error('Only generated passwords come with a slip, and they end');
  return issueSignInCodes(own, studentIds, { kind: 'code', at, expiresAt });
}

const refusal = () =>
  new AppError('unauthenticated', 'This code cannot be used, or not any more; sign in with your password');

const hashOf = (code: string) => hash('sha256', code, 'buffer');

/** Codes begin with the id of their school, because they are stored with the school's data. */
const codePattern = /^([1-9][0-9]{0,14})\.[\w-]{22}$/;

/** Creates a code for each student. The caller has locked the students. @returns codes by student id */
async function issueSignInCodes(
  own: SchoolData,
  studentIds: readonly number[],
  { kind, at, expiresAt }: CodeTerms,
): Promise<Map<number, string>> {
  const codes = new Map(
    studentIds.map((id) => [id, `${own.schoolId}.${randomBytes(16).toString('base64url')}`]),
  );
  await own
    .deleteFrom('sign_in_code')
    .where('student_id', '=', anyOf(studentIds))
    .where('opens', '=', kind)
    .execute();
  await own.execute(sql`
    INSERT INTO sign_in_code (school_id, code_hash, student_id, opens, created_at, expires_at)
    SELECT ${own.schoolId}, n.code_hash, n.student_id, ${kind},
      ${at.toISOString()}::timestamptz, ${expiresAt.toISOString()}::timestamptz
    FROM unnest(${[...codes.values()].map(hashOf)}::bytea[], ${[...codes.keys()]}::bigint[]) AS n (code_hash, student_id)`);
  return codes;
}

export async function issueSignInCode(own: SchoolData, studentId: number, terms: CodeTerms): Promise<string> {
  return (await issueSignInCodes(own, [studentId], terms)).get(studentId) as string;
}

interface SignInByCodeCall
  extends Pick<StudentSessionRequest, 'shared' | 'replaces' | 'device'>,
    Pick<AttemptOrigin, 'browser'> {
  readonly code: string;
  readonly at: Date;
}

/** Keeps the code valid if no session opens. @returns an attempt; every cause fails with the same unauthenticated */
export const signInByCode = <T>(
  db: Database,
  events: AccountEvents,
  { code, at, browser, ...opening }: SignInByCodeCall,
  onSignedIn: (student: { schoolId: number; id: number; token: string; kind: CodeKind }) => Promise<T>,
): ThrottledAttempt<T> => {
  const codeHash = hashOf(code);
  const { device } = opening;
  return {
    // Failures count per code, so wrong codes do not block other codes.
    name: `code ${codeHash.toString('hex')}`,
    refusal,
    prepare: async () => ({
      // Does not use the student's own failure counter, because codes are too long to guess.
      account: null,
      check: async () => {
        const schoolId = Number(codePattern.exec(code)?.[1] ?? 0);
        const opened = await openByCode(db, schoolId, codeHash, at, opening);
        if (!opened) {
          events.recordUnknownLogin('student', device);
          return null;
        }
        const { id, token, kind, passwordHash } = opened;
        events.recordStudentEvent({ schoolId, id }, 'signedIn', device);
        browser.remember({ kind: 'student', id, passwordHash });
        return onSignedIn({ schoolId, id, token, kind });
      },
    }),
  };
};

/** Locks the student before the code, so that a concurrent password change deletes the code or ends the session. */
function openByCode(
  db: Database,
  schoolId: number,
  codeHash: Buffer,
  at: Date,
  opening: Pick<StudentSessionRequest, 'shared' | 'replaces' | 'device'>,
) {
  return inTransaction(db, async (tx) => {
    // Lock order: the school before its students.
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
      // A printed code also uses up the initial password on its slip. A provider's code involves no password.
      passwordHash: used.opens === 'provider' ? null : student.passwordHash,
      openedWith: used.opens,
    });
    // No session opened, for example because the school forbids passwords. The rollback keeps the code valid.
    if (token === null) throw refusal();
    return { ...student, token, kind: used.opens };
  });
}
