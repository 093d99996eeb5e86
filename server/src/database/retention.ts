import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Removed at once, so that no long transaction stands in anybody's way. */
const batchSize = 5_000;

export interface RetentionRules {
  readonly auditDays: number;
  readonly idempotencyHours: number;
}

/**
 * Removes audit records, the activity of administrators and idempotency keys that are past their time.
 *
 * @returns how many rows went
 */
export async function removeExpired(db: Database, rules: RetentionRules, now: Date): Promise<number> {
  const auditBefore = new Date(now.getTime() - rules.auditDays * 86_400_000);
  const keysBefore = new Date(now.getTime() - rules.idempotencyHours * 3_600_000);
  return (
    (await removeInBatches(db, 'audit_record', auditBefore)) +
    (await removeInBatches(db, 'activity', auditBefore)) +
    (await removeInBatches(db, 'idempotency_key', keysBefore))
  );
}

async function removeInBatches(
  db: Database,
  table: 'audit_record' | 'activity' | 'idempotency_key',
  before: Date,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const { numAffectedRows } = await sql`
      DELETE FROM ${sql.table(table)} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${sql.table(table)} WHERE created_at < ${before.toISOString()}::timestamptz
        LIMIT ${batchSize}))`.execute(db);
    const count = Number(numAffectedRows ?? 0);
    removed += count;
    if (count < batchSize) return removed;
  }
}
