import { sql } from 'kysely';
import { SchoolData } from '../../access/school-data.ts';
import type { Database } from '../../database/connect.ts';
import { eraseLeavers } from './erase-students.ts';

/** Erased in one transaction, so that nobody's points wait for long. */
const batchSize = 50;

const dayMs = 86_400_000;

/**
 * Erases the personal data of students who were disabled as long ago as their school wants, in batches.
 *
 * @param stop ends the work after the batch under way; the rest goes the next time
 * @returns how many were erased
 */
export async function eraseAllLeavers(db: Database, now: Date, stop?: AbortSignal): Promise<number> {
  const schools = await db
    .selectFrom('school')
    .where('erase_leavers_after_days', 'is not', null)
    .select(['id', 'erase_leavers_after_days as days'])
    .orderBy('id')
    .execute();
  let erased = 0;
  for (const { id, days } of schools) {
    const before = new Date(now.getTime() - (days ?? 0) * dayMs);
    erased += await eraseLeaversOf(db, id, before, now, stop);
  }
  return erased;
}

async function eraseLeaversOf(
  db: Database,
  schoolId: number,
  before: Date,
  now: Date,
  stop: AbortSignal | undefined,
): Promise<number> {
  const data = new SchoolData(db, { schoolId, gradeId: null, classId: null });
  let erased = 0;
  while (!stop?.aborted) {
    const batch = await data.execute(sql<{ id: number }>`
      SELECT id FROM student
      WHERE school_id = ${schoolId} AND disabled AND erased_at IS NULL
        AND disabled_at < ${before.toISOString()}::timestamptz
      ORDER BY disabled_at, id LIMIT ${batchSize}`);
    if (batch.length === 0) break;
    const ids = batch.map(({ id }) => id);
    erased += await data.transaction((own) => eraseLeavers(own, ids, before, now));
  }
  return erased;
}
