import { sql } from 'kysely';
import { writeRefusal } from '../../access/archived.ts';
import type { InitialPassword, InitialPasswords, PasswordSource } from '../../access/initial-passwords.ts';
import { hashesAtOnce } from '../../access/passwords.ts';
import { pronounceablePassword } from '../../access/pronounceable-password.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { noteCreatedStudents } from '../../changes/note-student-changes.ts';
import { forEachLimited } from '../../concurrency/for-each-limited.ts';
import type { AppError } from '../../errors/app-error.ts';
import { applyTotals } from '../scores/ledger/totals.ts';
import { TotalsDelta } from '../scores/ledger/totals-delta.ts';
import {
  findTakenNameError,
  type Identity,
  type KnownStudent,
  type Names,
  readIdentities,
  TakenError,
} from './identities.ts';

export interface NewStudent extends Identity {
  readonly actualName: string;
  readonly classId: number;
  readonly disabled: boolean;
  /** Null: a password is generated. */
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

type RemainingNames = (known: KnownStudent) => Names;

/**
 * Hashes passwords, which is slow: call it outside of transactions. Skips students that already fail.
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
  // This limit per request lets several requests share the process's hashing queue.
  await forEachLimited(students, hashesAtOnce, async (student, i) => {
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

async function findFaults(
  data: SchoolData,
  students: readonly NewStudent[],
  remainingNames: RemainingNames,
): Promise<(AppError | null)[]> {
  const classIds = students.map((student) => student.classId);
  const [classes, known] = await Promise.all([
    data
      .classesAlone()
      .where(sql<boolean>`c.id = ANY(${classIds}::bigint[])`)
      .select(['c.id', 'c.archived'])
      .execute(),
    readIdentities(data, students),
  ]);
  const others: Names[] = known.map(remainingNames);
  const inRange = new Map(classes.map((found) => [found.id, found]));
  return students.map((student) => {
    const { classId } = student;
    const refusal = writeRefusal(inRange, classId, `Class ${classId}`);
    if (refusal) return refusal;
    const taken = findTakenNameError(others, student);
    if (taken) return taken;
    others.push(student);
    return null;
  });
}

export interface StoredStudent extends Identity {
  readonly id: number;
  readonly actualName: string;
  readonly classId: number;
  readonly disabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const storedStudentColumns = sql`s.id, s.username, s.actual_name AS "actualName", s.external_id AS "externalId",
  s.card_number AS "cardNumber", s.class_id AS "classId", s.disabled, s.created_at AS "createdAt",
  coalesce(s.updated_at, s.created_at) AS "updatedAt"`;

/** Returns each stored student or its error, in order. Of students with the same username the first succeeds. */
export async function createStudents(
  data: SchoolData,
  students: readonly StudentToStore[],
  at: Date,
): Promise<(StoredStudent | AppError)[]> {
  const possible = students.filter((student) => student.fault === null);
  const classes = await data.lockClasses([...new Set(possible.map((student) => student.classId))]);
  const refusalOf = ({ classId }: NewStudent) => writeRefusal(classes, classId, `Class ${classId}`);
  const accepted = possible.filter((student) => refusalOf(student) === null);
  const rows = await data.execute(sql<StoredStudent>`
    INSERT INTO student AS s (school_id, class_id, username, actual_name, external_id, card_number, disabled,
      disabled_at, password_hash, password_is_initial, password_expires_at, password_is_shared, created_at)
    SELECT ${data.schoolId}, n.class_id, n.username, n.actual_name, n.external_id, n.card_number, n.disabled,
      CASE WHEN n.disabled THEN ${at.toISOString()}::timestamptz END, n.password_hash,
      n.initial, n.expires_at, n.shared,
      ${at.toISOString()}::timestamptz
    FROM unnest(${accepted.map((student) => student.classId)}::bigint[],
      ${accepted.map((student) => student.username)}::text[],
      ${accepted.map((student) => student.actualName)}::text[],
      ${accepted.map((student) => student.externalId)}::text[],
      ${accepted.map((student) => student.cardNumber)}::text[],
      ${accepted.map((student) => student.disabled)}::boolean[],
      ${accepted.map(({ stored }) => stored?.hash)}::text[],
      ${accepted.map(({ stored }) => stored?.isInitial)}::boolean[],
      ${accepted.map(({ stored }) => stored?.expiresAt?.toISOString() ?? null)}::timestamptz[],
      ${accepted.map(({ stored }) => stored?.isShared)}::boolean[])
      WITH ORDINALITY AS n (class_id, username, actual_name, external_id, card_number, disabled, password_hash,
        initial, expires_at, shared, position)
    ORDER BY n.position
    ON CONFLICT DO NOTHING
    RETURNING ${storedStudentColumns}`);
  const totals = new TotalsDelta('in');
  for (const row of rows) totals.addStudent(row.classId, row.disabled, []);
  await applyTotals(data, totals);
  await noteCreatedStudents(
    data,
    at,
    rows.map(({ id }) => id),
  );
  const created = new Map(rows.map((row) => [row.username, row]));
  const left = accepted.length > rows.length ? await readIdentities(data, accepted) : [];
  return students.map((student) => {
    if (student.fault) return student.fault;
    const refusal = refusalOf(student);
    if (refusal) return refusal;
    const row = created.get(student.username);
    created.delete(student.username);
    return row ?? findTakenNameError(left, student) ?? new TakenError('username', student.username);
  });
}
