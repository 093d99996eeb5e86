import { sql } from 'kysely';
import { SchoolData } from '../../access/school-data.ts';
import type { Database } from '../../database/connect.ts';
import { eraseDisabledBefore } from './erase-students.ts';

/** Small, so that writes of points do not wait long for its locks. */
const batchSize = 50;

const dayMs = 86_400_000;

/** Erases students disabled longer than their school allows, in batches, until `stop` aborts. @returns how many */
export async function eraseAllLeavers(db: Database, now: Date, stop?: AbortSignal): Promise<number> {
  const schools = await db
    .selectFrom('school')
    .where('erase_leavers_after_days', 'is not', null)
    .select('id')
    .orderBy('id')
    .execute();
  let erased = 0;
  for (const { id: schoolId } of schools) {
    const data = new SchoolData(db, { schoolId, gradeId: null, classId: null });
    while (!stop?.aborted) {
      const batch = await data.transaction((own) => eraseBatch(own, now));
      if (batch === null) break;
      erased += batch;
    }
  }
  return erased;
}

/** Locks the school first and reads its setting again. @returns null when no student is left */
async function eraseBatch(own: SchoolData, now: Date): Promise<number | null> {
  const { schoolId } = own;
  const [school] = await own.execute(sql<{ days: number | null }>`
    SELECT erase_leavers_after_days AS days FROM school WHERE id = ${schoolId} FOR SHARE`);
  const days = school?.days ?? null;
  if (days === null) return null;
  const before = new Date(now.getTime() - days * dayMs);
  const batch = await own.execute(sql<{ id: number }>`
    SELECT id FROM student
    WHERE school_id = ${schoolId} AND disabled AND erased_at IS NULL
      AND disabled_at < ${before.toISOString()}::timestamptz
    ORDER BY disabled_at, id LIMIT ${batchSize}`);
  if (batch.length === 0) return null;
  const ids = batch.map(({ id }) => id);
  return eraseDisabledBefore(own, ids, before, now);
}
