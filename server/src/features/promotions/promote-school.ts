import { type Body, dayAt, type InternalOperations, type Promotion } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import { StudentSessions } from '../../access/student-sessions.ts';
import { recordGradeChange } from '../../changes/record-structure-changes.ts';
import { recordChangedStudents } from '../../changes/record-student-changes.ts';
import { anyOf } from '../../database/expressions.ts';
import { violatedUnique } from '../../database/transaction.ts';
import { conflict } from '../../errors/app-error.ts';
import { type KeyedCall, type ReplayedAnswer, runOnce } from '../../idempotency/idempotency-keys.ts';
import { endTeaching } from '../administrators/teaching.ts';
import { applyTotals } from '../scores/ledger/totals.ts';
import { TotalsDelta } from '../scores/ledger/totals-delta.ts';
import { lockStudentsOfClasses } from '../structure/classes.ts';
import { readPromotion } from './list-promotions.ts';
import { changesClass, checkPlan, fingerprintOf, type Move, type Problem } from './plan.ts';
import { lockAllClasses, lockGrades, placeClasses, readStructure } from './school-structure.ts';

/**
 * Moves classes by a plan (docs/contract.md, Year promotion). Concurrent writes of points come wholly before or after.
 * @throws AppError conflict when the fingerprint does not match the grades and classes, or the plan has a problem
 */
export function promoteSchool(
  call: KeyedCall & { readonly body: Body<InternalOperations['promoteSchool']> },
  promoter: Admin,
): Promise<Promotion | ReplayedAnswer> {
  return runOnce(call, (own) => promote(own, call.body, promoter, call.at));
}

async function promote(
  data: SchoolData,
  { fingerprint, clearTeaching = false, ...plan }: Body<InternalOperations['promoteSchool']>,
  promoter: Admin,
  at: Date,
): Promise<Promotion> {
  await lockGrades(data);
  const graduating = plan.classes.filter(({ gradeId }) => gradeId === null).map(({ classId }) => classId);
  await lockStudentsOfClasses(data, graduating);
  await lockAllClasses(data);
  const structure = await readStructure(data);
  if (fingerprintOf(structure) !== fingerprint) {
    throw conflict('Grades or classes have changed since the preview; load the preview again');
  }
  const { moves, graduatedGradeName, problems } = checkPlan(structure, plan);
  const [problem] = problems;
  if (problem) throw conflict(describeProblem(problem));
  const changed = moves.filter(changesClass);
  if (changed.length === 0) throw conflict('The plan changes nothing');

  const archivedId = graduating.length > 0 ? await createArchivedGrade(data, graduatedGradeName, at) : null;
  const name = archivedId === null ? dayAt(await data.timeZone(), at.getTime()) : graduatedGradeName;
  const id = await insertPromotion(data, { name, archivedId, promoter, at });
  await storeMoves(data, id, changed, { id: archivedId, name: graduatedGradeName });
  const placements = changed.map(({ found, to, name: newName }) => ({
    found,
    gradeId: to?.id ?? (archivedId as number),
    name: newName,
    archived: to === null,
  }));
  await placeClasses(data, placements, at);
  const ended = clearTeaching ? moves.map(({ found }) => found.id) : graduating;
  await endTeaching(data, id, ended);
  const disabled = await disableStudents(data, id, graduating, at);
  await recordChangedStudents(data, at, disabled);
  await data.announceAccessChange();
  return readPromotion(data, id);
}

function describeProblem({ kind, name }: Problem): string {
  if (kind === 'classNameTaken') return `Two classes of one grade would be named ${JSON.stringify(name)}`;
  if (kind === 'gradeNameTaken') return `A grade named ${JSON.stringify(name)} already exists`;
  if (kind === 'gradeUnknown')
    return 'The plan moves a class to a grade that does not exist or has graduated';
  return 'The plan must name each class that has not graduated exactly once';
}

async function createArchivedGrade(data: SchoolData, name: string, at: Date): Promise<number> {
  const inserted = data
    .insertInto('grade')
    .values({ school_id: data.schoolId, name, created_at: at, archived_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await inserted.catch((error: unknown) => {
    // Another call added a grade with this name after the check.
    if (violatedUnique(error) === null) throw error;
    throw conflict(describeProblem({ kind: 'gradeNameTaken', classId: null, name }));
  });
  await recordGradeChange(data, at, id, 'created');
  return id;
}

/** Also stores the time of the newest record, because one written during a wait for locks can be later than `at`. */
async function insertPromotion(
  data: SchoolData,
  { name, archivedId, promoter, at }: { name: string; archivedId: number | null; promoter: Admin; at: Date },
): Promise<number> {
  const { schoolId } = data;
  const newest = (which: string) => sql`
    (SELECT max(created_at) FROM score_record WHERE school_id = ${schoolId} AND ${sql.raw(which)})`;
  const [inserted] = await data.execute(sql<{ id: number }>`
    INSERT INTO promotion (school_id, name, created_at, admin_id, username, archived_grade_id, scored_until)
    SELECT ${schoolId}::bigint, ${name}::text, ${at.toISOString()}::timestamptz, ${promoter.id}::bigint,
      ${promoter.username}::text, ${archivedId}::bigint,
      greatest(${at.toISOString()}::timestamptz, ${newest('live')}, ${newest('revoked_at IS NOT NULL')})
    RETURNING id`);
  return (inserted as { id: number }).id;
}

/** Stores the previous grades and names, for the list of promotions and for the undo. */
async function storeMoves(
  data: SchoolData,
  id: number,
  moves: readonly Move[],
  archived: { readonly id: number | null; readonly name: string },
): Promise<void> {
  await data
    .insertInto('promotion_class')
    .values(
      moves.map(({ found, from, to, name }) => ({
        school_id: data.schoolId,
        promotion_id: id,
        class_id: found.id,
        name_before: found.name,
        name_after: name,
        from_grade_id: from.id,
        to_grade_id: to?.id ?? (archived.id as number),
        from_grade_name: from.name,
        to_grade_name: to?.name ?? archived.name,
        students: found.students,
      })),
    )
    .execute();
}

/** Disables graduates, like all students who leave. @returns the ids of the disabled students */
async function disableStudents(
  data: SchoolData,
  id: number,
  classIds: readonly number[],
  at: Date,
): Promise<number[]> {
  const disabled = await data
    .updateTable('student')
    .where('class_id', '=', anyOf(classIds))
    .where('disabled', '=', false)
    .set({ disabled: true, disabled_at: at, updated_at: at })
    .returning(['id', 'class_id as classId'])
    .execute();
  const ids = disabled.map((student) => student.id);
  const totals = new TotalsDelta('in');
  for (const { classId } of disabled) totals.addDisabled(classId);
  await applyTotals(data, totals);
  await data.execute(sql`
    INSERT INTO promotion_student (school_id, promotion_id, student_id)
    SELECT ${data.schoolId}::bigint, ${id}::bigint, unnest(${ids}::bigint[])`);
  await StudentSessions.closeAll(data, ids);
  return ids;
}
