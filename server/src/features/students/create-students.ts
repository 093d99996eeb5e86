import { sql } from 'kysely';
import { generatePassword, hashPassword } from '../../access/passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { type AppError, conflict, outOfRange } from '../../app-error.ts';
import { countNewStudents } from '../scores/class-totals.ts';

/** A student to create; `password` null lets one be generated. An entry that already failed is carried along. */
export interface NewStudent {
  readonly username: string;
  readonly actualName: string;
  readonly classId: number;
  readonly password: string | null;
}

export interface PreparedStudent extends NewStudent {
  readonly passwordHash: string;
  /** The generated password, to be shown once. */
  readonly initialPassword: string | null;
}

/** Hashing takes a thread and 19 MiB each: more at once would only keep logins waiting. */
const hashedAtOnce = 2;

/** Generates missing passwords and hashes all of them, in no transaction. */
export async function preparePasswords(students: readonly NewStudent[]): Promise<PreparedStudent[]> {
  const prepared: PreparedStudent[] = [];
  let next = 0;
  const work = async () => {
    for (let i = next++; i < students.length; i = next++) {
      const student = students[i] as NewStudent;
      const initialPassword = student.password === null ? generatePassword() : null;
      const passwordHash = await hashPassword(student.password ?? (initialPassword as string));
      prepared[i] = { ...student, passwordHash, initialPassword };
    }
  };
  await Promise.all(Array.from({ length: hashedAtOnce }, work));
  return prepared;
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
 * taken username are that student's failure. A username that comes twice succeeds the first time.
 *
 * @returns for each student in order: the record, or why there is none
 */
export async function createStudents(
  data: SchoolData,
  students: readonly PreparedStudent[],
  at: Date,
): Promise<(CreatedStudent | AppError)[]> {
  const classes = await data.lockClasses([...new Set(students.map((student) => student.classId))]);
  const accepted = students.filter((student) => classes.has(student.classId));
  const rows = await data.execute(sql<CreatedStudent>`
    INSERT INTO student (school_id, class_id, username, actual_name, password_hash, created_at)
    SELECT ${data.schoolId}, n.class_id, n.username, n.actual_name, n.password_hash, ${at.toISOString()}::timestamptz
    FROM unnest(${accepted.map((student) => student.classId)}::bigint[],
      ${accepted.map((student) => student.username)}::text[],
      ${accepted.map((student) => student.actualName)}::text[],
      ${accepted.map((student) => student.passwordHash)}::text[])
      WITH ORDINALITY AS n (class_id, username, actual_name, password_hash, position)
    ORDER BY n.position
    ON CONFLICT (school_id, username) DO NOTHING
    RETURNING id, username, actual_name AS "actualName", class_id AS "classId", disabled,
      created_at AS "createdAt"`);
  await countNewStudents(
    data,
    rows.map((row) => row.classId),
  );
  const created = new Map(rows.map((row) => [row.username, row]));
  return students.map((student) => {
    if (!classes.has(student.classId)) return outOfRange(`Class ${student.classId}`);
    const row = created.get(student.username);
    // Each row answers one entry: the first of that name, as the insert took them in order.
    created.delete(student.username);
    return row ?? conflict(`The username ${JSON.stringify(student.username)} is taken`);
  });
}
