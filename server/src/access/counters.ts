import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { type DatabaseConnection, query } from '../database/connect.ts';
import { settleAll } from '../database/transaction.ts';
import { troubleOf } from '../database/trouble.ts';
import { AppError } from '../errors/app-error.ts';
import type { Clock } from '../time/clock.ts';
import { CounterQueues } from './counter-queues.ts';
import {
  addEvents,
  clearCounters,
  decideEvents,
  lockCounters,
  readRemembered,
  rememberEvent,
  removeEvents,
  removeExpiredEvents,
} from './counter-statements.ts';
import { FullCounters } from './full-counters.ts';
import { OutcomeWriter } from './outcome-writer.ts';
import type { Sealing } from './sealing.ts';
import { WaitingAttempts } from './waiting-attempts.ts';

export interface Counter {
  /** Stored only as a keyed hash: it may contain a password typed as a username. */
  readonly name: string;
  readonly limit: number;
  readonly limitGrowth?: { readonly counter: string; readonly perEvent: number; readonly max: number };
  /** Applies this counter only while the one before it holds fewer events. */
  readonly onlyIfPreviousBelow?: number;
}

/** An attempt without a stored outcome counts as failed this long after its reservation. */
const undecidedSecondsMax = 60;
/** Other processes hold a counter for a millisecond or two; a longer wait only occupies a connection. */
const lockWaitMs = 500;
const removeBatchSize = 5_000;

/** Does not wait for the disk: a database crash loses the last half second of counts. */
const begin = `BEGIN; SET LOCAL synchronous_commit TO off; SET LOCAL lock_timeout TO ${lockWaitMs}`;

export interface CountersOptions {
  readonly database: Pick<DatabaseConnection, 'acquire'>;
  readonly sealing: Pick<Sealing, 'keyedHash'>;
  readonly connectionsMax?: number;
  /** Replaces the database's clock in tests; null otherwise. */
  readonly databaseClock: Clock | null;
  readonly report: (error: unknown) => void;
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface TallyRow {
  /** Indexes of the counters without room; null when the events were added. */
  readonly fullOnes: readonly number[] | null;
  readonly waits: readonly (number | null)[];
}

interface AddResult {
  readonly fullIndex: number | null;
  /** Null when it depends on attempts that are still undecided. */
  readonly waitMs: number | null;
}

/** Counts events for all processes. An attempt reserves slots, which stay undecided until its outcome is stored. */
export class Counters {
  readonly #options: CountersOptions;
  readonly #waiting = new WaitingAttempts();
  readonly #queues: CounterQueues;
  readonly #full = new FullCounters();
  readonly #outcomes: OutcomeWriter;

  constructor(options: CountersOptions) {
    this.#options = options;
    this.#queues = new CounterQueues(options.connectionsMax ?? 3);
    this.#outcomes = new OutcomeWriter(options.report);
  }

  close(): void {
    this.#outcomes.close();
  }

  /** Counts an event and returns 0, or counts nothing and returns the milliseconds until there is room. */
  async count(counter: Counter, windowMs: number): Promise<number> {
    const { fullIndex, waitMs } = await this.#addEvents([counter], windowMs, [randomBytes(16)], false);
    return fullIndex === null ? 0 : Math.max(1, waitMs ?? 1);
  }

  /** Removes the events of counters, except undecided attempts. */
  async clear(names: readonly string[], windowMs: number): Promise<void> {
    await this.#queues.runQueued(names, () =>
      this.#inTransaction(names, [this.#clearStatement(names, windowMs)]),
    );
    this.#full.clear(names);
  }

  /**
   * Reserves slots in all counters before an attempt, so parallel attempts cannot exceed the limit. Waits while
   * undecided attempts hold the last slots. Name private counters first and shared ones last, as everywhere.
   * @param slots one per password that the attempt checks @throws AppError rate_limited; unavailable
   */
  async reserve(counters: readonly Counter[], windowMs: number, slots = 1): Promise<Reservation> {
    const events = Array.from({ length: slots }, () => randomBytes(16));
    await this.#waiting.retryUntilReserved(async () => {
      const { fullIndex, waitMs } = await this.#addEvents(counters, windowMs, events, true);
      if (fullIndex === null) return null;
      if (waitMs === null) return counters[fullIndex]?.name as string;
      const seconds = Math.ceil(waitMs / 1000);
      throw new AppError('rate_limited', `Too many failed attempts; try again in ${seconds} s`, seconds);
    });
    const names = counters.map(({ name }) => name);
    const own = [names.map(this.#hashOf), events];
    const end = async (now: readonly Statement[], late = now, alone: readonly string[] = []) => {
      const store = async (statements: readonly Statement[], locked: readonly string[]) => {
        await this.#queues.runNow(() => this.#inTransaction(locked, statements));
        this.#waiting.wake(names);
      };
      await this.#outcomes.write(
        () => store(now, alone),
        () => store(late, []),
      );
    };
    const removal = { text: removeEvents, values: own };
    return {
      fail: () => end([{ text: decideEvents, values: own }]),
      release: () => end([removal]),
      succeed: async (clear, remember) => {
        const kept = [removal, ...(remember ? [this.#rememberStatement(remember)] : [])];
        const cleared = clear.length > 0 ? [this.#clearStatement(clear, windowMs)] : [];
        // A late write clears nothing, because newer failures may have been counted since.
        await end([...kept, ...cleared], kept, clear);
        this.#full.clear(clear);
      },
    };
  }

  async remember(remembered: RememberedEvent): Promise<void> {
    await this.#queues.runNow(() => this.#inTransaction([], [this.#rememberStatement(remembered)]));
  }

  async whichRemembered(counter: string, events: readonly string[]): Promise<readonly boolean[]> {
    const reading = {
      text: readRemembered,
      values: [this.#testTime(), this.#hashOf(counter), events.map(this.#hashOf)],
    };
    const [read] = await this.#queues.runNow(() => this.#inTransaction([], [reading]));
    return (read?.rows[0] as { known: boolean[] | null } | undefined)?.known ?? [];
  }

  async removeExpired(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const removal = { text: removeExpiredEvents, values: [this.#testTime(), removeBatchSize] };
      const [removed] = await this.#queues.runNow(() => this.#inTransaction([], [removal]));
      if ((removed?.rowCount ?? 0) < removeBatchSize) return;
    }
  }

  async #addEvents(
    counters: readonly Counter[],
    windowMs: number,
    events: readonly Buffer[],
    undecided: boolean,
  ): Promise<AddResult> {
    const names = counters.map(({ name }) => name);
    const hashes = names.map(this.#hashOf);
    const removal = { text: removeEvents, values: [hashes, events] };
    const statement = {
      text: addEvents,
      values: [
        this.#testTime(),
        hashes,
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
    // The first caller in the queue finds out for all behind it that a counter is full.
    const known = () => {
      const waitMs = this.#full.waitMs(names, events.length);
      return waitMs > 0 ? { fullIndex: 0, waitMs } : null;
    };
    return (
      known() ??
      this.#queues.runQueued(names, async () => {
        const found = known();
        if (found) return found;
        const [result] = await this.#inTransaction(names, [statement], (error) => {
          // The commit may have succeeded although its answer was lost.
          const remove = () => this.#queues.runNow(() => this.#inTransaction([], [removal]));
          this.#outcomes.retryLater(remove, error);
        });
        const { fullOnes, waits } = (result as pg.QueryResult<TallyRow>).rows[0] as TallyRow;
        if (fullOnes === null) return { fullIndex: null, waitMs: null };
        for (const [i, n] of fullOnes.entries()) {
          const { name, onlyIfPreviousBelow } = counters[n] as Counter;
          const waitMs = waits[i] ?? 0;
          // A test clock differs from this process's clock, and a conditional counter is full for some callers only.
          const isLasting = onlyIfPreviousBelow === undefined && this.#options.databaseClock === null;
          if (isLasting && waitMs > 0) this.#full.remember(name, waitMs, events.length);
        }
        const lasting = waits.filter((wait) => wait !== null);
        return { fullIndex: fullOnes[0] as number, waitMs: lasting.length > 0 ? Math.max(...lasting) : null };
      })
    );
  }

  async #inTransaction(
    lockedCounters: readonly string[],
    statements: readonly Statement[],
    onUnknownOutcome?: (error: unknown) => void,
  ) {
    const locks = lockedCounters.map((name) => this.#hashOf(name).readBigInt64BE());
    const client = await this.#options.database.acquire(false);
    let broken: Error | undefined;
    try {
      const begun = query(client, begin);
      const locked = locks.length > 0 ? query(client, lockCounters, [locks.map(String)]) : null;
      const answers = statements.map(({ text, values }) => query(client, text, values));
      await settleAll([begun, locked, ...answers, query(client, 'COMMIT')]);
      return await Promise.all(answers);
    } catch (error) {
      broken = error as Error;
      if (troubleOf(error) === 'away') onUnknownOutcome?.(error);
      throw error;
    } finally {
      client.release(broken);
    }
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

/** Holds slots in each counter until one of these methods is called. None of them rejects. */
export interface Reservation {
  fail(): Promise<void>;
  release(): Promise<void>;
  /** Releases the slots and clears the named counters. */
  succeed(clear: readonly string[], remember?: RememberedEvent): Promise<void>;
}
