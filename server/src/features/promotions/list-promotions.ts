import type { ListedPromotion, Promotion, undoRefusals } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { ListResult, type Slice } from '../../database/page.ts';
import { notFound } from '../../errors/app-error.ts';
import { readStoredPromotions, type StoredPromotion } from './stored-promotions.ts';
import { findUndoRefusal } from './undo-refusal.ts';

interface StoredMove {
  readonly promotionId: number;
  readonly classId: number;
  readonly className: string;
  readonly gradeId: number;
  readonly gradeName: string;
  readonly toGradeId: number;
  readonly toGradeName: string;
  readonly name: string;
  readonly students: number;
}

export async function listPromotions(
  data: SchoolData,
  { offset, limit }: Slice,
): Promise<ListResult<ListedPromotion>> {
  // Reads all promotions before it takes the page, because a school makes about one a year.
  const found = await readStoredPromotions(data, sql`true`);
  const page = found.slice(offset, limit === null ? undefined : offset + limit);
  const promotions = await toPromotions(data, page);
  return new ListResult(
    promotions.map(({ moves: _, ...listed }) => listed),
    found.length,
  );
}

/** @throws AppError not_found */
export async function readPromotion(data: SchoolData, id: number): Promise<Promotion> {
  const [promotion] = await toPromotions(data, await readStoredPromotions(data, sql`id = ${id}`));
  if (!promotion) throw notFound('The promotion');
  return promotion;
}

async function toPromotions(data: SchoolData, promotions: readonly StoredPromotion[]): Promise<Promotion[]> {
  const ids = promotions.map(({ id }) => id);
  const stored = await data.execute(sql<StoredMove>`
    SELECT promotion_id AS "promotionId", class_id AS "classId", name_before AS "className", from_grade_id AS "gradeId",
      from_grade_name AS "gradeName", to_grade_id AS "toGradeId", to_grade_name AS "toGradeName", name_after AS name,
      students
    FROM promotion_class WHERE school_id = ${data.schoolId} AND promotion_id = ANY(${ids}::bigint[])
    ORDER BY from_grade_id, class_id`);
  const answers: Promotion[] = [];
  for (const promotion of promotions) {
    const moves = stored.filter(({ promotionId }) => promotionId === promotion.id);
    answers.push(toPromotion(promotion, moves, await findUndoRefusal(data, promotion)));
  }
  return answers;
}

type UndoRefusal = (typeof undoRefusals)[number];

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
