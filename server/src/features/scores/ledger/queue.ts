import type pg from 'pg';
import type { DatabaseConnection } from '../../../database/connect.ts';
import type { ReplayedAnswer } from '../../../idempotency/idempotency-keys.ts';
import { LockPolicy, sharedWaitMs } from './locks.ts';
import type { ScoreWrite, SettledWrite } from './plan.ts';
import { type Begun, begin, brokenBy, finish, UndoneError, writeTogether } from './transaction.ts';

interface Waiting extends ScoreWrite {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
  /** When the write was queued, by `performance.now()`; 0 without a meter. */
  readonly since: number;
}

export type BatchMeter = (writes: number, entries: number, waitedMs: number) => void;

/** Entries per transaction at most; a larger write gets a transaction to itself. */
const entriesPerTransactionMax = 2_000;
/**
 * The same limit while several schools write, because planning a large batch blocks this process for others. A school
 * that writes alone gets the larger, cheaper batches.
 */
const entriesInCompanyMax = 400;
/** How long that limit applies after two successive writes of different schools. */
const companyMs = 1_000;
/** After this many transactions a school releases its connection, because other schools may wait for one. */
const inARowMax = 16;

interface Undone {
  readonly batch: readonly Waiting[];
  readonly error: UndoneError;
  /** True when an earlier batch had already lost the connection. */
  readonly behindLost: boolean;
}

/**
 * Writes new score records. One transaction changes records, the totals of students and classes, and the sums per day,
 * so these agree at every commit.
 *
 * Writes to one school that arrive during a transaction share the next one. Its first statements follow the COMMIT on
 * the same connection, so PostgreSQL need not wait for this process. Each write keeps its own entries, key and answer.
 * When PostgreSQL rolls a batch back, `LockPolicy` retries its writes.
 *
 * `transaction.ts` sends the statements, `locks.ts` locks rows, `plan.ts` plans the records, and `totals.ts` writes
 * them.
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
   * Queues a write and waits for its result.
   *
   * @returns the answer of `write.answer` once it is committed, or the stored answer of the key
   * @throws AppError of a refused write; UndoneError when nothing was written, for example after ten seconds of waiting
   * for a locked row; after any other error the write may be committed: repeat it only with the same idempotency key
   */
  write<T>(write: ScoreWrite<T>): Promise<T | ReplayedAnswer> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        ...write,
        resolve: (answer) => resolve(answer as T | ReplayedAnswer),
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
      // Lets requests that arrived together join the first batch.
      setImmediate(() => void this.#drain(schoolId, started));
    });
  }

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
   * Runs batches on one connection until the queue is empty, a batch fails, or `inARowMax` is reached. Returns the
   * batches that were rolled back; all others are settled.
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

  /** Runs writes in one transaction and settles them. Returns the error when PostgreSQL rolled it back. */
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

function countOfNext(queue: readonly Waiting[], entriesMax: number): number {
  let entries = 0;
  const surplus = queue.findIndex((waiting, i) => {
    entries += waiting.entries.length;
    return i > 0 && entries > entriesMax;
  });
  return surplus < 0 ? queue.length : surplus;
}
