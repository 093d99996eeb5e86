import type pg from 'pg';
import type { DatabaseConnection } from '../../../database/connect.ts';
import type { ReplayedAnswer } from '../../../idempotency/idempotency-keys.ts';
import { LockPolicy, sharedLockWaitMs } from './locks.ts';
import type { CompletedWrite, ScoreWrite } from './plan.ts';
import {
  type BegunTransaction,
  beginTransaction,
  commitTransaction,
  connectionError,
  TransactionRolledBackError,
  writeInOneTransaction,
} from './transaction.ts';

interface QueuedWrite extends ScoreWrite {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
  /** When the write was queued, by `performance.now()`; 0 without a meter. */
  readonly queuedAtMs: number;
}

export type BatchMeter = (writes: number, entries: number, waitedMs: number) => void;

/** Entries per transaction at most; a larger write gets a transaction to itself. */
const entriesPerTransactionMax = 2_000;
/** Limits batches while several queues have writes, because planning a large batch blocks this process for others. */
const entriesWhenSharedMax = 400;
/** Larger writes wait in a queue of their own, so that single points do not wait for them. */
const smallWriteMax = 20;
/** How long `entriesWhenSharedMax` applies after two successive writes of different queues. */
const sharedMs = 1_000;
/** After this many transactions a school releases its connection, because other schools may wait for one. */
const batchesInARowMax = 16;

interface RolledBackBatch {
  readonly batch: readonly QueuedWrite[];
  readonly error: TransactionRolledBackError;
  readonly wasConnectionLost: boolean;
}

/**
 * Writes point records, totals and sums per day in one transaction, so that they agree at every commit. A school has one
 * queue for small writes and one for large ones. Writes that arrive during a transaction of their queue share the next
 * one. The next one follows the COMMIT on the same connection, so PostgreSQL need not wait for this process.
 */
export class ScoreLedger {
  readonly #database: Pick<DatabaseConnection, 'acquire'>;
  readonly #queues = new Map<string, QueuedWrite[]>();
  readonly #locks: LockPolicy;
  readonly #meter: BatchMeter | undefined;
  #lastQueue = '';
  #sharedUntil = 0;

  constructor(database: Pick<DatabaseConnection, 'acquire'>, locks = new LockPolicy(), meter?: BatchMeter) {
    this.#database = database;
    this.#locks = locks;
    this.#meter = meter;
  }

  /**
   * Queues a write. @returns its answer once it is committed, or the stored answer of the key
   * @throws AppError of a refused write; TransactionRolledBackError when nothing was written. After any other error the
   * write may be committed: repeat it only with the same idempotency key.
   */
  write<T>(write: ScoreWrite<T>): Promise<T | ReplayedAnswer> {
    return new Promise((resolve, reject) => {
      const waiting: QueuedWrite = {
        ...write,
        resolve: (answer) => resolve(answer as T | ReplayedAnswer),
        reject,
        queuedAtMs: this.#meter ? performance.now() : 0,
      };
      const { schoolId } = write.range;
      const queueKey = `${schoolId} ${write.entries.length > smallWriteMax ? 'large' : 'small'}`;
      this.#trackQueue(queueKey);
      const queue = this.#queues.get(queueKey);
      if (queue) {
        queue.push(waiting);
        return;
      }
      const started = [waiting];
      this.#queues.set(queueKey, started);
      // Lets requests that arrived together join the first batch.
      setImmediate(() => void this.#drain(schoolId, queueKey, started));
    });
  }

  async #drain(schoolId: number, queueKey: string, queue: QueuedWrite[]): Promise<void> {
    while (queue.length > 0) {
      for (const { batch, error, wasConnectionLost } of await this.#runBatches(schoolId, queue)) {
        const last = wasConnectionLost ? await this.#runBatch(schoolId, batch, sharedLockWaitMs) : error;
        if (last) await this.#locks.retry(batch, last, (part, ms) => this.#runBatch(schoolId, part, ms));
      }
    }
    this.#queues.delete(queueKey);
  }

  /** Runs batches until the queue is empty, one fails or `batchesInARowMax` is reached. Returns failed batches. */
  async #runBatches(schoolId: number, queue: QueuedWrite[]): Promise<RolledBackBatch[]> {
    let client: pg.PoolClient;
    try {
      client = await this.#database.acquire();
    } catch (error) {
      rejectAll(this.#takeBatch(queue), error);
      return [];
    }
    const rolledBack: RolledBackBatch[] = [];
    let lost: Error | undefined;
    let left = batchesInARowMax;
    const beginNext = () => {
      if (queue.length === 0 || left === 0 || lost || rolledBack.length > 0) return null;
      left--;
      return beginTransaction(client, schoolId, this.#takeBatch(queue), sharedLockWaitMs);
    };
    for (let current = beginNext(); current; ) {
      const { writes: batch } = current;
      let next: BegunTransaction<QueuedWrite> | null = null;
      try {
        resolveAll(
          await commitTransaction(current, () => {
            next = beginNext();
          }),
        );
      } catch (error) {
        if (error instanceof TransactionRolledBackError)
          rolledBack.push({ batch, error, wasConnectionLost: lost !== undefined });
        else rejectAll(batch, error);
        lost ??= connectionError(error);
      }
      current = next ?? beginNext();
    }
    client.release(lost);
    return rolledBack;
  }

  #trackQueue(queueKey: string): void {
    if (this.#lastQueue !== queueKey && this.#lastQueue) this.#sharedUntil = performance.now() + sharedMs;
    this.#lastQueue = queueKey;
  }

  #takeBatch(queue: QueuedWrite[]): QueuedWrite[] {
    const isShared = performance.now() < this.#sharedUntil;
    const batch = queue.splice(
      0,
      nextBatchSize(queue, isShared ? entriesWhenSharedMax : entriesPerTransactionMax),
    );
    if (this.#meter) reportBatch(batch, this.#meter);
    return batch;
  }

  async #runBatch(schoolId: number, batch: readonly QueuedWrite[], lockWaitMs: number) {
    try {
      resolveAll(await writeInOneTransaction(this.#database, schoolId, batch, lockWaitMs));
    } catch (error) {
      if (error instanceof TransactionRolledBackError) return error;
      rejectAll(batch, error);
    }
    return null;
  }
}

function resolveAll(completed: readonly CompletedWrite<QueuedWrite>[]): void {
  for (const { write, result } of completed) {
    if (result.kind === 'refused') write.reject(result.error);
    else write.resolve(result.answer);
  }
}

function rejectAll(batch: readonly QueuedWrite[], error: unknown): void {
  for (const waiting of batch) waiting.reject(error);
}

function reportBatch(batch: readonly QueuedWrite[], meter: BatchMeter): void {
  const entries = batch.reduce((count, waiting) => count + waiting.entries.length, 0);
  meter(batch.length, entries, performance.now() - (batch[0]?.queuedAtMs ?? 0));
}

function nextBatchSize(queue: readonly QueuedWrite[], entriesMax: number): number {
  let entries = 0;
  const surplus = queue.findIndex((waiting, i) => {
    entries += waiting.entries.length;
    return i > 0 && entries > entriesMax;
  });
  return surplus < 0 ? queue.length : surplus;
}
