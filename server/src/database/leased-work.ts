import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { FairQueue } from '../concurrency/fair-queue.ts';
import type { Clock, MonotonicClock } from '../time/clock.ts';
import type { Database } from './connect.ts';

const checkEveryMs = 1_000;
const longestRetryMs = 60_000;
/** Rows per claim; the next round or another process claims the rest. */
const claimedMax = 200;

export interface LeasedWorkServices {
  readonly db: Database;
  readonly monotonic: MonotonicClock;
  /** Replaces the database's clock in tests; null otherwise. */
  readonly databaseClock: Clock | null;
  readonly report: (error: unknown) => void;
}

export interface LeasedWorkOptions extends LeasedWorkServices {
  readonly table: 'webhook' | 'import_job';
  readonly needsWork: RawBuilder<boolean>;
  /** Without renewal, ownership ends after this time. */
  readonly leaseMs: number;
  /** How many rows are worked on in parallel, in total and per school. */
  readonly parallel: { readonly concurrency: number; readonly perKey: number };
  /** Does a part of the work. Returns true if more is left, which runs after the turns of other rows. */
  readonly run: (id: number, schoolId: number) => Promise<boolean>;
  /** Called when the work of a row has failed `failures` times in succession. It is tried again later. */
  readonly onFailure?: (id: number, failures: number) => Promise<void>;
}

/**
 * Runs the work of rows of a table, each in one process at a time. After a kill, ownership of the rows expires by the
 * clock of the database, and another process continues.
 */
export class LeasedWork {
  readonly #options: LeasedWorkOptions;
  readonly owner = randomUUID();
  /** Milliseconds after the start of a claim in which this process still owns the returned rows. */
  readonly #safeMs: number;
  readonly #queue: FairQueue;
  readonly #running = new Map<number, Promise<void>>();
  readonly #failed = new Map<number, { readonly failures: number; readonly retryAt: number }>();
  #leasedUntil = 0;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | null = null;

  constructor(options: LeasedWorkOptions) {
    this.#options = options;
    // A process renews ownership when less than this is left.
    this.#safeMs = (options.leaseMs * 2) / 3;
    this.#queue = new FairQueue(options.parallel);
  }

  /** Returns whether this process still owns its rows and is not stopping. */
  mayContinue = (): boolean => !this.#ended && this.#options.monotonic() < this.#leasedUntil;

  start(): void {
    this.#timer = setInterval(() => void this.#checkOnce(), checkEveryMs).unref();
  }

  /** Checks now instead of at the next second. */
  wake(): void {
    if (this.#timer) void this.#checkOnce();
  }

  /** Checks once and waits until this process has nothing to do. */
  async runUntilIdle(): Promise<void> {
    await this.#checkOnce();
    await Promise.all(this.#running.values());
  }

  /** Starts nothing new, waits for running work, and releases the rows. */
  async end(): Promise<void> {
    this.#ended = true;
    clearInterval(this.#timer);
    await this.#checking;
    await Promise.all(this.#running.values());
    await this.#release().catch(() => {});
  }

  async #takeTurns(id: number, schoolId: number): Promise<void> {
    const takeTurn = async () => this.mayContinue() && this.#options.run(id, schoolId);
    while (await this.#queue.run([String(schoolId), String(id)], takeTurn));
  }

  /** Waits 2 s, 4 s and so on before the next try, at most a minute. */
  async #recordFailure(id: number, error: unknown): Promise<void> {
    const { monotonic, report, onFailure } = this.#options;
    const failures = (this.#failed.get(id)?.failures ?? 0) + 1;
    this.#failed.set(id, {
      failures,
      retryAt: monotonic() + Math.min(1_000 * 2 ** failures, longestRetryMs),
    });
    report(error);
    await onFailure?.(id, failures);
  }

  #checkOnce(): Promise<void> {
    this.#checking ??= this.#startWork().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #startWork(): Promise<void> {
    const { monotonic, report } = this.#options;
    if (this.#ended) return;
    try {
      const beganAt = monotonic();
      const owned = await this.#claimAndRenew();
      this.#leasedUntil = beganAt + this.#safeMs;
      for (const { id, schoolId } of owned) {
        if (this.#running.has(id) || monotonic() < (this.#failed.get(id)?.retryAt ?? 0)) continue;
        const work = this.#takeTurns(id, schoolId)
          .then(
            () => void this.#failed.delete(id),
            (error: unknown) => this.#recordFailure(id, error),
          )
          .catch(report)
          .finally(() => this.#running.delete(id));
        this.#running.set(id, work);
      }
    } catch (error) {
      report(error);
    }
  }

  /** Claims free rows, renews its own, and returns those that this process owns. */
  async #claimAndRenew(): Promise<{ id: number; schoolId: number }[]> {
    const { db, databaseClock, table, needsWork, leaseMs } = this.#options;
    const at = sql`coalesce(${databaseClock?.().toISOString() ?? null}::timestamptz, clock_timestamp())`;
    const until = (ms: number) => sql<string>`${at} + ${ms} * interval '1 millisecond'`;
    // Writes rows only when there is something to claim or renew.
    await sql`
      UPDATE ${sql.table(table)} SET owner = ${this.owner}, owned_until = ${until(leaseMs)} WHERE id IN (
        SELECT id FROM ${sql.table(table)}
        WHERE ${needsWork} AND (owner IS NULL OR owned_until < ${at} OR (owner = ${this.owner} AND owned_until < ${until(this.#safeMs)}))
        ORDER BY id LIMIT ${claimedMax} FOR UPDATE SKIP LOCKED)`.execute(db);
    return db
      .selectFrom(table)
      .where('owner', '=', this.owner)
      .where('owned_until', '>', at as never)
      .where(needsWork)
      .select(['id', 'school_id as schoolId'])
      .orderBy('id')
      .execute();
  }

  async #release(): Promise<void> {
    await this.#options.db
      .updateTable(this.#options.table)
      .where('owner', '=', this.owner)
      .set({ owner: null, owned_until: null })
      .execute();
  }
}
