import type { StudentIdentity } from '@classledger/contract';
import { sql } from 'kysely';
import { findWriteError } from '../../access/archived.ts';
import { type InitialPassword, initialStudentPasswordColumns } from '../../access/initial-passwords.ts';
import type { LockedClass, SchoolData } from '../../access/school-data.ts';
import { StudentSessions } from '../../access/student-sessions.ts';
import { lockWritableStudent } from '../../access/targets.ts';
import {
  recordChangedStudents,
  recordDeletedStudents,
  recordMovedStudents,
} from '../../changes/record-student-changes.ts';
import { anyOf } from '../../database/expressions.ts';
import { violatedUnique } from '../../database/transaction.ts';
import { AppError, notFound, outOfRange, studentErased } from '../../errors/app-error.ts';
import { assignments, expressionOf, RowSet, rowColumns } from '../../fields/fields.ts';
import { type ChangeableField, changeableFields, studentFields } from '../../fields/students.ts';
import { applyTotals, readDaySums } from '../scores/ledger/totals.ts';
import { TotalsDelta } from '../scores/ledger/totals-delta.ts';
import { vacateSeats } from '../seats/seats.ts';
import { removeFromTeams } from '../teams/teams.ts';
import { findNameConflicts, readIdentities, releaseSwappedNames, studentIdentities } from './identities.ts';

/** An undefined field keeps its value. Null removes the value of a field that may be empty. */
export type StudentChange = { readonly [Field in ChangeableField]?: StudentIdentity[Field] | undefined } & {
  readonly email?: string | null | undefined;
};

export type ChangedField = keyof StudentChange;

export interface ChangedStudent {
  readonly student: StudentIdentity;
  readonly before: StudentIdentity;
  readonly changed: readonly ChangedField[];
}

export type IsSame = (wanted: unknown, there: unknown) => boolean;

export interface ChangeRules {
  /** Equal values stay as they are stored and do not count as changes. */
  readonly isSame?: IsSame | undefined;
  /** Lets a student get a username or number that another student gives up in the same call. Otherwise it is taken. */
  readonly allowSwaps?: boolean | undefined;
}

/** Another transaction took a username or number meanwhile. The caller must roll back and can retry. */
export class NameTakenConcurrentlyError extends AppError {
  constructor() {
    super('conflict', 'The username, external id or card number is taken');
  }
}

const attemptsMax = 5;

/** Runs work again while another transaction takes one of its names or numbers. @throws errors of the work */
export async function retryTakenNames<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NameTakenConcurrentlyError) || attempt === attemptsMax) throw error;
    }
  }
}

/**
 * A new password signs the student out.
 * @throws AppError not_found, out_of_range, conflict (taken, erased, archived)
 */
export async function changeStudent(
  data: SchoolData,
  id: number,
  { password, ...change }: StudentChange & { readonly password?: InitialPassword | undefined },
  at: Date,
): Promise<StudentIdentity> {
  if (password && (await lockWritableStudent(data, id)).erasedAt !== null) throw studentErased();
  const outcome = (await changeStudents(data, new Map([[id, change]]), at)).get(id);
  if (!outcome || outcome instanceof AppError) throw outcome ?? notFound('The student');
  if (password) {
    const row = data.updateTable('student').where('id', '=', id);
    await row.set(initialStudentPasswordColumns(password)).execute();
    await StudentSessions.closeAll(data, id);
  }
  return outcome.student;
}

interface LockedStudent extends StudentIdentity {
  readonly erased: boolean;
}

interface PlannedChange {
  readonly before: LockedStudent;
  readonly after: Omit<StudentIdentity, 'updatedAt'>;
  readonly email: string | null | undefined;
  readonly changed: readonly ChangedField[];
}

/**
 * Applies or refuses each change by itself. A move also moves the student's daily sums, and frees seat and team place.
 * An erased student can only move. @throws NameTakenConcurrentlyError
 */
export async function changeStudents(
  data: SchoolData,
  changes: ReadonlyMap<number, StudentChange>,
  at: Date,
  { isSame = () => false, allowSwaps = false }: ChangeRules = {},
): Promise<Map<number, ChangedStudent | AppError>> {
  const students = await lockAndReadStudents(data, [...changes.keys()]);
  const targets = [...changes.values()].flatMap(({ classId }) => classId ?? []);
  const current = [...students.values()].map(({ classId }) => classId);
  const classes = await data.lockClasses([...current, ...targets]);
  const possible: PlannedChange[] = [];
  const outcomes = new Map<number, ChangedStudent | AppError>();
  for (const [id, change] of changes) {
    const plan = planChange(students.get(id), change, classes, isSame);
    if (plan instanceof AppError) outcomes.set(id, plan);
    else possible.push(plan);
  }
  const others = await readIdentities(data, [...changes.values()]);
  const taken = findNameConflicts(possible, others, allowSwaps);
  for (const { before, changed } of possible) {
    outcomes.set(before.id, taken.get(before.id) ?? { student: before, before, changed });
  }
  const planned = possible.filter(({ before, changed }) => changed.length > 0 && !taken.has(before.id));
  for (const student of await storeChanges(data, planned, at)) {
    outcomes.set(student.id, { ...(outcomes.get(student.id) as ChangedStudent), student });
  }
  return outcomes;
}

const lockedStudents = studentIdentities.with({ erased: expressionOf(studentFields.erased) });

/** Reads after locking, so that the values cannot change before they are written. */
async function lockAndReadStudents(data: SchoolData, ids: readonly number[]) {
  await data.lockStudents((students) => students.where('id', '=', anyOf(ids)));
  const rows = await data.execute(
    lockedStudents.select(sql`
      FROM student s WHERE s.school_id = ${data.schoolId} AND s.id = ANY(${ids}::bigint[])`),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Plans a change without checking whether other students have the wanted names. */
function planChange(
  before: LockedStudent | undefined,
  { email, ...change }: StudentChange,
  classes: ReadonlyMap<number, LockedClass>,
  isSame: IsSame,
): PlannedChange | AppError {
  if (!before) return notFound('The student');
  // Checks again, because the class can leave the range while this transaction waits for the lock.
  if (!classes.has(before.classId)) return outOfRange('The student');
  const given = Object.fromEntries(
    Object.entries(change).filter(
      ([field, value]) => value !== undefined && !isSame(value, before[field as keyof typeof change]),
    ),
  );
  const { classId: _, ...personalFields }: StudentChange = {
    ...given,
    ...(email !== undefined && { email }),
  };
  if (before.erased && Object.keys(personalFields).length > 0) return studentErased();
  const after = { ...before, ...given };
  if (!classes.has(after.classId)) return outOfRange(`Class ${after.classId}`);
  const changed: ChangedField[] = changeableFields.filter((field) => after[field] !== before[field]);
  if (email !== undefined) changed.push('email');
  // Refuses only real changes in an archived class, because callers that send all students also send its students.
  if (changed.length > 0) {
    const refusal =
      findWriteError(classes, before.classId, 'The student') ??
      findWriteError(classes, after.classId, `Class ${after.classId}`);
    if (refusal) return refusal;
  }
  return { before, after, email, changed };
}

async function storeChanges(
  data: SchoolData,
  planned: readonly PlannedChange[],
  at: Date,
): Promise<StudentIdentity[]> {
  if (planned.length === 0) return [];
  await releaseSwappedNames(data, planned);
  const stored = await updateStudents(data, planned, at).catch((error: unknown) => {
    throw violatedUnique(error) === null ? error : new NameTakenConcurrentlyError();
  });
  const hasMoved = ({ before, after }: PlannedChange) => before.classId !== after.classId;
  const moved = planned.filter(hasMoved);
  const movedIds = moved.map(({ before }) => before.id);
  const days = await readDaySums(data, movedIds);
  const [out, into] = [new TotalsDelta('out'), new TotalsDelta('in')];
  for (const { before, after } of moved) {
    const own = days.get(before.id) ?? [];
    out.addStudent(before.classId, before.disabled, own);
    into.addStudent(after.classId, after.disabled, own);
  }
  for (const { before, after } of planned) {
    if (before.classId !== after.classId || before.disabled === after.disabled) continue;
    (after.disabled ? into : out).addDisabled(after.classId);
  }
  await applyTotals(data, out);
  await applyTotals(data, into);
  await vacateSeats(data, movedIds);
  await removeFromTeams(data, movedIds);
  const formerPlaces = moved.map(({ before }) => before);
  await recordMovedStudents(data, at, formerPlaces);
  const stayedIds = planned.flatMap((plan) => (hasMoved(plan) ? [] : plan.before.id));
  await recordChangedStudents(data, at, stayedIds);
  const disabledIds = planned.flatMap(({ before, after }) =>
    after.disabled && !before.disabled ? before.id : [],
  );
  await StudentSessions.closeAll(data, disabledIds);
  return stored;
}

const changedRows = new RowSet<PlannedChange>([
  ...rowColumns(studentFields, ['id', ...changeableFields], ({ after }: PlannedChange) => after),
  { name: 'binds', type: 'boolean', of: ({ email }) => email !== undefined },
  { name: 'email', type: 'text', of: ({ email }) => email ?? null },
]);
const changedColumns = assignments(studentFields, changeableFields, (column) => `n.${column}`);

function updateStudents(
  data: SchoolData,
  planned: readonly PlannedChange[],
  at: Date,
): Promise<StudentIdentity[]> {
  const instant = sql`${at.toISOString()}::timestamptz`;
  return data.execute(
    studentIdentities.returning(sql`
      UPDATE student s SET ${changedColumns},
        disabled_at = CASE WHEN n.disabled THEN coalesce(s.disabled_at, ${instant}) END,
        email = CASE WHEN n.binds THEN n.email ELSE s.email END,
        email_bound_at = CASE WHEN NOT n.binds THEN s.email_bound_at WHEN n.email IS NOT NULL THEN ${instant} END,
        updated_at = ${instant}
      FROM ${changedRows.from(planned)} AS n (${changedRows.names})
      WHERE s.school_id = ${data.schoolId} AND s.id = n.id`),
  );
}

/** @throws AppError not_found, out_of_range, conflict (archived) */
export async function deleteStudent(data: SchoolData, id: number, at: Date) {
  const student = await lockWritableStudent(data, id);
  await deleteLockedStudents(data, [student], at);
  return { id, username: student.username, classId: student.classId };
}

/** Deletes students in a transaction that has locked them and their classes. */
export async function deleteLockedStudents(
  data: SchoolData,
  students: readonly Pick<StudentIdentity, 'id' | 'classId' | 'disabled'>[],
  at: Date,
): Promise<void> {
  const ids = students.map(({ id }) => id);
  await recordDeletedStudents(data, at, ids);
  const days = await readDaySums(data, ids);
  const out = new TotalsDelta('out');
  for (const { id, classId, disabled } of students) out.addStudent(classId, disabled, days.get(id) ?? []);
  await applyTotals(data, out);
  await data.deleteFrom('score_record').where('student_id', '=', anyOf(ids)).execute();
  await vacateSeats(data, ids);
  await data.deleteFrom('student').where('id', '=', anyOf(ids)).execute();
}
