import type { TestApp } from './test-app.ts';

/** Moves revoked records into a closed term, as a term switch stores them, and returns the id of the term. */
export async function putIntoClosedTerm(
  { database: { db }, clock }: TestApp,
  place: { schoolId: number; classId: number },
  logIds: readonly number[],
): Promise<number> {
  const { id } = await db
    .insertInto('term')
    .values({
      school_id: place.schoolId,
      class_id: place.classId,
      class_name: 'Class',
      name: 'Closed term',
      action: 'archive',
      started_at: clock.now(),
      closed_at: clock.now(),
      closed_by_id: 1,
      closed_by_username: 'admin',
      student_count: 3,
      record_count: logIds.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('score_record')
    .set({ revoked_at: null, revoked_by_token_id: null, revoked_by_admin_id: null, term_id: id })
    .where('id', 'in', [...logIds])
    .execute();
  return id;
}
