import { sql } from 'kysely';
import type { InitialPassword, InitialPasswords } from '../../access/initial-passwords.ts';
import { pronounceablePassword } from '../../access/pronounceable-password.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { type AppError, conflict, outOfRange } from '../../app-error.ts';
import { workThrough } from '../../at-most.ts';
import { TotalsMove } from '../scores/ledger/plan.ts';
import { moveTotals } from '../scores/ledger/totals.ts';

/** A student to create. */
export interface NewStudent {
  readonly username: string;
  readonly actualName: string;
  readonly classId: number;
  /** Null lets one be generated. */
  readonly password: string | null;
  /** Others get the same password. */
  readonly sharesPassword: boolean;
}

export interface PreparedStudent extends NewStudent {
  /** Null where there is none to store, because `fault` says why the student cannot be created. */
  readonly stored: InitialPassword | null;
  /** The generated password, to be shown once. */
  readonly initialPassword: string | null;
  readonly fault: AppError | null;
}

/** A student with a password that has an end, or one that nobody has: it is not initial. */
export interface StudentToStore extends Omit<PreparedStudent, 'stored'> {
  readonly stored:
    | PreparedStudent['stored']
    | { readonly hash: string; readonly expiresAt: null; readonly shared: false };
}

const taken = (username: string) => conflict(`The username ${JSON.stringify(username)} is taken`);

/** A request has no more than this many in the process's queue, so that many requests take turns. */
const hashedAtOnce = 2;

/**
 * Generates missing passwords and hashes them, in no transaction. What is refused already is not hashed: a class
 * outside the range, a taken username, one that came before. For the others the insert decides.
 */
export async function preparePasswords(
  passwords: InitialPasswords,
  data: SchoolData,
  students: readonly NewStudent[],
  at: Date,
): Promise<PreparedStudent[]> {
  const faults = await findFaults(data, students);
  const prepared: PreparedStudent[] = [];
  await workThrough(students, hashedAtOnce, async (student, i) => {
    const fault = faults[i] ?? null;
    const initialPassword = fault || student.password !== null ? null : pronounceablePassword();
    const password = student.password ?? initialPassword;
    const make = (known: string) =>
      passwords[student.sharesPassword ? 'makeShared' : 'make'](known, at, `school ${data.schoolId}`);
    const stored = fault || password === null ? null : await make(password);
    prepared[i] = { ...student, stored, initialPassword, fault };
  });
  return prepared;
}

/** Why each of the students cannot be created as things are now; null for those who can. */
async function findFaults(data: SchoolData, students: readonly NewStudent[]): Promise<(AppError | null)[]> {
  const classIds = students.map((student) => student.classId);
  const usernames = students.map((student) => student.username);
  const [classes, known] = await Promise.all([
    data.classTotals().where(sql<boolean>`c.id = ANY(${classIds}::bigint[])`).select('c.id').execute(),
    data.execute(sql<{ username: string }>`
      SELECT username FROM student
      WHERE school_id = ${data.schoolId} AND username = ANY(${usernames}::text[])`),
  ]);
  const inRange = new Set(classes.map((found) => found.id));
  const used = new Set(known.map((found) => found.username));
  return students.map(({ classId, username }) => {
    if (!inRange.has(classId)) return outOfRange(`Class ${classId}`);
    if (used.has(username)) return taken(username);
    used.add(username);
    return null;
  });
}

export interface CreatedStudent {
  readonly id: number;
  readonly username: string;
  readonly actualName: string;
  readonly classId: number;
  readonly disabled: boolean;
  readonly createdAt: string;
}

/**
 * Creates students inside a transaction. Each succeeds or fails on its own: a class outside the range and a
 * taken username are that student's failure, as is what was found while preparing. A username that comes twice
 * succeeds the first time.
 *
 * @returns for each student in order: the record, or why there is none
 */
export async function createStudents(
  data: SchoolData,
  students: readonly StudentToStore[],
  at: Date,
): Promise<(CreatedStudent | AppError)[]> {
  const possible = students.filter((student) => student.fault === null);
  const classes = await data.lockClasses([...new Set(possible.map((student) => student.classId))]);
  const accepted = possible.filter((student) => classes.has(student.classId));
  const rows = await data.execute(sql<CreatedStudent>`
    INSERT INTO student (school_id, class_id, username, actual_name, password_hash, password_is_initial,
      password_expires_at, password_is_shared, created_at)
    SELECT ${data.schoolId}, n.class_id, n.username, n.actual_name, n.password_hash,
      n.expires_at IS NOT NULL, n.expires_at, n.shared,
      ${at.toISOString()}::timestamptz
    FROM unnest(${accepted.map((student) => student.classId)}::bigint[],
      ${accepted.map((student) => student.username)}::text[],
      ${accepted.map((student) => student.actualName)}::text[],
      ${accepted.map(({ stored }) => stored?.hash)}::text[],
      ${accepted.map(({ stored }) => stored?.expiresAt?.toISOString() ?? null)}::timestamptz[],
      ${accepted.map(({ stored }) => stored?.shared)}::boolean[])
      WITH ORDINALITY AS n (class_id, username, actual_name, password_hash, expires_at, shared, position)
    ORDER BY n.position
    ON CONFLICT (school_id, username) DO NOTHING
    RETURNING id, username, actual_name AS "actualName", class_id AS "classId", disabled,
      created_at AS "createdAt"`);
  const totals = new TotalsMove('in');
  for (const row of rows) totals.student(row.classId, row.disabled, []);
  await moveTotals(data, totals);
  const created = new Map(rows.map((row) => [row.username, row]));
  return students.map((student) => {
    if (student.fault) return student.fault;
    if (!classes.has(student.classId)) return outOfRange(`Class ${student.classId}`);
    return created.get(student.username) ?? taken(student.username);
  });
}
