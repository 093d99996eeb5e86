import type { DatabaseConnection } from '../../../database/connect.ts';
import type { Replayed } from '../../../idempotency/idempotency-keys.ts';
import { LockPolicy } from './locks.ts';
import type { ScoreWrite } from './plan.ts';
import { UndoneError, writeTogether } from './transaction.ts';

/** A write with those who wait for its end. */
interface Waiting extends ScoreWrite {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** One transaction takes at most this many entries; more wait for the next. */
const entriesPerTransactionMax = 2_000;

/**
 * The only way by which points are given. Records, the totals of student and class and the day's sums change in
 * one transaction, so that they agree at every commit.
 *
 * Writes to one school that arrive while a transaction is under way share the next one: one set of statements
 * and one commit for all of them. They stay independent: each has its own entries, key and answer, and one that
 * PostgreSQL refuses is done again without the others (see `LockPolicy`).
 *
 * A write on its way: here it joins the queue; `transaction.ts` sends its statements, for which `locks.ts` says what is
 * locked, `plan.ts` works out what is written, and `totals.ts` writes it.
 */
export class ScoreLedger {
  readonly #database: Pick<DatabaseConnection, 'acquire'>;
  readonly #queues = new Map<number, Waiting[]>();
  readonly #locks: LockPolicy;

  constructor(database: Pick<DatabaseConnection, 'acquire'>, locks = new LockPolicy()) {
    this.#database = database;
    this.#locks = locks;
  }

  /**
   * @returns the answer that `write.answer` made, once it is committed, or the one that its key was given before
   * @throws AppError of a refused write; UndoneError where nothing was written, as when a row stays locked for
   * ten seconds; any other error leaves it open whether the write was done, and only
   * repeating it with the same idempotency key is safe
   */
  write<T>(write: ScoreWrite<T>): Promise<T | Replayed> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { ...write, resolve: (answer) => resolve(answer as T | Replayed), reject };
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

  /** One batch after the other, until no one waits. */
  async #drain(schoolId: number, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, countOfNext(queue));
      await this.#locks.settle(batch, (part, lockWaitMs) => this.#attempt(schoolId, part, lockWaitMs));
    }
    this.#queues.delete(schoolId);
  }

  /** Does writes in one transaction and settles them; returns the error when it was undone. */
  async #attempt(schoolId: number, batch: readonly Waiting[], lockWaitMs: number): Promise<Error | null> {
    try {
      for (const { write, result } of await writeTogether(this.#database, schoolId, batch, lockWaitMs)) {
        if (result.kind === 'refused') write.reject(result.error);
        else write.resolve(result.answer);
      }
    } catch (error) {
      if (error instanceof UndoneError) return error;
      for (const waiting of batch) waiting.reject(error);
    }
    return null;
  }
}

/** How many of those who wait share the next transaction. */
function countOfNext(queue: readonly Waiting[]): number {
  let entries = 0;
  const surplus = queue.findIndex((waiting, i) => {
    entries += waiting.entries.length;
    return i > 0 && entries > entriesPerTransactionMax;
  });
  return surplus < 0 ? queue.length : surplus;
}
