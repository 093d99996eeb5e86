import { limits } from '@classledger/contract';
import { sql } from 'kysely';
import { housekeepingLocks } from './advisory-locks.ts';
import type { Database, Transaction } from './connect.ts';
import { alone, type DatedTable, dayMs, keepDays } from './days.ts';
import { anyOf } from './page.ts';

/** Removed at once, so that no long transaction stands in anyone's way. */
const batchSize = 5_000;
const schoolsAtOnce = 50;

const studentEventDays = 90;

/** For so long one can look up what an import did, and undo it. */
const importDays = 90;

/** As long as the changes are kept that they come from. */
const deliveryDays = 30;

/** Longer than anybody may be at a sign-in provider. */
const signInFlowMinutes = 60;

/** For how long a passkey may answer a challenge, and it may not be used twice. */
export const challengeMs = 5 * 60_000;

const hourMs = 3_600_000;

/** Keys are kept so much longer: the clocks of processes may differ by as much and no key goes too early. */
const clocksDifferMs = 2 * hourMs;

export interface RetentionRules {
  readonly auditDays: number;
  readonly idempotencyHours: number;
  readonly applicationDays: number;
}

/** A piece of housekeeping. What is left after a stop goes the next time. */
export interface Chore {
  /** What is removed. */
  readonly of: string;
  readonly work: (now: Date, stop: AbortSignal) => Promise<unknown>;
}

/**
 * What removes what is past its time: days of audit records, of the activity of administrators, of idempotency
 * keys and of changes; events of students, applications, and what is known of sign-ins that were begun and of processes that ended
 * long ago. Makes days that are to come. Of several processes one at a time does the same piece of it.
 */
export function removalsOf(db: Database, rules: RetentionRules): Chore[] {
  const { auditDays, idempotencyHours, applicationDays } = rules;
  const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);
  const days = (of: DatedTable, keptMs: number): Chore => ({
    of,
    work: (now) => keepDays(db, of, now, ago(now, keptMs)),
  });
  return [
    days('audit_record', auditDays * dayMs),
    days('activity', auditDays * dayMs),
    days('webhook_delivery', deliveryDays * dayMs),
    days('idempotency_key', idempotencyHours * hourMs + clocksDifferMs),
    // A day longer than cursors are taken: so much may clocks differ, and transactions last.
    days('change', (limits.changesKeptDays + 1) * dayMs),
    {
      of: 'application',
      work: (now, stop) => removeInBatches(db, 'application', 'id', ago(now, applicationDays * dayMs), stop),
    },
    {
      of: 'spent_challenge',
      work: (now, stop) =>
        removeInBatches(db, 'spent_challenge', 'challenge_hash', ago(now, challengeMs), stop),
    },
    {
      of: 'student_event',
      work: (now, stop) => removeOfSchools(db, 'student_event', ago(now, studentEventDays * dayMs), stop),
    },
    {
      of: 'import_run',
      work: (now, stop) => removeOfSchools(db, 'import_run', ago(now, importDays * dayMs), stop),
    },
    {
      of: 'sign_in_flow',
      work: (now, stop) => removeOfSchools(db, 'sign_in_flow', ago(now, signInFlowMinutes * 60_000), stop),
    },
    { of: 'batch_writer', work: () => removeSilentWriters(db, auditDays) },
  ];
}

/** A process that has written nothing for so long has no attempt left whose end it does not know. */
async function removeSilentWriters(db: Database, days: number): Promise<void> {
  await sql`DELETE FROM batch_writer WHERE written_at < now() - make_interval(days => ${days})`.execute(db);
}

/** Of tables of the installation. */
async function removeInBatches(
  db: Database,
  table: 'application' | 'spent_challenge',
  key: string,
  before: Date,
  stop: AbortSignal,
): Promise<void> {
  for (let removed: number | null = batchSize; removed === batchSize && !stop.aborted; ) {
    removed = await alone(db, housekeepingLocks[table], async (tx) => {
      const { numAffectedRows } = await sql`
        DELETE FROM ${sql.table(table)} WHERE ${sql.ref(key)} IN (
          SELECT ${sql.ref(key)} FROM ${sql.table(table)} WHERE created_at < ${before.toISOString()}::timestamptz
          ORDER BY created_at LIMIT ${batchSize})`.execute(tx);
      return Number(numAffectedRows ?? 0);
    });
  }
}

const removeOfSchools = (
  db: Database,
  table: 'student_event' | 'sign_in_flow' | 'import_run',
  before: Date,
  stop: AbortSignal,
): Promise<void> =>
  forSchools(db, housekeepingLocks[table], stop, async (tx, schools) => {
    await tx
      .deleteFrom(table)
      .where('school_id', '=', anyOf(schools))
      .where('created_at', '<', before.toISOString())
      .execute();
  });

/** Does a piece of housekeeping for all schools, some at a time in a transaction. */
export async function forSchools(
  db: Database,
  lock: number,
  stop: AbortSignal,
  work: (tx: Transaction, schools: readonly number[]) => Promise<void>,
): Promise<void> {
  const ids = (await db.selectFrom('school').select('id').orderBy('id').execute()).map(({ id }) => id);
  for (let first = 0; first < ids.length && !stop.aborted; first += schoolsAtOnce) {
    await alone(db, lock, (tx) => work(tx, ids.slice(first, first + schoolsAtOnce)));
  }
}
