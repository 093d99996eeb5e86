import type { Promotion } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import { recordDeletedGrade } from '../../changes/record-structure-changes.ts';
import { recordChangedStudents } from '../../changes/record-student-changes.ts';
import { anyOf } from '../../database/expressions.ts';
import { conflict, notFound } from '../../errors/app-error.ts';
import { type KeyedCall, type ReplayedAnswer, runOnce } from '../../idempotency/idempotency-keys.ts';
import { restoreTeaching } from '../administrators/teaching.ts';
import { applyTotals } from '../scores/ledger/totals.ts';
import { TotalsDelta } from '../scores/ledger/totals-delta.ts';
import { findUndoRefusal, readPromotion, selectPromotions, type UndoRefusal } from './list-promotions.ts';
import { lockAllClasses, lockGrades, placeClasses } from './school-structure.ts';

const reasons: Readonly<Record<UndoRefusal, string>> = {
  undone: 'it has already been undone',
  later: 'another promotion has followed',
  scored: 'points have been given since',
  termEnded: 'a term has ended since',
  structure: 'one of its grades or classes has changed since',
};

/** Restores grades, names, taught classes and disabled accounts. @throws AppError not_found, conflict (cannot be undone any more) */
export function undoPromotion(
  call: KeyedCall & { readonly params: { readonly id: number } },
): Promise<Promotion | ReplayedAnswer> {
  return runOnce(call, (own) => undo(own, call.params.id, call.at));
}

async function undo(data: SchoolData, id: number, at: Date): Promise<Promotion> {
  await lockGrades(data);
  const promoted = data.selectFrom('promotion_student').where('promotion_id', '=', id).select('student_id');
  const students = await data.lockStudents((locked) => locked.where('id', 'in', promoted));
  await lockAllClasses(data);
  const promotion = await selectPromotions(data)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('The promotion'));
  const refusal = await findUndoRefusal(data, promotion);
  if (refusal) throw conflict(`The promotion cannot be undone: ${reasons[refusal]}`);

  const { moves } = await readPromotion(data, id);
  const placements = moves.map(({ classId: id, toGradeId, name, gradeId, className }) => ({
    found: { id, gradeId: toGradeId as number, name },
    gradeId,
    name: className,
    archived: false,
  }));
  await placeClasses(data, placements, at);
  await restoreTeaching(data, id, at);
  await enableStudents(data, students, at);
  await recordChangedStudents(data, at, students);
  if (promotion.archivedGradeId !== null) {
    const grade = { id: promotion.archivedGradeId, name: promotion.name };
    await recordDeletedGrade(data, at, grade);
    await data.deleteFrom('grade').where('id', '=', grade.id).execute();
  }
  await data.updateTable('promotion').where('id', '=', id).set({ undone_at: at }).execute();
  await data.announceAccessChange();
  return readPromotion(data, id);
}

/** Skips erased students, which have no account any more. */
async function enableStudents(data: SchoolData, ids: readonly number[], at: Date): Promise<void> {
  const enabled = await data
    .updateTable('student')
    .where('id', '=', anyOf(ids))
    .where('disabled', '=', true)
    .where('erased_at', 'is', null)
    .set({ disabled: false, disabled_at: null, updated_at: at })
    .returning('class_id as classId')
    .execute();
  const totals = new TotalsDelta('out');
  for (const { classId } of enabled) totals.addDisabled(classId);
  await applyTotals(data, totals);
}
