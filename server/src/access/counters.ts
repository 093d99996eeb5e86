import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { FairQueue } from '../concurrency/fair-queue.ts';
import { type DatabaseConnection, query, useConnection } from '../database/connect.ts';
import { poolQueueLimits } from '../database/pool-sizes.ts';
import { settleAll } from '../database/transaction.ts';
import { AppError } from '../errors/app-error.ts';
import type { Clock } from '../time/clock.ts';
import {
  addEvents,
  clearCounters,
  findRememberedEvents,
  lockCounters,
  markEventsFailed,
  rememberEvent,
  removeEvents,
  removeExpiredEvents,
} from './counter-statements.ts';
import type { Sealing } from './sealing.ts';

export interface Counter {
  /** Stored only as a keyed hash, because people sometimes type their password as the username. */
  readonly name: string;
  readonly limit: number;
  readonly limitGrowth?: { readonly counter: string; readonly perEvent: number; readonly max: number };
  /** The counter applies only while the counter before it in the list holds fewer events than this. */
  readonly onlyIfPreviousBelow?: number;
}

/** An attempt without a stored outcome counts as failed this long after it was counted. */
const undecidedSecondsMax = 60;
/** The wait for a caller when a counter is full only because of attempts without an outcome. */
const undecidedWaitMs = 1_000;
/** A statement waits this long for a counter that another process locks, usually for a millisecond or two. */
const lockWaitMs = 500;
/** An answer waits at most this long until the attempt's outcome is stored. */
const outcomeWaitMs = 2_000;
/** Pauses between tries to store an outcome. If the last try fails, the attempt counts as failed. */
const retryPausesMs = [1_000, 4_000, 15_000, 30_000];
const removeBatchSize = 5_000;

export interface CountersOptions {
  readonly database: Pick<DatabaseConnection, 'acquire'>;
  readonly sealing: Pick<Sealing, 'keyedHash'>;
  readonly connectionsMax?: number;
  /** Replaces the database's clock in tests; null otherwise. */
  readonly databaseClock: Clock | null;
  /** Receives the error of each failed try to store an outcome. */
  readonly report: (error: unknown) => void;
  readonly retryPausesMs?: readonly number[];
  readonly lockWaitMs?: number;
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface TallyRow {
  /** Indexes of the counters without room; null when the events were added. */
  readonly fullIndexes: readonly number[] | null;
  readonly waits: readonly (number | null)[];
}

/** Counts events of all processes. An attempt is counted before it is checked, and removed if it succeeds. */
export class Counters {
  readonly #options: CountersOptions;
  /** Runs the counts of one address one after another, so that a flood of calls from there uses only one connection. */
  readonly #queue: FairQueue;
  readonly #full = new FullCounters();
  /** Does not wait for the disk at the commit, so a crash of the database can lose the last half second of counts. */
  readonly #begin: string;

  constructor(options: CountersOptions) {
    this.#options = options;
    const wait = options.lockWaitMs ?? lockWaitMs;
    this.#begin = `BEGIN; SET LOCAL synchronous_commit TO off; SET LOCAL lock_timeout TO ${wait}`;
    this.#queue = new FairQueue({
      concurrency: options.connectionsMax ?? 3,
      perKey: 1,
      ...poolQueueLimits,
    });
  }

  /** Counts an event and returns 0, or counts nothing and returns the milliseconds until there is room. */
  count(counter: Counter, windowMs: number): Promise<number> {
    return this.#addEvents([counter], windowMs, [randomBytes(16)], false);
  }

  /** Removes the events of counters, except undecided attempts. */
  async clear(names: readonly string[], windowMs: number): Promise<void> {
    await this.#runUrgent(names, [this.#clearStatement(names, windowMs)]);
    this.#full.clear(names);
  }

  /**
   * Counts an attempt in all counters before it is checked, so parallel attempts cannot exceed a limit. Locks counters
   * in the given order. To avoid deadlocks, name counters of one account first and shared ones last.
   * @param passwords how many the attempt checks; each counts @throws AppError rate_limited; unavailable
   */
  async countAttempt(counters: readonly Counter[], windowMs: number, passwords = 1): Promise<CountedAttempt> {
    const events = Array.from({ length: passwords }, () => randomBytes(16));
    const waitMs = await this.#addEvents(counters, windowMs, events, true);
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new AppError('rate_limited', `Too many attempts; try again in ${seconds} s`, seconds);
    }
    const own = [counters.map(({ name }) => this.#hashOf(name)), events];
    const removal: Statement = { text: removeEvents, values: own };
    const end = async (statements: readonly Statement[], locked: readonly string[] = []) => {
      const tried = this.#runUrgent(locked, statements).catch((error: unknown) => {
        this.#options.report(error);
        void this.#retry(locked, statements);
      });
      await Promise.race([tried, pause(outcomeWaitMs, undefined, { ref: false })]);
    };
    return {
      fail: () => end([{ text: markEventsFailed, values: own }]),
      cancel: () => end([removal]),
      succeed: async (clear, remembered) => {
        const statements = [removal];
        if (remembered) statements.push(this.#rememberStatement(remembered));
        if (clear.length > 0) statements.push(this.#clearStatement(clear, windowMs));
        await end(statements, clear);
        this.#full.clear(clear);
      },
    };
  }

  async remember(remembered: RememberedEvent): Promise<void> {
    await this.#runUrgent([], [this.#rememberStatement(remembered)]);
  }

  async areRemembered(counter: string, events: readonly string[]): Promise<readonly boolean[]> {
    const reading = {
      text: findRememberedEvents,
      values: [this.#testTime(), this.#hashOf(counter), events.map(this.#hashOf)],
    };
    const [read] = await this.#runUrgent([], [reading]);
    return (read?.rows[0] as { known: boolean[] | null } | undefined)?.known ?? [];
  }

  async removeExpired(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const removal = { text: removeExpiredEvents, values: [this.#testTime(), removeBatchSize] };
      const [removed] = await this.#runUrgent([], [removal]);
      if ((removed?.rowCount ?? 0) < removeBatchSize) return;
    }
  }

  /** Adds the events to all counters and returns 0, or adds none and returns the milliseconds until there is room. */
  async #addEvents(
    counters: readonly Counter[],
    windowMs: number,
    events: readonly Buffer[],
    undecided: boolean,
  ): Promise<number> {
    const names = counters.map(({ name }) => name);
    const statement = {
      text: addEvents,
      values: [
        this.#testTime(),
        names.map(this.#hashOf),
        counters.map(({ limit }) => limit),
        counters.map(({ limitGrowth }) => (limitGrowth ? this.#hashOf(limitGrowth.counter) : null)),
        counters.map(({ limitGrowth }) => limitGrowth?.perEvent ?? null),
        counters.map(({ limitGrowth }) => limitGrowth?.max ?? null),
        counters.map(({ onlyIfPreviousBelow }) => onlyIfPreviousBelow ?? null),
        windowMs / 1000,
        undecidedSecondsMax,
        events,
        undecided,
      ],
    };
    const known = this.#full.waitMs(names, events.length);
    if (known > 0) return known;
    const [ownCounter = ''] = names;
    return this.#queue.run([names.at(-1) ?? '', ownCounter], async () => {
      // An earlier call in the queue may have found a counter full; then this call needs no query.
      const found = this.#full.waitMs(names, events.length);
      if (found > 0) return found;
      const [result] = await this.#inTransaction(names, [statement]);
      const { fullIndexes, waits } = (result as pg.QueryResult<TallyRow>).rows[0] as TallyRow;
      if (fullIndexes === null) return 0;
      for (const [i, n] of fullIndexes.entries()) {
        const { name, onlyIfPreviousBelow } = counters[n] as Counter;
        const waitMs = waits[i] ?? 0;
        // Remembers only real-time waits of unconditional counters: a conditional one is full for some callers only.
        const isLasting = onlyIfPreviousBelow === undefined && this.#options.databaseClock === null;
        if (isLasting && waitMs > 0) this.#full.remember(name, waitMs, events.length);
      }
      return Math.max(...waits.map((wait) => wait ?? undecidedWaitMs));
    });
  }

  async #retry(locked: readonly string[], statements: readonly Statement[]): Promise<void> {
    for (const pauseMs of this.#options.retryPausesMs ?? retryPausesMs) {
      await pause(pauseMs, undefined, { ref: false });
      try {
        await this.#runUrgent(locked, statements);
        return;
      } catch (error) {
        this.#options.report(error);
      }
    }
  }

  /** Runs before waiting attempts, because a success removes events and so makes room for them. */
  #runUrgent(lockedCounters: readonly string[], statements: readonly Statement[]) {
    return this.#queue.run([''], () => this.#inTransaction(lockedCounters, statements), { urgent: true });
  }

  async #inTransaction(lockedCounters: readonly string[], statements: readonly Statement[]) {
    const locks = lockedCounters.map((name) => this.#hashOf(name).readBigInt64BE());
    return useConnection(await this.#options.database.acquire(false), async (client) => {
      const begun = query(client, this.#begin);
      const locked = locks.length > 0 ? query(client, lockCounters, [locks.map(String)]) : null;
      const answers = statements.map(({ text, values }) => query(client, text, values));
      await settleAll([begun, locked, ...answers, query(client, 'COMMIT')]);
      return Promise.all(answers);
    });
  }

  readonly #hashOf = (name: string): Buffer =>
    this.#options.sealing.keyedHash('counters', name).subarray(0, 16);

  #testTime(): string | null {
    return this.#options.databaseClock?.().toISOString() ?? null;
  }

  #clearStatement(names: readonly string[], windowMs: number): Statement {
    const hashes = names.map(this.#hashOf);
    return {
      text: clearCounters,
      values: [this.#testTime(), hashes, windowMs / 1000, undecidedSecondsMax],
    };
  }

  #rememberStatement({ counter, event, windowMs }: RememberedEvent): Statement {
    const named = [this.#hashOf(counter), this.#hashOf(event)];
    return { text: rememberEvent, values: [this.#testTime(), ...named, windowMs / 1000] };
  }
}

export interface RememberedEvent {
  readonly counter: string;
  readonly event: string;
  readonly windowMs: number;
}

/** Call one of these methods when the attempt has ended. None of them rejects. */
export interface CountedAttempt {
  fail(): Promise<void>;
  /** Removes the attempt from the counters, for example after a database error. */
  cancel(): Promise<void>;
  /** Cancels the attempt and clears the named counters. */
  succeed(clear: readonly string[], remembered?: RememberedEvent): Promise<void>;
}

/** Forgets a full counter this soon, because another process may have cleared it. */
const rememberedMs = 1_000;
const rememberedMax = 10_000;

interface FullCounter {
  readonly rememberedAt: number;
  readonly waitMs: number;
  /** How many events were refused at once; fewer may still fit. */
  readonly refusedEvents: number;
}

/** Remembers full counters for a second, so that a flood of refused attempts rarely queries the database. */
export class FullCounters {
  readonly #full = new Map<string, FullCounter>();

  remember(counter: string, waitMs: number, refusedEvents: number): void {
    this.#full.delete(counter);
    this.#full.set(counter, { rememberedAt: performance.now(), waitMs, refusedEvents });
    if (this.#full.size <= rememberedMax) return;
    for (const oldest of this.#full.keys()) {
      this.#full.delete(oldest);
      return;
    }
  }

  waitMs(counters: readonly string[], events: number): number {
    const waits = counters.map((counter) => {
      const full = this.#full.get(counter);
      if (full === undefined || events < full.refusedEvents) return 0;
      const sinceMs = performance.now() - full.rememberedAt;
      if (sinceMs < Math.min(full.waitMs, rememberedMs)) return full.waitMs - sinceMs;
      this.#full.delete(counter);
      return 0;
    });
    return Math.max(0, ...waits);
  }

  clear(counters: readonly string[]): void {
    for (const counter of counters) this.#full.delete(counter);
  }
}
