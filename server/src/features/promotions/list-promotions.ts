import type { ListedPromotion, Promotion } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import { anyOf } from '../../database/expressions.ts';
import { ListResult, type Slice } from '../../database/page.ts';
import { notFound } from '../../errors/app-error.ts';
import { findUndoRefusal, type UndoRefusal } from './undo-refusal.ts';

export const selectPromotions = (data: SchoolData) =>
  data
    .selectFrom('promotion')
    .select(['id', 'name', 'created_at as createdAt', 'admin_id as adminId', 'username'])
    .select(['scored_until as scoredUntil', 'archived_grade_id as archivedGradeId', 'undone_at as undoneAt'])
    .orderBy('id', 'desc');

type StoredPromotion = Awaited<ReturnType<ReturnType<typeof selectPromotions>['execute']>>[number];

export async function listPromotions(
  data: SchoolData,
  { offset, limit }: Slice,
): Promise<ListResult<ListedPromotion>> {
  // Reads all promotions before it takes the page, because a school makes about one a year.
  const found = await selectPromotions(data).execute();
  const page = found.slice(offset, limit === null ? undefined : offset + limit);
  const promotions = await toPromotions(data, page);
  return new ListResult(
    promotions.map(({ moves: _, ...listed }) => listed),
    found.length,
  );
}

/** @throws AppError not_found */
export async function readPromotion(data: SchoolData, id: number): Promise<Promotion> {
  const [promotion] = await toPromotions(data, await selectPromotions(data).where('id', '=', id).execute());
  if (!promotion) throw notFound('The promotion');
  return promotion;
}

async function toPromotions(data: SchoolData, promotions: readonly StoredPromotion[]): Promise<Promotion[]> {
  const stored = await readMoves(
    data,
    promotions.map(({ id }) => id),
  );
  const answers: Promotion[] = [];
  for (const promotion of promotions) {
    const moves = stored.filter(({ promotionId }) => promotionId === promotion.id);
    answers.push(toPromotion(promotion, moves, await findUndoRefusal(data, promotion)));
  }
  return answers;
}

const readMoves = (data: SchoolData, promotionIds: readonly number[]) =>
  data
    .selectFrom('promotion_class')
    .where('promotion_id', '=', anyOf(promotionIds))
    .select(['promotion_id as promotionId', 'class_id as classId', 'name_before as className'])
    .select(['from_grade_id as gradeId', 'from_grade_name as gradeName'])
    .select(['to_grade_id as toGradeId', 'to_grade_name as toGradeName', 'name_after as name', 'students'])
    .orderBy('from_grade_id')
    .orderBy('class_id')
    .execute();

type StoredMove = Awaited<ReturnType<typeof readMoves>>[number];

function toPromotion(
  { id, name, createdAt, adminId, username, archivedGradeId, undoneAt }: StoredPromotion,
  moves: readonly StoredMove[],
  because: UndoRefusal | null,
): Promotion {
  const graduated = moves.filter(({ toGradeId }) => toGradeId === archivedGradeId);
  const countStudents = (of: readonly StoredMove[]) => of.reduce((sum, { students }) => sum + students, 0);
  return {
    id,
    name,
    createdAt,
    by: { id: adminId, username },
    classes: moves.length,
    students: countStudents(moves),
    graduated:
      archivedGradeId === null
        ? null
        : {
            gradeId: archivedGradeId,
            name: graduated[0]?.toGradeName ?? name,
            classes: graduated.length,
            students: countStudents(graduated),
          },
    undoneAt,
    undo: { isPossible: because === null, because },
    moves: moves.map(({ promotionId: _, ...move }) => move),
  };
}
