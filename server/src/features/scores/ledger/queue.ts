import type pg from 'pg';
import type { DatabaseConnection } from '../../../database/connect.ts';
import type { Replayed } from '../../../idempotency/idempotency-keys.ts';
import { LockPolicy, sharedWaitMs } from './locks.ts';
import type { ScoreWrite, SettledWrite } from './plan.ts';
import { type Begun, begin, brokenBy, finish, UndoneError, writeTogether } from './transaction.ts';

/** A write with those who wait for its end. */
interface Waiting extends ScoreWrite {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
  /** A moment of `performance.now()`; 0 where nobody measures. */
  readonly since: number;
}

/** Told of score writes that begin their transaction together, and for how long the first has waited. */
export type BatchMeter = (writes: number, entries: number, waitedMs: number) => void;

/** One transaction takes at most this many entries; more wait for the next. */
const entriesPerTransactionMax = 2_000;
/**
 * And this many while several schools write: planning and answering a batch, and taking in what comes after it, holds up
 * everyone else in this process. Alone a school has the cheaper, larger ones.
 */
const entriesInCompanyMax = 400;
/** For so long after another school has written. */
const companyMs = 1_000;
/** A school gives its connection back after so many transactions, because others may wait for one. */
const inARowMax = 16;

/** A batch that PostgreSQL has undone, and why. */
interface Undone {
  readonly batch: readonly Waiting[];
  readonly error: UndoneError;
  /** True where the connection was lost by the batch before it. */
  readonly behindLost: boolean;
}

/**
 * The only way by which points are given. Records, the totals of student and class and the day's sums change in
 * one transaction, so that they agree at every commit.
 *
 * Writes to one school that arrive while a transaction is under way share the next one: one set of statements
 * and one commit for all of them. It begins right behind the COMMIT of the one before, on the same connection, so that
 * PostgreSQL never waits for this process in between, and neither waits for the other's rows. They stay independent:
 * each has its own entries, key and answer, and one that PostgreSQL refuses is done again without the others (see
 * `LockPolicy`).
 *
 * A write on its way: here it joins the queue; `transaction.ts` sends its statements, for which `locks.ts` says what is
 * locked, `plan.ts` works out what is written, and `totals.ts` writes it.
 */
export class ScoreLedger {
  readonly #database: Pick<DatabaseConnection, 'acquire'>;
  readonly #queues = new Map<number, Waiting[]>();
  readonly #locks: LockPolicy;
  readonly #meter: BatchMeter | undefined;
  #lastSchool: number | null = null;
  #inCompanyUntil = 0;

  constructor(database: Pick<DatabaseConnection, 'acquire'>, locks = new LockPolicy(), meter?: BatchMeter) {
    this.#database = database;
    this.#locks = locks;
    this.#meter = meter;
  }

  /**
   * @returns the answer that `write.answer` made, once it is committed, or the one that its key was given before
   * @throws AppError of a refused write; UndoneError where nothing was written, as when a row stays locked for
   * ten seconds; any other error leaves it open whether the write was done, and only
   * repeating it with the same idempotency key is safe
   */
  write<T>(write: ScoreWrite<T>): Promise<T | Replayed> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        ...write,
        resolve: (answer) => resolve(answer as T | Replayed),
        reject,
        since: this.#meter ? performance.now() : 0,
      };
      const { schoolId } = write.range;
      this.#meet(schoolId);
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
      for (const { batch, error, behindLost } of await this.#inARow(schoolId, queue)) {
        const last = behindLost ? await this.#attempt(schoolId, batch, sharedWaitMs) : error;
        if (last) await this.#locks.redo(batch, last, (part, ms) => this.#attempt(schoolId, part, ms));
      }
    }
    this.#queues.delete(schoolId);
  }

  /**
   * Does batches on one connection, one after the other; what the next one needs is asked for right behind the COMMIT of
   * the one before. Ends when no one waits, at the first trouble, or after a while.
   *
   * @returns what was undone; all else is settled
   */
  async #inARow(schoolId: number, queue: Waiting[]): Promise<Undone[]> {
    let client: pg.PoolClient;
    try {
      client = await this.#database.acquire();
    } catch (error) {
      rejectAll(this.#takeBatch(queue), error);
      return [];
    }
    const undone: Undone[] = [];
    let lost: Error | undefined;
    let left = inARowMax;
    const beginNext = () => {
      if (queue.length === 0 || left === 0 || lost || undone.length > 0) return null;
      left--;
      return begin(client, schoolId, this.#takeBatch(queue), sharedWaitMs);
    };
    for (let present = beginNext(); present; ) {
      const { writes: batch } = present;
      let next: Begun<Waiting> | null = null;
      try {
        tellAll(
          await finish(present, () => {
            next = beginNext();
          }),
        );
      } catch (error) {
        if (error instanceof UndoneError) undone.push({ batch, error, behindLost: lost !== undefined });
        else rejectAll(batch, error);
        lost ??= brokenBy(error);
      }
      present = next ?? beginNext();
    }
    client.release(lost);
    return undone;
  }

  #meet(schoolId: number): void {
    if (this.#lastSchool !== schoolId && this.#lastSchool !== null) {
      this.#inCompanyUntil = performance.now() + companyMs;
    }
    this.#lastSchool = schoolId;
  }

  #takeBatch(queue: Waiting[]): Waiting[] {
    const isInCompany = performance.now() < this.#inCompanyUntil;
    const batch = queue.splice(
      0,
      countOfNext(queue, isInCompany ? entriesInCompanyMax : entriesPerTransactionMax),
    );
    if (this.#meter) measure(batch, this.#meter);
    return batch;
  }

  /** Does writes in one transaction and settles them; returns the error when it was undone. */
  async #attempt(schoolId: number, batch: readonly Waiting[], lockWaitMs: number): Promise<Error | null> {
    try {
      tellAll(await writeTogether(this.#database, schoolId, batch, lockWaitMs));
    } catch (error) {
      if (error instanceof UndoneError) return error;
      rejectAll(batch, error);
    }
    return null;
  }
}

function tellAll(settled: readonly SettledWrite<Waiting>[]): void {
  for (const { write, result } of settled) {
    if (result.kind === 'refused') write.reject(result.error);
    else write.resolve(result.answer);
  }
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  for (const waiting of batch) waiting.reject(error);
}

function measure(batch: readonly Waiting[], meter: BatchMeter): void {
  const entries = batch.reduce((count, waiting) => count + waiting.entries.length, 0);
  meter(batch.length, entries, performance.now() - (batch[0]?.since ?? 0));
}

/** How many of those who wait share the next transaction. */
function countOfNext(queue: readonly Waiting[], entriesMax: number): number {
  let entries = 0;
  const surplus = queue.findIndex((waiting, i) => {
    entries += waiting.entries.length;
    return i > 0 && entries > entriesMax;
  });
  return surplus < 0 ? queue.length : surplus;
}
