import { randomBytes } from 'node:crypto';
import { type Expression, type SqlBool, sql } from 'kysely';
import { hashPassword } from '../../access/passwords.ts';
import { SignInRefusedError } from '../../access/provider-sign-in.ts';
import { SchoolData } from '../../access/school-data.ts';
import type { OpenedSession } from '../../access/sessions.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { inTransaction, violatedUnique } from '../../database/transaction.ts';
import { AppError } from '../../errors/app-error.ts';
import { createStudents, type StudentToStore, unknownPassword } from '../students/create-students.ts';
import { withStudentDefaults } from '../students/student-creation.ts';
import type { Claims } from './oidc.ts';
import type { StoredProvider } from './stored-providers.ts';

/* The first sign-in binds by a claim. Later ones use the permanent subject, which a reused username does not have. */

/** OpenID Connect limits a subject to 255 characters. */
const subjectLengthMax = 255;

/** A person who has returned from a provider. */
interface ReturnedPerson {
  readonly provider: StoredProvider;
  readonly claims: Claims;
  readonly at: Date;
}

/** Opens a session; the first sign-in binds the account to the person. @throws SignInRefusedError noAccount */
export function matchAdministrator(
  db: Database,
  person: ReturnedPerson,
  open: (tx: Transaction, adminId: number) => Promise<OpenedSession | null>,
): Promise<{ readonly adminId: number; readonly opened: OpenedSession }> {
  const { provider, claims } = person;
  const find = async (tx: Transaction, subject: string) => {
    const bound = await findBoundId(tx, provider, 'admin_id', subject);
    const enabledAdmins = () =>
      tx
        .selectFrom('admin')
        .where('school_id', '=', provider.schoolId)
        .where('disabled', '=', false)
        .select('id')
        .forUpdate();
    if (bound !== null) {
      const found = await enabledAdmins().where('id', '=', bound).executeTakeFirst();
      return found && (await isStillBound(bound, tx, provider, 'admin_id', subject)) ? bound : null;
    }
    const name = claimValue(provider, claims);
    const found = await enabledAdmins().where('username', '=', name).executeTakeFirst();
    return found ? bindAccount(tx, person, { admin_id: found.id, student_id: null }) : null;
  };
  return matchOrRefuse(db, person, async (tx, subject) => {
    const adminId = await find(tx, subject);
    const opened = adminId === null ? null : await open(tx, adminId);
    return adminId === null || opened === null ? null : { adminId, opened };
  });
}

/** Finds or creates the matching student and runs `onMatch` in one transaction. @throws SignInRefusedError noAccount */
export async function matchStudent(
  db: Database,
  person: ReturnedPerson,
  onMatch: (own: SchoolData, studentId: number) => Promise<string>,
): Promise<string> {
  const { provider, claims, at } = person;
  const data = new SchoolData(db, { schoolId: provider.schoolId, gradeId: null, classId: null });
  const find = async (tx: Transaction, subject: string) => {
    const students = (which: Expression<SqlBool>) =>
      tx
        .selectFrom('student')
        .where('school_id', '=', provider.schoolId)
        .where('disabled', '=', false)
        .where(which)
        .select('id')
        .limit(2)
        .forUpdate()
        .execute();
    const bound = await findBoundId(tx, provider, 'student_id', subject);
    if (bound !== null) {
      const [found] = await students(sql`id = ${bound}`);
      return found && (await isStillBound(bound, tx, provider, 'student_id', subject)) ? bound : null;
    }
    const value = claimValue(provider, claims);
    const candidates = await students(
      provider.studentAttribute === 'email' ? sql`lower(email) = lower(${value})` : sql`username = ${value}`,
    );
    // Refuses if two students have this email address.
    const [found] = candidates;
    if (!found || candidates.length > 1) return null;
    return bindAccount(tx, person, { admin_id: null, student_id: found.id });
  };
  const matchExisting = () =>
    matchOrRefuse(db, person, async (tx, subject) => {
      const id = await find(tx, subject);
      return id === null ? [] : [await onMatch(data.withConnection(tx), id)];
    });
  const [found] = await matchExisting();
  if (found !== undefined) return found;
  const prepared = await prepareStudent(data, provider, claims);
  const [created] = await matchOrRefuse(db, person, async (tx) => {
    const own = data.withConnection(tx);
    const id = await createStudentIfFree(own, prepared, at);
    if (id === null) return [];
    await bindAccount(tx, person, { admin_id: null, student_id: id });
    return [await onMatch(own, id)];
  });
  // The username is taken, perhaps by a parallel sign-in of the same person, so looks for the student again.
  const [result] = created === undefined ? await matchExisting() : [created];
  if (result === undefined) throw noAccountError(provider);
  return result;
}

/** Returns whether the person at the provider is bound to the administrator. Locks the administrator. */
export async function isBoundAdministrator(
  tx: Transaction,
  provider: StoredProvider,
  { subject }: Claims,
  adminId: number,
): Promise<boolean> {
  const found = await tx
    .selectFrom('admin')
    .where('id', '=', adminId)
    .where('school_id', '=', provider.schoolId)
    .select('id')
    .forUpdate()
    .executeTakeFirst();
  return found !== undefined && isStillBound(adminId, tx, provider, 'admin_id', subject);
}

async function matchOrRefuse<T>(
  db: Database,
  { provider, claims: { subject } }: ReturnedPerson,
  find: (tx: Transaction, subject: string) => Promise<T | null>,
): Promise<T> {
  if (subject === '' || subject.length > subjectLengthMax || subject.includes('\0')) {
    throw new SignInRefusedError('noAccount', 'the subject is empty or too long');
  }
  // Tries twice: if two first sign-ins run in parallel, the second attempt finds the other's binding.
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      const found = await inTransaction(db, async (tx) =>
        (await isUnchangedProvider(tx, provider)) ? find(tx, subject) : null,
      );
      if (found !== null) return found;
      break;
    } catch (error) {
      // A parallel sign-in has bound the account or the person.
      if (!violatedUnique(error)?.startsWith('sign_in_identity')) throw error;
    }
  }
  throw noAccountError(provider);
}

const noAccountError = ({ id }: StoredProvider) =>
  new SignInRefusedError('noAccount', `no account matches at provider ${id}`);

/** Returns whether the provider still has the same settings, and locks it until the transaction ends. */
async function isUnchangedProvider(tx: Transaction, provider: StoredProvider): Promise<boolean> {
  const { schoolId, id, createStudentsIn } = provider;
  // Locks the school before its people, as all code does.
  const data = new SchoolData(tx, { schoolId, gradeId: null, classId: null });
  if (!(await data.lockSchoolShared())) return false;
  const found = await data
    .selectFrom('sign_in_provider')
    .where('id', '=', id)
    .where('issuer', '=', provider.issuer)
    .where('client_id', '=', provider.clientId)
    .where('enabled', '=', provider.enabled)
    .where('for_administrators', '=', provider.forAdministrators)
    .where('for_students', '=', provider.forStudents)
    .where('claim', '=', provider.claim)
    .where('student_attribute', '=', provider.studentAttribute)
    .where('create_students_in', createStudentsIn === null ? 'is' : '=', createStudentsIn)
    .select('id')
    .forShare()
    .executeTakeFirst();
  return found !== undefined;
}

/** Checks the binding again. Call it after locking the account, because unbinding also locks the account. */
const isStillBound = async (id: number, ...binding: Parameters<typeof findBoundId>) =>
  (await findBoundId(...binding)) === id;

async function findBoundId(
  db: Transaction,
  { schoolId, id }: StoredProvider,
  account: 'admin_id' | 'student_id',
  subject: string,
): Promise<number | null> {
  const found = await db
    .selectFrom('sign_in_identity')
    .where('school_id', '=', schoolId)
    .where('provider_id', '=', id)
    .where('subject', '=', subject)
    .where(account, 'is not', null)
    .select(`${account} as id`)
    .executeTakeFirst();
  return found?.id ?? null;
}

/** Returns the value of the claim. @throws SignInRefusedError noAccount when the claim is missing or not comparable */
function claimValue({ claim }: StoredProvider, { values }: Claims): string {
  const said = values[claim];
  const value = typeof said === 'number' && Number.isSafeInteger(said) ? String(said) : said;
  if (typeof value !== 'string' || value === '' || value.includes('\0') || value.length > 320) {
    throw new SignInRefusedError('noAccount', 'the claim is missing or not a text');
  }
  // Accepts only a verified email address, because people can enter any address at a provider.
  if (claim === 'email' && values.email_verified !== true) {
    throw new SignInRefusedError('noAccount', 'the email address is not verified at the provider');
  }
  return value;
}

/** Binds an account and returns its id. A unique violation means that the account or the person is bound already. */
async function bindAccount(
  tx: Transaction,
  { provider, claims: { subject }, at }: ReturnedPerson,
  account: { readonly admin_id: number | null; readonly student_id: number | null },
): Promise<number> {
  const { schoolId, id } = provider;
  await tx
    .insertInto('sign_in_identity')
    .values({ school_id: schoolId, provider_id: id, ...account, subject, created_at: at })
    .execute();
  return (account.admin_id ?? account.student_id) as number;
}

const usernamePattern = /^[^\p{Cc}\p{Cs}]{1,64}$/u;

/** @throws SignInRefusedError noAccount: creation is off, or the name is not allowed */
async function prepareStudent(
  data: SchoolData,
  provider: StoredProvider,
  claims: Claims,
): Promise<StudentToStore> {
  const classId = provider.createStudentsIn;
  const username = claimValue(provider, claims).trim();
  const isPossible = provider.studentAttribute === 'username' && usernamePattern.test(username);
  if (classId === null || !isPossible) throw new SignInRefusedError('noAccount', 'no account matches');
  const said = typeof claims.values.name === 'string' ? claims.values.name.trim() : '';
  const actualName = /^[^\p{Cs}\0]{1,100}$/u.test(said) ? said : username;
  // A random password that no one knows: the student signs in at the provider, until someone sets a password.
  const password = randomBytes(32).toString('base64url');
  const hash = await hashPassword(password, `school ${data.schoolId}`);
  return {
    ...withStudentDefaults({ username, actualName }, classId),
    password,
    passwordSource: 'generated',
    stored: unknownPassword(hash),
    initialPassword: null,
    fault: null,
  };
}

async function createStudentIfFree(
  own: SchoolData,
  prepared: StudentToStore,
  at: Date,
): Promise<number | null> {
  const [created] = await createStudents(own, [prepared], at);
  return !created || created instanceof AppError ? null : created.id;
}
