import type { Student } from '@classledger/contract';
import type pg from 'pg';
import type { Range } from '../../access/range.ts';
import { AppError } from '../../app-error.ts';
import { atMost } from '../../at-most.ts';
import { type DatabaseConnection, query } from '../../database/connect.ts';
import { isLockTimeout, isRetryable } from '../../database/transaction.ts';
import {
  claimKeys,
  type KeyClaim,
  type Replayed,
  type Run,
  storeAnswers,
} from '../../idempotency/idempotency-keys.ts';
import { Roster, Standings } from './locked-students.ts';
import { insertRecords, lockClasses, lockStudents, readStudents } from './score-ledger-sql.ts';

/** Who gives points: a credential or an administrator. */
export interface Author {
  readonly tokenId: number | null;
  readonly adminId: number | null;
}

/** Points for one student, named by id, username or both. An entry that already failed is carried along. */
export interface LedgerEntry {
  readonly studentId: number | null;
  readonly username: string | null;
  readonly change: number;
  readonly description: string;
  readonly fault: AppError | null;
}

/** What became of an entry. */
export interface EntryOutcome {
  readonly fault: AppError | null;
  readonly studentId: number | null;
  readonly username: string | null;
  readonly change: number | null;
  readonly recordId: number | null;
}

/** Students by their ids, with the totals that the write leaves them; empty unless `tellsStudents`. */
export type WrittenStudents = ReadonlyMap<number, Student>;

export interface ScoreWrite<T> {
  readonly range: Range;
  readonly author: Author;
  readonly at: Date;
  readonly entries: readonly LedgerEntry[];
  readonly key: KeyClaim | null;
  /** Whether the answer tells where the students named by id stand after the write. */
  readonly tellsStudents?: boolean;
  /**
   * Makes the answer from the outcomes. Throwing refuses the whole write; nothing of it is stored. It is asked before
   * anything is stored too, when records have no ids and totals are those before; that answer is not used.
   */
  readonly answer: (outcomes: readonly EntryOutcome[], students: WrittenStudents) => T;
}

interface Waiting {
  readonly write: ScoreWrite<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** One transaction takes at most this many entries; more wait for the next. */
const entriesPerTransactionMax = 2_000;
const attemptsMax = 5;

/** How long the queue of a school stands still for a row that somebody else has locked: a transaction, one write. */
const sharedLockWaitMs = 300;
const singleLockWaitMs = 50;
/** How long a write waits for such a row beside the queue before it fails. */
const blockedLockWaitMs = 10_000;
/** So many writes wait for rows at once, each on a connection; the pool has others left for those who need none. */
const blockedAtOnce = 3;

/**
 * The only way by which points are given. Records, the totals of student and class and the day's sums change in
 * one transaction, so that they agree at every commit.
 *
 * Writes to one school that arrive while a transaction is under way share the next one: one set of statements
 * and one commit for all of them. They stay independent: each has its own entries, key and answer, and one that
 * PostgreSQL refuses is done again without the others. One whose student or class somebody else keeps locked
 * leaves the queue and waits on its own, so that it holds up nobody.
 */
export class ScoreLedger {
  readonly #database: Pick<DatabaseConnection, 'acquire'>;
  readonly #queues = new Map<number, Waiting[]>();
  readonly #blocked = atMost(blockedAtOnce);

  constructor(database: Pick<DatabaseConnection, 'acquire'>) {
    this.#database = database;
  }

  /**
   * @returns the answer that `write.answer` made, once it is committed
   * @throws AppError of a refused write; UndoneError where nothing was written, as when a row stays locked for
   * ten seconds; any other error leaves it open whether the write was done, and only
   * repeating it with the same idempotency key is safe
   */
  write<T>(write: ScoreWrite<T>): Promise<T | Replayed> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { write, resolve: resolve as Waiting['resolve'], reject };
      const { schoolId } = write.range;
      const queue = this.#queues.get(schoolId);
      if (queue) {
        queue.push(waiting);
        return;
      }
      const started = [waiting];
      this.#queues.set(schoolId, started);
      // Lets the requests that were received together come in first.
      setImmediate(() => void this.#drain(schoolId, started));
    });
  }

  async #drain(schoolId: number, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      let entries = 0;
      let count = 0;
      for (const { write } of queue) {
        entries += write.entries.length;
        if (count > 0 && entries > entriesPerTransactionMax) break;
        count++;
      }
      await this.#settleShared(schoolId, queue.splice(0, count));
    }
    this.#queues.delete(schoolId);
  }

  /** Writes a batch and settles every request of it but those that go on to wait for a lock; never throws. */
  async #settleShared(schoolId: number, batch: readonly Waiting[]): Promise<void> {
    const error = await this.#settle(schoolId, batch, sharedLockWaitMs);
    const single = batch.length === 1;
    for (const waiting of error ? batch : []) {
      const own = single ? error : await this.#settle(schoolId, [waiting], singleLockWaitMs);
      if (own && isLockTimeout(own.cause)) void this.#settleBlocked(schoolId, waiting);
      else if (own) waiting.reject(own);
    }
  }

  /** Does a write on its own, beside the queue, as soon as what it needs is free. */
  async #settleBlocked(schoolId: number, waiting: Waiting): Promise<void> {
    const deadline = performance.now() + blockedLockWaitMs;
    await this.#blocked(async () => {
      const waitMs = Math.max(singleLockWaitMs, deadline - performance.now());
      const error = await this.#settle(schoolId, [waiting], waitMs);
      if (error) waiting.reject(error);
    });
  }

  /**
   * Writes a batch in one transaction and settles every request of it; never throws.
   *
   * @returns the error when PostgreSQL undid the transaction, so that nothing is settled
   */
  async #settle(
    schoolId: number,
    batch: readonly Waiting[],
    lockWaitMs: number,
  ): Promise<UndoneError | null> {
    try {
      const writes = batch.map((waiting) => waiting.write);
      const answers = await this.#commit(schoolId, writes, lockWaitMs);
      for (const [i, waiting] of batch.entries()) {
        const answer = answers[i];
        if (answer instanceof Refused) waiting.reject(answer.reason);
        else waiting.resolve(answer);
      }
    } catch (error) {
      if (error instanceof UndoneError) return error;
      for (const waiting of batch) waiting.reject(error);
    }
    return null;
  }

  async #commit(
    schoolId: number,
    writes: readonly ScoreWrite<unknown>[],
    lockWaitMs: number,
  ): Promise<unknown[]> {
    for (let attempt = 1; ; attempt++) {
      const client = await this.#database.acquire();
      let broken: Error | undefined;
      try {
        return await writeInTransaction(client, schoolId, writes, lockWaitMs);
      } catch (error) {
        if (error instanceof UndoneError) {
          if (attempt < attemptsMax && isRetryable(error.cause)) continue;
        } else {
          broken = error as Error;
        }
        throw error;
      } finally {
        client.release(broken);
      }
    }
  }
}

/** A transaction failed and PostgreSQL has undone it: it may be done again. */
class UndoneError extends Error {}

/** A write that was refused as a whole while others in its transaction went on. */
class Refused {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** @returns the answer of each write in order: what it made, Replayed, or Refused */
async function writeInTransaction(
  client: pg.PoolClient,
  schoolId: number,
  writes: readonly ScoreWrite<unknown>[],
  lockWaitMs: number,
): Promise<unknown[]> {
  const run: Run = async <Row>(text: string, values: readonly unknown[]) =>
    (await query(client, text, values)).rows as Row[];
  try {
    const keyed = writes.filter((write) => write.key !== null);
    const ids = new Set<number>();
    const usernames = new Set<string>();
    const told = new Set<number>();
    for (const { entries, tellsStudents } of writes) {
      for (const entry of entries) {
        if (entry.fault) continue;
        if (entry.studentId !== null) {
          ids.add(entry.studentId);
          if (tellsStudents) told.add(entry.studentId);
        } else if (entry.username !== null) usernames.add(entry.username);
      }
    }
    // None of these waits for another's result: they are sent together.
    const [, claims, students, classes, before] = await together([
      query(client, `BEGIN; SET LOCAL lock_timeout = ${Math.round(lockWaitMs)}`),
      keyed.length > 0
        ? claimKeys(
            run,
            schoolId,
            keyed.map((write) => write.key as KeyClaim),
          )
        : [],
      lockStudents(run, schoolId, [...ids], [...usernames]),
      lockClasses(run, schoolId, [...ids], [...usernames]),
      told.size > 0 ? readStudents(run, schoolId, [...told]) : [],
    ] as const);
    const claimed = new Map(keyed.map((write, i) => [write, claims[i] ?? null]));
    const roster = new Roster(students, classes);
    const standings = new Standings(before);

    const plans = writes.map((write) => {
      const claim = claimed.get(write) ?? null;
      if (claim) return { done: claim instanceof AppError ? new Refused(claim) : claim };
      const outcomes = write.entries.map((entry) => roster.resolve(write.range, entry));
      // A write that is refused as a whole must show before anything of it is stored.
      const refused = refusal(write, outcomes, standings.of(write, outcomes));
      return refused ? { done: refused } : { outcomes };
    });
    const rows = plans.flatMap(({ outcomes }, i) =>
      (outcomes ?? []).flatMap((outcome, j) => {
        const write = writes[i] as ScoreWrite<unknown>;
        if (outcome.fault || outcome.studentId === null) return [];
        return [
          { write, entry: write.entries[j] as LedgerEntry, outcome, student: roster.byId(outcome.studentId) },
        ];
      }),
    );
    if (rows.length > 0) {
      const { recordIds, sums } = await insertRecords(run, schoolId, rows);
      for (const [i, row] of rows.entries()) row.outcome.recordId = recordIds[i] as number;
      standings.add(sums);
    }

    const answers = plans.map(({ done, outcomes }, i) => {
      if (done) return done;
      const write = writes[i] as ScoreWrite<unknown>;
      return write.answer(outcomes as EntryOutcome[], standings.of(write, outcomes as EntryOutcome[]));
    });
    const stored = writes.flatMap((write, i) =>
      write.key && !plans[i]?.done ? [{ claim: write.key, data: answers[i] }] : [],
    );
    const [, end] = await together([
      stored.length > 0
        ? storeAnswers(run, schoolId, stored, (writes[0] as ScoreWrite<unknown>).at)
        : undefined,
      query(client, 'COMMIT'),
    ] as const);
    if (end.command !== 'COMMIT') throw new Error('The transaction was undone');
    return answers;
  } catch (error) {
    // If even this fails the connection is gone, and with it the answer to whether COMMIT arrived.
    await query(client, 'ROLLBACK');
    throw new UndoneError('The transaction was undone', { cause: error });
  }
}

/** Waits for all statements, so that none is left behind on the connection, then reports the first failure. */
async function together<T extends readonly unknown[]>(
  statements: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(statements);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never;
}

function refusal(
  write: ScoreWrite<unknown>,
  outcomes: readonly EntryOutcome[],
  students: WrittenStudents,
): Refused | null {
  try {
    write.answer(outcomes, students);
    return null;
  } catch (error) {
    return new Refused(error);
  }
}
