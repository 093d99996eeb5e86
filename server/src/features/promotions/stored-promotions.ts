import type { SchoolData } from '../../access/school-data.ts';

export const selectPromotions = (data: SchoolData) =>
  data
    .selectFrom('promotion')
    .select(['id', 'name', 'created_at as createdAt', 'admin_id as adminId', 'username'])
    .select(['scored_until as scoredUntil', 'archived_grade_id as archivedGradeId', 'undone_at as undoneAt'])
    .orderBy('id', 'desc');

export type StoredPromotion = Awaited<ReturnType<ReturnType<typeof selectPromotions>['execute']>>[number];
