import { type RawBuilder, sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';

export interface StoredPromotion {
  readonly id: number;
  readonly name: string;
  readonly createdAt: string;
  readonly adminId: number;
  readonly username: string;
  readonly scoredUntil: string;
  readonly archivedGradeId: number | null;
  readonly undoneAt: string | null;
}

export const readStoredPromotions = (
  data: SchoolData,
  which: RawBuilder<unknown>,
): Promise<StoredPromotion[]> =>
  data.execute(sql<StoredPromotion>`
    SELECT id, name, created_at AS "createdAt", admin_id AS "adminId", username, scored_until AS "scoredUntil",
      archived_grade_id AS "archivedGradeId", undone_at AS "undoneAt"
    FROM promotion WHERE school_id = ${data.schoolId} AND ${which} ORDER BY id DESC`);
