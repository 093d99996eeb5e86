import type { StudentIdentity } from '@classledger/contract';
import { sql } from 'kysely';
import { findWriteError } from '../../access/archived.ts';
import type { InitialPassword, InitialPasswords, PasswordSource } from '../../access/initial-passwords.ts';
import { hashConcurrency, pronounceablePassword } from '../../access/passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { recordCreatedStudents } from '../../changes/record-student-changes.ts';
import { forEachLimited } from '../../concurrency/for-each-limited.ts';
import { anyOf } from '../../database/expressions.ts';
import type { AppError } from '../../errors/app-error.ts';
import { RowSet, rowColumns } from '../../fields/fields.ts';
import { type ChangeableField, changeableFields, studentFields } from '../../fields/students.ts';
import { applyTotals } from '../scores/ledger/totals.ts';
import { TotalsDelta } from '../scores/ledger/totals-delta.ts';
import { type Names, NameTakenError, readIdentities, studentIdentities, TakenNames } from './identities.ts';

export interface NewStudent extends Readonly<Pick<StudentIdentity, ChangeableField>> {
  /** Null when a password must be generated. */
  readonly password: string | null;
  readonly passwordSource: PasswordSource;
}

export interface PreparedStudent extends NewStudent {
  /** Null when `fault` says why the student cannot be created. */
  readonly stored: InitialPassword | null;
  /** The generated password, which is shown once. */
  readonly initialPassword: string | null;
  readonly fault: AppError | null;
}

/** Returns columns of a password that no person knows. */
export const unknownPassword = (hash: string) =>
  ({ hash, expiresAt: null, isInitial: false, isShared: false }) as const;

export interface StudentToStore extends Omit<PreparedStudent, 'stored'> {
  readonly stored: PreparedStudent['stored'] | ReturnType<typeof unknownPassword>;
}

type RemainingNames = (known: StudentIdentity) => Names;

/**
 * Hashes passwords. Call it outside of transactions, because hashing is slow. Skips students that already fail.
 * @param remainingNames returns the names that an existing student will still have after this request
 */
export async function preparePasswords(
  passwords: InitialPasswords,
  data: SchoolData,
  students: readonly NewStudent[],
  at: Date,
  remainingNames: RemainingNames = (known) => known,
): Promise<PreparedStudent[]> {
  const faults = await findFaults(data, students, remainingNames);
  const prepared: PreparedStudent[] = [];
  // Limits the hashes of one request, so that several requests share the process's hashing queue.
  await forEachLimited(students, hashConcurrency, async (student, i) => {
    const fault = faults[i] ?? null;
    const initialPassword = fault || student.password !== null ? null : pronounceablePassword();
    const password = student.password ?? initialPassword;
    const origin = `school ${data.schoolId}`;
    const stored =
      fault || password === null
        ? null
        : await passwords.create(password, student.passwordSource, at, origin);
    prepared[i] = { ...student, stored, initialPassword, fault };
  });
  return prepared;
}

async function findFaults(data: SchoolData, students: readonly NewStudent[], remainingNames: RemainingNames) {
  const classIds = students.map((student) => student.classId);
  const [classes, known] = await Promise.all([
    data.classesUnjoined().where('c.id', '=', anyOf(classIds)).select(['c.id', 'c.archived']).execute(),
    readIdentities(data, students),
  ]);
  const others = new TakenNames(known.map(remainingNames));
  const inRange = new Map(classes.map((found) => [found.id, found]));
  return students.map((student) => {
    const { classId } = student;
    const refusal = findWriteError(inRange, classId, `Class ${classId}`);
    if (refusal) return refusal;
    const taken = others.findTaken(student);
    if (taken) return taken;
    others.add(student);
    return null;
  });
}

const newRows = new RowSet<StudentToStore>([
  ...rowColumns(studentFields, changeableFields, (student: StudentToStore) => student),
  { name: 'password_hash', type: 'text', of: ({ stored }) => stored?.hash },
  { name: 'password_is_initial', type: 'boolean', of: ({ stored }) => stored?.isInitial },
  { name: 'password_is_shared', type: 'boolean', of: ({ stored }) => stored?.isShared },
  {
    name: 'password_expires_at',
    type: 'timestamptz',
    of: ({ stored }) => stored?.expiresAt?.toISOString() ?? null,
  },
]);

/** Returns each stored student or its error, in order. Of students with the same username the first succeeds. */
export async function createStudents(
  data: SchoolData,
  students: readonly StudentToStore[],
  at: Date,
): Promise<(StudentIdentity | AppError)[]> {
  const possible = students.filter((student) => student.fault === null);
  const classes = await data.lockClasses([...new Set(possible.map((student) => student.classId))]);
  const refusalOf = ({ classId }: NewStudent) => findWriteError(classes, classId, `Class ${classId}`);
  const accepted = possible.filter((student) => refusalOf(student) === null);
  const instant = sql`${at.toISOString()}::timestamptz`;
  const rows = await data.execute(
    studentIdentities.returning(sql`
      INSERT INTO student AS s (school_id, disabled_at, created_at, ${newRows.names})
      SELECT ${data.schoolId}, CASE WHEN n.disabled THEN ${instant} END, ${instant}, ${newRows.names}
      FROM ${newRows.from(accepted)} WITH ORDINALITY AS n (${newRows.names}, position)
      ORDER BY n.position
      ON CONFLICT DO NOTHING`),
  );
  const totals = new TotalsDelta('in');
  for (const row of rows) totals.addStudent(row.classId, row.disabled, []);
  await applyTotals(data, totals);
  const createdIds = rows.map(({ id }) => id);
  await recordCreatedStudents(data, at, createdIds);
  const created = new Map(rows.map((row) => [row.username, row]));
  const left = new TakenNames(accepted.length > rows.length ? await readIdentities(data, accepted) : []);
  return students.map((student) => {
    if (student.fault) return student.fault;
    const refusal = refusalOf(student);
    if (refusal) return refusal;
    const row = created.get(student.username);
    created.delete(student.username);
    return row ?? left.findTaken(student) ?? new NameTakenError('username', student.username);
  });
}
