import type { undoRefusals } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';

export type UndoRefusal = (typeof undoRefusals)[number];

interface StoredPromotion {
  readonly id: number;
  readonly scoredUntil: string;
  readonly archivedGradeId: number | null;
  readonly undoneAt: string | null;
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
