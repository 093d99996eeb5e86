import {
  type ImportEffect,
  type ImportRun,
  type StudentEventKind,
  type StudentIdentity,
  upsertedFields,
} from '@classledger/contract';
import { sql } from 'kysely';
import type { LockedClass, SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import { AppError } from '../../errors/app-error.ts';
import { changeStudents, deleteLockedStudents, retryTakenNames } from '../students/change-student.ts';
import { NameTakenError, studentIdentities } from '../students/identities.ts';
import { lockRun, readImport, removeJob } from './import-runs.ts';
import type { StudentEffect } from './import-students.ts';

type Reason = ImportEffect['kept'][number]['because'];
/** Fields that the undo does not restore, with the reason; `student` stands for the whole student. */
type KeptFields = Partial<Record<ImportEffect['kept'][number]['field'], Reason>>;
type Field = (typeof upsertedFields)[number];

/**
 * Requests an undo, which the import worker carries out. Deletes the rows of the run, so the worker skips the remaining
 * parts, and passwords disappear. @throws AppError not_found, out_of_range
 */
export function undoImport(
  data: SchoolData,
  admin: Admin,
  id: number,
  at: Date,
): Promise<ImportRun & { already: boolean }> {
  return data.transaction(async (own) => {
    const { schoolId } = own;
    const { undoneAt, undoBegunAt } = await lockRun(own, id);
    await readImport(own, admin, id);
    if (undoneAt === null) {
      // The job passes to the administrator who requests the undo first.
      const takeOver = undoBegunAt === null ? sql`UPDATE SET admin_id = excluded.admin_id` : sql`NOTHING`;
      await own.execute(sql`
        UPDATE import_run SET undo_begun_at = coalesce(undo_begun_at, ${at.toISOString()}::timestamptz)
        WHERE school_id = ${schoolId} AND id = ${id}`);
      await own.deleteFrom('import_row').where('import_id', '=', id).execute();
      await own.execute(sql`
        INSERT INTO import_job (school_id, import_id, admin_id) VALUES (${schoolId}, ${id}, ${admin.id})
        ON CONFLICT (school_id, import_id) DO ${takeOver}`);
    }
    return { ...(await readImport(own, admin, id)), already: undoneAt !== null };
  });
}

/**
 * Undoes the newest part that is left, in one transaction. Fields that changed since the import keep their values.
 * @returns false when no part is left
 */
export const undoNextPart = (data: SchoolData, { username }: Admin, id: number, at: Date): Promise<boolean> =>
  retryTakenNames(() => data.transaction((own) => undoPart(own, username, id, at)));

async function undoPart(own: SchoolData, username: string, id: number, at: Date): Promise<boolean> {
  const { undoneAt } = await lockRun(own, id);
  if (undoneAt !== null) return false;
  const { schoolId } = own;
  const instant = sql`${at.toISOString()}::timestamptz`;
  const { part } = await own
    .selectFrom('import_effect')
    .where('import_id', '=', id)
    .where('undone_at', 'is', null)
    .select(({ fn }) => fn.max<number | null>('part').as('part'))
    .executeTakeFirstOrThrow();
  if (part === null) {
    const run = own.updateTable('import_run').where('id', '=', id);
    await run.set({ undone_at: at, undone_by: username }).execute();
    await removeJob(own, id);
    return false;
  }
  const kept = await undoEffects(own, id, part, at);
  const results = [...kept].map(([student, why]) => ({
    student,
    why: Object.keys(why).length === 0 ? null : why,
  }));
  const keptCount = results.filter(({ why }) => why !== null).length;
  await own.execute(sql`
    UPDATE import_effect e SET undone_at = ${instant}, kept = n.why
    FROM jsonb_to_recordset(${JSON.stringify(results)}::jsonb) AS n (student bigint, why jsonb)
    WHERE e.school_id = ${schoolId} AND e.import_id = ${id} AND e.part = ${part} AND e.student_id = n.student`);
  await own.execute(sql`
    UPDATE import_run SET kept_count = kept_count + ${keptCount}::int,
      restored_count = restored_count + ${results.length - keptCount}::int
    WHERE school_id = ${schoolId} AND id = ${id}`);
  return true;
}

/** Returns the fields that each student keeps; an empty object means that all were restored. */
async function undoEffects(own: SchoolData, id: number, part: number, at: Date) {
  const { schoolId } = own;
  const ofPart = own.selectFrom('import_effect').where('import_id', '=', id).where('part', '=', part);
  await own.lockStudents((students) => students.where('id', 'in', ofPart.select('student_id')));
  // Reads the effects after the lock, because another call can erase or delete students and thereby their effects.
  const effects = await ofPart.select(['student_id as id', 'action', 'before', 'after']).execute();
  const ids = effects.map((effect) => effect.id);
  const found = await own.execute(
    studentIdentities.select(
      sql`FROM student s WHERE s.school_id = ${schoolId} AND s.id = ANY(${ids}::bigint[])`,
    ),
  );
  const students = new Map(found.map((student) => [student.id, student]));
  const classIds = [
    ...found.map(({ classId }) => classId),
    ...effects.flatMap(({ before }) => before.classId ?? []),
  ];
  const all = await own.wholeSchool().lockClasses(classIds);
  const classes = { all, inRange: await own.lockClasses(classIds) };
  const kept = new Map<number, KeptFields>(ids.map((student) => [student, {}]));
  const inRange = effects.filter((effect) => {
    const student = students.get(effect.id) as StudentIdentity;
    const place = classes.inRange.get(student.classId);
    if (place && !place.archived) return true;
    kept.set(effect.id, { student: place ? 'refused' : 'range' });
    return false;
  });
  const created = inRange.filter(({ action }) => action === 'created');
  await removeCreated(own, created, { students, classes, kept, at });
  const changed = inRange.filter(({ action }) => action !== 'created');
  await restoreChanged(own, changed, { students, classes, kept, at });
  return kept;
}

interface LockedClasses {
  readonly inRange: ReadonlyMap<number, LockedClass>;
  readonly all: ReadonlyMap<number, LockedClass>;
}

interface UndoContext {
  readonly students: ReadonlyMap<number, StudentIdentity>;
  readonly classes: LockedClasses;
  readonly kept: Map<number, KeptFields>;
  readonly at: Date;
}

interface Usage {
  readonly id: number;
  readonly hasRecords: boolean;
  /** The student has used the account, or another way to sign in was added. */
  readonly isUsed: boolean;
  readonly hasPlace: boolean;
}

/** Events that only the student causes. Others can cause failed sign-ins, and schools reset passwords. */
const usageEvents: readonly StudentEventKind[] = [
  'signedIn',
  'confirmationFailed',
  'passwordChanged',
  'sessionEnded',
  'otherSessionsEnded',
];

/** Deletes created students, except those that were used or changed since. */
async function removeCreated(
  own: SchoolData,
  effects: readonly StudentEffect[],
  { students, kept, at }: UndoContext,
): Promise<void> {
  if (effects.length === 0) return;
  const ids = effects.map(({ id }) => id);
  const { schoolId } = own;
  const has = (table: string) =>
    sql`EXISTS (SELECT FROM ${sql.table(table)} t WHERE t.school_id = ${schoolId} AND t.student_id = s.id)`;
  // NULL in `password_expires_at` means use: the first sign-in with the initial password or its code clears the column.
  const usages = await own.execute(sql<Usage>`
    SELECT s.id, ${has('score_record')} OR ${has('absence')} OR ${has('term_standing')} AS "hasRecords",
      NOT s.password_is_initial OR s.password_expires_at IS NULL OR s.email IS NOT NULL
        OR ${has('sign_in_identity')} OR ${has('student_session')}
        OR EXISTS (SELECT FROM student_event e WHERE e.school_id = ${schoolId} AND e.student_id = s.id
          AND e.kind = ANY(${usageEvents}::text[])) AS "isUsed",
      ${has('seat')} OR ${has('team_member')} AS "hasPlace"
    FROM student s WHERE s.school_id = ${schoolId} AND s.id = ANY(${ids}::bigint[])`);
  const usageOf = new Map(usages.map((usage) => [usage.id, usage]));
  const unused = effects.flatMap(({ id, after }) => {
    const student = students.get(id) as StudentIdentity;
    const usage = usageOf.get(id);
    const reason: Reason | null = usage?.hasRecords
      ? 'records'
      : usage?.isUsed
        ? 'used'
        : usage?.hasPlace
          ? 'placed'
          : upsertedFields.some((field) => student[field] !== (after[field] ?? null))
            ? 'changed'
            : null;
    if (reason !== null) kept.set(id, { student: reason });
    return reason === null ? student : [];
  });
  if (unused.length > 0) await deleteLockedStudents(own, unused, at);
}

async function restoreChanged(
  own: SchoolData,
  effects: readonly StudentEffect[],
  { students, classes, kept, at }: UndoContext,
): Promise<void> {
  const pending = new Map<number, StudentEffect['before']>();
  for (const { id, before, after } of effects) {
    const student = students.get(id) as StudentIdentity;
    const restored: Partial<Record<Field, unknown>> = {};
    for (const field of upsertedFields) {
      if (!(field in before)) continue;
      const reason = reasonToKeep(field, student, { before, after }, classes);
      if (reason === null) restored[field] = before[field];
      else kept.set(id, { ...kept.get(id), [field]: reason });
    }
    pending.set(id, restored as StudentEffect['before']);
  }
  // The loop ends, because each pass finishes a student or drops one of the student's three unique fields.
  while (pending.size > 0) {
    const outcomes = await changeStudents(own, pending, at, { allowSwaps: true });
    for (const [id, outcome] of outcomes) {
      // Tries again in the next pass, because this pass decides about the student who has the value.
      if (outcome instanceof NameTakenError && outcome.isHolderRefused) continue;
      const wanted = pending.get(id) as StudentEffect['before'];
      pending.delete(id);
      if (!(outcome instanceof AppError)) continue;
      if (outcome instanceof NameTakenError) {
        kept.set(id, { ...kept.get(id), [outcome.field]: 'taken' });
        const { [outcome.field]: _, ...others } = wanted;
        pending.set(id, others);
      } else kept.set(id, { student: 'refused' });
    }
  }
}

function reasonToKeep(
  field: Field,
  student: StudentIdentity,
  { before, after }: Pick<StudentEffect, 'before' | 'after'>,
  classes: LockedClasses,
): Reason | null {
  if (student[field] !== after[field]) return 'changed';
  if (field !== 'classId' || before.classId === undefined) return null;
  if (!classes.all.has(before.classId)) return 'classGone';
  const found = classes.inRange.get(before.classId);
  return found ? (found.archived ? 'refused' : null) : 'range';
}
