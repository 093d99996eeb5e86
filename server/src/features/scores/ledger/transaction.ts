import { Student } from '@classledger/contract';
import type pg from 'pg';
import { type DatabaseConnection, query } from '../../../database/connect.ts';
import {
  isKnownRollback,
  isRetryable,
  sendInOneWrite,
  settleAll,
  statementsOn,
} from '../../../database/transaction.ts';
import { DatabaseLostError } from '../../../database/transient-errors.ts';
import { selectStatement } from '../../../fields/fields.ts';
import { studentFields } from '../../../fields/students.ts';
import { claimKeys, sealAnswer, storeAnswers } from '../../../idempotency/idempotency-keys.ts';
import { lockStudents } from './locks.ts';
import {
  buildResults,
  type CompletedWrite,
  collectNeeds,
  type LedgerState,
  planWrites,
  type ScoreWrite,
} from './plan.ts';
import { type ReservedIds, reserveRecordIds, writeRecords } from './totals.ts';

/* First round trip: BEGIN, claim keys, lock, read, reserve ids. Second: write, COMMIT. Then follows the next BEGIN. */

const attemptsMax = 5;

/** PostgreSQL rolled back, so a retry is safe. With a DatabaseLostError as `cause`, discard the connection. */
export class TransactionRolledBackError extends Error {
  constructor(cause: unknown) {
    super('The transaction was undone', { cause });
  }
}

export interface BegunTransaction<W extends ScoreWrite> {
  readonly client: pg.ClientBase;
  readonly schoolId: number;
  readonly writes: readonly W[];
  readonly found: Promise<readonly [LedgerState, ReservedIds]>;
}

/** Begins a transaction. The caller sends nothing on this connection before it calls `commitTransaction`. */
export function beginTransaction<W extends ScoreWrite>(
  client: pg.ClientBase,
  schoolId: number,
  writes: readonly W[],
  lockWaitMs: number,
): BegunTransaction<W> {
  const found = lockAndRead(client, schoolId, writes, lockWaitMs);
  // `commitTransaction` awaits the promise, perhaps later; this avoids an unhandled rejection until then.
  found.catch(() => {});
  return { client, schoolId, writes, found };
}

/**
 * Writes and commits. @param sendNext sends statements right after the COMMIT; called only if one is sent
 * @throws TransactionRolledBackError when nothing was written; after any other error the writes may be committed
 */
export async function commitTransaction<W extends ScoreWrite>(
  { client, schoolId, writes, found }: BegunTransaction<W>,
  sendNext = () => {},
): Promise<CompletedWrite<W>[]> {
  let end: Promise<void>;
  let completed: CompletedWrite<W>[];
  try {
    const [known, reserved] = await found;
    const plan = planWrites(writes, known);
    completed = buildResults(plan, reserved.ids);
    // Code that can throw comes before `sendInOneWrite`, which sends the COMMIT without waiting for the writes.
    const answers = completed.flatMap(({ write: { key, at }, result }) =>
      key && result.kind === 'done' ? [sealAnswer(key, result.answer, at)] : [],
    );
    end = sendInOneWrite(client, () => {
      const run = statementsOn(client);
      const committed = commit(client, [
        writeRecords(run, schoolId, plan, reserved),
        storeAnswers(run, schoolId, answers),
      ]);
      sendNext();
      return committed;
    });
  } catch (error) {
    // No COMMIT was sent, so the transaction is rolled back even if the connection is lost.
    const lost = await query(client, 'ROLLBACK').then(
      () => null,
      () => new DatabaseLostError(error),
    );
    throw new TransactionRolledBackError(lost ?? error);
  }
  await end;
  return completed;
}

/** Runs writes in one transaction; retries after a deadlock or serialization failure. @throws as `commitTransaction` */
export async function writeInOneTransaction<W extends ScoreWrite>(
  database: Pick<DatabaseConnection, 'acquire'>,
  schoolId: number,
  writes: readonly W[],
  lockWaitMs: number,
): Promise<CompletedWrite<W>[]> {
  for (let attempt = 1; ; attempt++) {
    const client = await database.acquire();
    let broken: Error | undefined;
    try {
      return await commitTransaction(beginTransaction(client, schoolId, writes, lockWaitMs));
    } catch (error) {
      broken = connectionError(error);
      if (error instanceof TransactionRolledBackError && attempt < attemptsMax && isRetryable(error.cause))
        continue;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

/** Returns the error for which the pool must discard the connection; undefined when the connection is usable. */
export function connectionError(error: unknown): Error | undefined {
  if (!(error instanceof TransactionRolledBackError)) return error as Error;
  return error.cause instanceof DatabaseLostError ? error.cause : undefined;
}

async function lockAndRead(
  client: pg.ClientBase,
  schoolId: number,
  writes: readonly ScoreWrite[],
  lockWaitMs: number,
): Promise<readonly [LedgerState, ReservedIds]> {
  const run = statementsOn(client);
  const needs = collectNeeds(writes);
  const { keys, studentsToRead } = needs;
  const instants = [...new Set(writes.map(({ at }) => at.toISOString()))];
  const recordsMax = writes.reduce((count, { entries }) => count + entries.length, 0);
  const [, , claimed, locked, before, reserved] = await sendInOneWrite(client, () =>
    settleAll([
      run('BEGIN', []),
      // Sends SET apart from BEGIN, because Citus forwards the whole text of a SET to its nodes.
      run(`SET LOCAL lock_timeout = ${Math.round(lockWaitMs)}`, []),
      keys.length > 0 ? claimKeys(run, schoolId, keys) : [],
      lockStudents(run, schoolId, needs),
      studentsToRead.length > 0 ? readStudents(run, [schoolId, studentsToRead]) : [],
      // Reserves ids under the locks, so that a student's later records have higher ids.
      reserveRecordIds(run, schoolId, recordsMax, instants),
    ] as const),
  );
  const storedAnswers = new Map(keys.flatMap((key, i) => (claimed[i] ? [[key, claimed[i]]] : [])));
  return [{ ...locked, days: reserved.days, studentsBefore: before, storedAnswers }, reserved];
}

/** Sends COMMIT without waiting; after a failed statement, PostgreSQL rolls back. @throws as `commitTransaction` */
async function commit(client: pg.ClientBase, statements: readonly Promise<unknown>[]): Promise<void> {
  const [end, ...rest] = await Promise.allSettled([query(client, 'COMMIT'), ...statements]);
  const failed = rest.find((each) => each.status === 'rejected');
  if (end.status === 'rejected') {
    // When the database session was terminated, the error does not show whether the COMMIT succeeded.
    throw isKnownRollback(end.reason)
      ? new TransactionRolledBackError(failed?.reason ?? end.reason)
      : end.reason;
  }
  if (end.value.command !== 'COMMIT') throw new TransactionRolledBackError(failed?.reason);
  if (failed) throw failed.reason;
}

/** The locks do not cover grades, so another transaction can rename the student's grade meanwhile. */
const readStudents = selectStatement(
  studentFields,
  Student,
  `
  FROM student s
  JOIN class c ON c.school_id = s.school_id AND c.id = s.class_id
  JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id
  WHERE s.school_id = $1 AND s.id = ANY($2::bigint[])`,
);
