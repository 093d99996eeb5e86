import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Removed at once, so that no long transaction stands in anyone's way. */
const batchSize = 5_000;

const studentEventDays = 90;

/** Longer than anybody may be at a sign-in provider. */
const signInFlowMinutes = 60;

/** For how long a passkey may answer a challenge, and it may not be used twice. */
export const challengeMs = 5 * 60_000;

export interface RetentionRules {
  readonly auditDays: number;
  readonly idempotencyHours: number;
  readonly applicationDays: number;
}

/**
 * Removes audit records, the activity of administrators, events of students, applications and idempotency keys that are
 * past their time, and what is known of processes that ended long ago.
 *
 * @param stop ends the work after the batch under way; the rest goes the next time
 * @returns how many rows went
 */
export async function removeExpired(
  db: Database,
  rules: RetentionRules,
  now: Date,
  stop?: AbortSignal,
): Promise<number> {
  const daysBefore = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const auditBefore = daysBefore(rules.auditDays);
  const keysBefore = new Date(now.getTime() - rules.idempotencyHours * 3_600_000);
  const flowsBefore = new Date(now.getTime() - signInFlowMinutes * 60_000);
  const challengesBefore = new Date(now.getTime() - challengeMs);
  return (
    (await removeInBatches(db, 'audit_record', auditBefore, stop)) +
    (await removeInBatches(db, 'activity', auditBefore, stop)) +
    (await removeInBatches(db, 'student_event', daysBefore(studentEventDays), stop)) +
    (await removeInBatches(db, 'application', daysBefore(rules.applicationDays), stop)) +
    (await removeInBatches(db, 'idempotency_key', keysBefore, stop)) +
    (await removeInBatches(db, 'sign_in_flow', flowsBefore, stop)) +
    (await removeInBatches(db, 'spent_challenge', challengesBefore, stop)) +
    (await removeSilentWriters(db, rules.auditDays))
  );
}

/** A process that has written nothing for so long has no attempt left whose end it does not know. */
async function removeSilentWriters(db: Database, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM batch_writer WHERE written_at < now() - make_interval(days => ${days})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

async function removeInBatches(
  db: Database,
  table:
    | 'audit_record'
    | 'activity'
    | 'student_event'
    | 'application'
    | 'idempotency_key'
    | 'sign_in_flow'
    | 'spent_challenge',
  before: Date,
  stop?: AbortSignal,
): Promise<number> {
  let removed = 0;
  while (!stop?.aborted) {
    const { numAffectedRows } = await sql`
      DELETE FROM ${sql.table(table)} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${sql.table(table)} WHERE created_at < ${before.toISOString()}::timestamptz
        LIMIT ${batchSize}))`.execute(db);
    const count = Number(numAffectedRows ?? 0);
    removed += count;
    if (count < batchSize) break;
  }
  return removed;
}
