import { limits } from '@classledger/contract';
import { housekeepingLocks } from './advisory-locks.ts';
import type { Database, Transaction } from './connect.ts';
import { anyOf } from './expressions.ts';
import { dayMs, maintainPartitions, type PartitionedTable, runExclusively } from './partitions.ts';

const schoolsPerBatch = 50;

const studentEventDays = 90;

/** An import can be viewed and undone for this long. */
const importDays = 90;

/** The entries of an import, with generated passwords, are kept for this long after its start. */
export const importRowHours = 24;

/** Deliveries are kept as long as their changes. */
const deliveryDays = 30;

const signInFlowMinutes = 60;

/** How long a passkey can answer a challenge. A used challenge is stored for the same time. */
export const challengeMs = 5 * 60_000;

const hourMs = 3_600_000;

/** Idempotency keys are kept this much longer, because the clocks of processes may differ. */
const clockDifferenceMs = 2 * hourMs;

export interface RetentionRules {
  readonly auditDays: number;
  readonly idempotencyHours: number;
  readonly applicationDays: number;
}

/** After a stop, the next run does the rest. */
export interface HousekeepingTask {
  readonly table: string;
  readonly run: (now: Date, stop: AbortSignal) => Promise<unknown>;
}

type InstallationTable = 'application' | 'spent_challenge';
type SchoolTable = 'student_event' | 'sign_in_flow' | 'import_run' | 'import_row';

/** Returns the housekeeping of expired rows. A lock lets one process at a time clean a table. */
export function retentionTasks(db: Database, rules: RetentionRules): HousekeepingTask[] {
  const { auditDays, idempotencyHours, applicationDays } = rules;
  const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);
  const partitionTask = (table: PartitionedTable, keptMs: number): HousekeepingTask => ({
    table,
    run: (now) => maintainPartitions(db, table, now, ago(now, keptMs)),
  });
  const ofInstallation = (table: InstallationTable, keptMs: number): HousekeepingTask => ({
    table,
    run: (now) =>
      runExclusively(db, housekeepingLocks[table], (tx) =>
        tx.deleteFrom(table).where('created_at', '<', ago(now, keptMs).toISOString()).execute(),
      ),
  });
  const bySchool = (table: SchoolTable, keptMs: number): HousekeepingTask => ({
    table,
    run: (now, stop) => removeExpiredBySchool(db, table, ago(now, keptMs), stop),
  });
  return [
    partitionTask('audit_record', auditDays * dayMs),
    partitionTask('activity', auditDays * dayMs),
    partitionTask('webhook_delivery', deliveryDays * dayMs),
    partitionTask('idempotency_key', idempotencyHours * hourMs + clockDifferenceMs),
    // One day longer than cursors are valid, for clock differences and long transactions.
    partitionTask('change', (limits.changesKeptDays + 1) * dayMs),
    ofInstallation('application', applicationDays * dayMs),
    ofInstallation('spent_challenge', challengeMs),
    bySchool('student_event', studentEventDays * dayMs),
    bySchool('import_run', importDays * dayMs),
    bySchool('import_row', importRowHours * hourMs),
    bySchool('sign_in_flow', signInFlowMinutes * 60_000),
  ];
}

const removeExpiredBySchool = (
  db: Database,
  table: SchoolTable,
  before: Date,
  stop: AbortSignal,
): Promise<void> =>
  forEachSchoolBatch(db, housekeepingLocks[table], stop, async (tx, schools) => {
    await tx
      .deleteFrom(table)
      .where('school_id', '=', anyOf(schools))
      .where('created_at', '<', before.toISOString())
      .execute();
  });

/** Runs a piece of housekeeping for all schools, with a transaction for each batch of schools. */
export async function forEachSchoolBatch(
  db: Database,
  lock: number,
  stop: AbortSignal,
  work: (tx: Transaction, schools: readonly number[]) => Promise<void>,
): Promise<void> {
  const ids = (await db.selectFrom('school').select('id').orderBy('id').execute()).map(({ id }) => id);
  for (let first = 0; first < ids.length && !stop.aborted; first += schoolsPerBatch) {
    await runExclusively(db, lock, (tx) => work(tx, ids.slice(first, first + schoolsPerBatch)));
  }
}
