import type { Promotion } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { conflict, notFound } from '../../app-error.ts';
import { noteChangedStudents } from '../../changes/note-people.ts';
import { noteClass, noteDeletedGrade, noteMovedClasses } from '../../changes/note-structure.ts';
import { type KeyedCall, once, type Replayed } from '../../idempotency/idempotency-keys.ts';
import { moveTotals } from '../scores/ledger/totals.ts';
import { TotalsMove } from '../scores/ledger/totals-move.ts';
import { readPromotion } from './list-promotions.ts';
import { placeClasses } from './place-classes.ts';
import { lockAllClasses, lockGrades } from './read-structure.ts';
import { readStored } from './stored-promotions.ts';
import { type Refusal, whyNotUndone } from './undo-refusal.ts';

const reasons: Readonly<Record<Refusal, string>> = {
  undone: 'it is undone already',
  later: 'another promotion has followed',
  scored: 'points have been given since',
  termEnded: 'a term has ended since',
  structure: 'a grade or class that it concerns has changed since',
};

/**
 * Undoes the last promotion of a school, in one transaction: places, names and disabled accounts are as they were before.
 *
 * @throws AppError not_found, conflict when it cannot be undone any more
 */
export function undoPromotion(
  call: KeyedCall & { readonly params: { readonly id: number } },
): Promise<Promotion | Replayed> {
  return once(call, (own) => undo(own, call.params.id, call.at));
}

async function undo(data: SchoolData, id: number, at: Date): Promise<Promotion> {
  const { schoolId } = data;
  await lockGrades(data);
  const students = await data.lockStudents((locked) =>
    locked.where(
      sql<boolean>`id IN (SELECT student_id FROM promotion_student WHERE school_id = ${schoolId} AND promotion_id = ${id})`,
    ),
  );
  await lockAllClasses(data);
  const [promotion] = await readStored(data, sql`id = ${id}`);
  if (!promotion) throw notFound('The promotion');
  const because = await whyNotUndone(data, promotion);
  if (because) throw conflict(`The promotion cannot be undone: ${reasons[because]}`);

  const { moves } = await readPromotion(data, id);
  const placed = moves.map(({ classId, gradeId, className }) => ({
    id: classId,
    gradeId,
    name: className,
    archived: false,
  }));
  await placeClasses(data, placed, at);
  await enableStudents(data, students, at);
  const moved = moves.filter(({ gradeId, toGradeId }) => gradeId !== toGradeId);
  await noteMovedClasses(
    data,
    at,
    moved.map(({ classId, name, toGradeId }) => ({ id: classId, name, fromGradeId: toGradeId as number })),
  );
  for (const { classId, gradeId, toGradeId } of moves) {
    if (gradeId === toGradeId) await noteClass(data, at, { id: classId, gradeId }, 'updated');
  }
  await noteChangedStudents(data, at, students);
  if (promotion.archivedGradeId !== null) {
    const grade = { id: promotion.archivedGradeId, name: promotion.name };
    await noteDeletedGrade(data, at, grade);
    await data.deleteFrom('grade').where('id', '=', grade.id).execute();
  }
  await data.execute(sql`
    UPDATE promotion SET undone_at = ${at.toISOString()}::timestamptz WHERE school_id = ${schoolId} AND id = ${id}`);
  await data.announceAccessChange();
  return readPromotion(data, id);
}

/** Those whom the promotion has disabled, and who are not erased: of them nothing is kept. */
async function enableStudents(data: SchoolData, ids: readonly number[], at: Date): Promise<void> {
  const enabled = await data.execute(sql<{ classId: number }>`
    UPDATE student SET disabled = false, disabled_at = NULL, updated_at = ${at.toISOString()}::timestamptz
    WHERE school_id = ${data.schoolId} AND id = ANY(${ids}::bigint[]) AND disabled AND erased_at IS NULL
    RETURNING class_id AS "classId"`);
  const totals = new TotalsMove('out');
  for (const { classId } of enabled) totals.disabled(classId);
  await moveTotals(data, totals);
}
