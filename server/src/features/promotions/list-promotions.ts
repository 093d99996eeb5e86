import type { ListedPromotion, Promotion, undoRefusals } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { anyOf } from '../../database/expressions.ts';
import { ListResult, type Slice } from '../../database/page.ts';
import { notFound } from '../../errors/app-error.ts';

export type UndoRefusal = (typeof undoRefusals)[number];

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
  const list = (await toPromotions(data, page)).map(({ moves: _, ...listed }) => listed);
  return new ListResult(list, found.length);
}

/** @throws AppError not_found */
export async function readPromotion(data: SchoolData, id: number): Promise<Promotion> {
  const [promotion] = await toPromotions(data, await selectPromotions(data).where('id', '=', id).execute());
  if (!promotion) throw notFound('The promotion');
  return promotion;
}

async function toPromotions(data: SchoolData, promotions: readonly StoredPromotion[]): Promise<Promotion[]> {
  const ids = promotions.map(({ id }) => id);
  const stored = await readMoves(data, ids);
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

export async function findUndoRefusal(
  data: SchoolData,
  { id, scoredUntil, archivedGradeId, undoneAt }: StoredPromotion,
): Promise<UndoRefusal | null> {
  const { schoolId } = data;
  if (undoneAt !== null) return 'undone';
  const ofPromotion = sql`m.school_id = ${schoolId} AND m.promotion_id = ${id}`;
  const since = sql`school_id = ${schoolId} AND created_at > ${scoredUntil}::timestamptz`;
  const [found] = await data.execute(sql<Readonly<Record<UndoRefusal, boolean>>>`
    SELECT false AS undone,
      EXISTS (SELECT 1 FROM promotion WHERE school_id = ${schoolId} AND id > ${id} AND undone_at IS NULL) AS later,
      EXISTS (SELECT 1 FROM score_record WHERE ${since} AND live)
        OR EXISTS (SELECT 1 FROM score_record WHERE ${since} AND revoked_at IS NOT NULL) AS scored,
      EXISTS (SELECT 1 FROM term WHERE school_id = ${schoolId} AND closed_at > ${scoredUntil}::timestamptz) AS "termEnded",
      EXISTS (
        SELECT 1 FROM promotion_class m
        LEFT JOIN class c ON c.school_id = m.school_id AND c.id = m.class_id AND c.grade_id = m.to_grade_id
          AND c.name = m.name_after
        LEFT JOIN grade g ON g.school_id = m.school_id AND g.id = m.from_grade_id AND g.archived_at IS NULL
        WHERE ${ofPromotion} AND (c.id IS NULL OR g.id IS NULL)
      ) OR EXISTS (
        -- Another class has the former name or place now.
        SELECT 1 FROM promotion_class m
        JOIN class c ON c.school_id = m.school_id AND c.grade_id = m.from_grade_id AND c.name = m.name_before
        WHERE ${ofPromotion} AND c.id NOT IN (SELECT class_id FROM promotion_class m WHERE ${ofPromotion})
      ) OR EXISTS (
        SELECT 1 FROM class c WHERE c.school_id = ${schoolId} AND c.grade_id = ${archivedGradeId}::bigint
          AND c.id NOT IN (SELECT class_id FROM promotion_class m WHERE ${ofPromotion})
      ) AS structure`);
  const order: readonly UndoRefusal[] = ['later', 'scored', 'termEnded', 'structure'];
  return order.find((reason) => found?.[reason]) ?? null;
}
