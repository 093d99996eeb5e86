import { FairQueue } from '../concurrency/fair-queue.ts';
import type { Clock, Monotonic } from '../time/clock.ts';
import type { Database } from './connect.ts';
import { type LeaseRules, Leases } from './leases.ts';

const checkEveryMs = 1_000;

export interface LeasedWorkOptions extends LeaseRules {
  readonly db: Database;
  readonly monotonic: Monotonic;
  readonly databaseClock: Clock | null;
  /** Rows worked on in parallel, in all and per school. */
  readonly parallel: { readonly atOnce: number; readonly perKey: number };
  readonly run: (id: number, schoolId: number) => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** Runs work that rows of a table ask for, in one process at a time. Another process continues after a kill. */
export class LeasedWork {
  readonly #options: LeasedWorkOptions;
  readonly #leases: Leases;
  readonly #queue: FairQueue;
  readonly #running = new Map<number, Promise<void>>();
  #leasedUntil = 0;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | null = null;

  constructor(options: LeasedWorkOptions) {
    this.#options = options;
    this.#leases = new Leases(options.db, options.databaseClock, options);
    this.#queue = new FairQueue(options.parallel);
  }

  get owner(): string {
    return this.#leases.owner;
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
  async round(): Promise<void> {
    await this.#checkOnce();
    await Promise.all(this.#running.values());
  }

  /** Starts nothing new, waits for running work, and releases the rows. */
  async end(): Promise<void> {
    this.#ended = true;
    clearInterval(this.#timer);
    await this.#checking;
    await Promise.all(this.#running.values());
    await this.#leases.release().catch(() => {});
  }

  #checkOnce(): Promise<void> {
    this.#checking ??= this.#startWork().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #startWork(): Promise<void> {
    const { monotonic, run, report } = this.#options;
    if (this.#ended) return;
    try {
      const beganAt = monotonic();
      const owned = await this.#leases.claimAndRenew();
      this.#leasedUntil = beganAt + this.#leases.safeMs;
      for (const { id, schoolId } of owned) {
        if (this.#running.has(id)) continue;
        const work = this.#queue
          .run([String(schoolId)], () => run(id, schoolId))
          .catch(report)
          .finally(() => this.#running.delete(id));
        this.#running.set(id, work);
      }
    } catch (error) {
      report(error);
    }
  }
}
