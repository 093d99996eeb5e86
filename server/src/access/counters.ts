import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { type DatabaseConnection, query } from '../database/connect.ts';
import { together } from '../database/transaction.ts';
import { troubleOf } from '../database/trouble.ts';
import { CounterLanes } from './counter-lanes.ts';
import {
  addEvents,
  decideEvents,
  forgetCounters,
  lockCounters,
  readRemembered,
  rememberEvent,
  removeEvents,
  removeExpiredEvents,
} from './counter-statements.ts';
import { FullCounters } from './full-counters.ts';
import type { Sealing } from './sealing.ts';
import { Settlements } from './settlements.ts';
import { WaitingAttempts } from './waiting-attempts.ts';

/** Limits how many events may happen within a window. */
export interface Counter {
  /** Only its hash is stored: a person may have typed a password into the name field. */
  readonly name: string;
  readonly bound: number;
  readonly raised?: { readonly by: string; readonly each: number; readonly to: number };
  /** Applies this counter only while the one before it holds fewer events. */
  readonly below?: number;
}

/** An attempt whose process reports no outcome for this long counts as failed. */
const patienceSeconds = 60;
/** Other processes hold a counter for a millisecond or two; a longer wait only occupies a connection. */
const lockWaitMs = 500;
const removedAtOnce = 5_000;

/** Does not wait for the disk: a database crash loses the last half second of counts. */
const begin = `BEGIN; SET LOCAL synchronous_commit TO off; SET LOCAL lock_timeout TO ${lockWaitMs}`;

export interface CountersOptions {
  readonly database: Pick<DatabaseConnection, 'acquire'>;
  readonly sealing: Pick<Sealing, 'nameless'>;
  readonly connections?: number;
  /** Replaces the database's clock in tests; null otherwise. */
  readonly databaseClock: Clock | null;
  readonly report: (error: unknown) => void;
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Tallied {
  /** Indexes of the counters without room; null when the events were added. */
  readonly fullOnes: readonly number[] | null;
  /** Milliseconds for each of them. */
  readonly waits: readonly (number | null)[];
}

interface Added {
  readonly full: number | null;
  /** Null when it depends on attempts that are still undecided. */
  readonly waitMs: number | null;
}

/** Counts limited events for all processes of an installation together. */
export class Counters {
  readonly #options: CountersOptions;
  readonly #waiting = new WaitingAttempts();
  readonly #lanes: CounterLanes;
  readonly #full = new FullCounters();
  readonly #settlements: Settlements;

  constructor(options: CountersOptions) {
    this.#options = options;
    this.#lanes = new CounterLanes(options.connections ?? 3);
    this.#settlements = new Settlements(options.report);
  }

  close(): void {
    this.#settlements.close();
  }

  /** Counts an event. Returns 0, or the milliseconds until a full counter has room. */
  async count(counter: Counter, windowMs: number): Promise<number> {
    const { full, waitMs } = await this.#add([counter], windowMs, [randomBytes(16)], false);
    return full === null ? 0 : Math.max(1, waitMs ?? 1);
  }

  /** Clears counters, except for undecided attempts. */
  async forget(names: readonly string[], windowMs: number): Promise<void> {
    await this.#lanes.inTurn(names, () => this.#inTransaction(names, [this.#forgetting(names, windowMs)]));
    this.#full.forget(names);
  }

  /**
   * Reserves a slot in every counter before an attempt, so parallel attempts cannot exceed the limit. Waits while
   * undecided attempts hold the last slots.
   *
   * @param counters shared ones last and in the same order everywhere: a caller that waits for its own counter blocks
   * nobody
   * @param times failures that the attempt counts as when it fails
   * @throws AppError rate_limited; unavailable (too many attempts wait, or for too long)
   */
  async reserve(counters: readonly Counter[], windowMs: number, times = 1): Promise<Reservation> {
    const events = Array.from({ length: times }, () => randomBytes(16));
    await this.#waiting.untilRoom(async () => {
      const { full, waitMs } = await this.#add(counters, windowMs, events, true);
      if (full === null) return null;
      if (waitMs === null) return counters[full]?.name as string;
      const seconds = Math.ceil(waitMs / 1000);
      throw new AppError('rate_limited', `Too many failed attempts; try again in ${seconds} s`, seconds);
    });
    const names = counters.map(({ name }) => name);
    const own = [names.map(this.#hash), events];
    const end = async (now: readonly Statement[], late = now, alone: readonly string[] = []) => {
      const store = async (statements: readonly Statement[], locked: readonly string[]) => {
        await this.#lanes.atOnce(() => this.#inTransaction(locked, statements));
        this.#waiting.decided(names);
      };
      await this.#settlements.settle(
        () => store(now, alone),
        () => store(late, []),
      );
    };
    const removal = { text: removeEvents, values: own };
    return {
      fail: () => end([{ text: decideEvents, values: own }]),
      undo: () => end([removal]),
      succeed: async (clear, remember) => {
        const kept = [removal, ...(remember ? [this.#remembering(remember)] : [])];
        const cleared = clear.length > 0 ? [this.#forgetting(clear, windowMs)] : [];
        // A late write clears nothing, because newer failures may have been counted since.
        await end([...kept, ...cleared], kept, clear);
        this.#full.forget(clear);
      },
    };
  }

  async remember(remembered: Remembered): Promise<void> {
    await this.#lanes.atOnce(() => this.#inTransaction([], [this.#remembering(remembered)]));
  }

  async remembered(counter: string, events: readonly string[]): Promise<readonly boolean[]> {
    const reading = {
      text: readRemembered,
      values: [this.#moment(), this.#hash(counter), events.map(this.#hash)],
    };
    const [read] = await this.#lanes.atOnce(() => this.#inTransaction([], [reading]));
    return (read?.rows[0] as { known: boolean[] | null } | undefined)?.known ?? [];
  }

  async removeExpired(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const removal = { text: removeExpiredEvents, values: [this.#moment(), removedAtOnce] };
      const [removed] = await this.#lanes.atOnce(() => this.#inTransaction([], [removal]));
      if ((removed?.rowCount ?? 0) < removedAtOnce) return;
    }
  }

  async #add(
    counters: readonly Counter[],
    windowMs: number,
    events: readonly Buffer[],
    undecided: boolean,
  ): Promise<Added> {
    const names = counters.map(({ name }) => name);
    const hashes = names.map(this.#hash);
    const removal = { text: removeEvents, values: [hashes, events] };
    const statement = {
      text: addEvents,
      values: [
        this.#moment(),
        hashes,
        counters.map(({ bound }) => bound),
        counters.map(({ raised }) => (raised ? this.#hash(raised.by) : null)),
        counters.map(({ raised }) => raised?.each ?? null),
        counters.map(({ raised }) => raised?.to ?? null),
        counters.map(({ below }) => below ?? null),
        windowMs / 1000,
        patienceSeconds,
        events,
        undecided,
      ],
    };
    // The first caller in the queue finds out for all behind it that a counter is full.
    const known = () => {
      const waitMs = this.#full.waitMs(names, events.length);
      return waitMs > 0 ? { full: 0, waitMs } : null;
    };
    return (
      known() ??
      this.#lanes.inTurn(names, async () => {
        const found = known();
        if (found) return found;
        const [result] = await this.#inTransaction(names, [statement], (error) => {
          // The commit may have succeeded although its answer was lost.
          const remove = () => this.#lanes.atOnce(() => this.#inTransaction([], [removal]));
          this.#settlements.later(remove, error);
        });
        const { fullOnes, waits } = (result as pg.QueryResult<Tallied>).rows[0] as Tallied;
        if (fullOnes === null) return { full: null, waitMs: null };
        for (const [i, n] of fullOnes.entries()) {
          const { name, below } = counters[n] as Counter;
          const waitMs = waits[i] ?? 0;
          // A test clock differs from this process's clock, and a conditional counter is full for some callers only.
          const isLasting = below === undefined && this.#options.databaseClock === null;
          if (isLasting && waitMs > 0) this.#full.remember(name, waitMs, events.length);
        }
        const lasting = waits.filter((wait) => wait !== null);
        return { full: fullOnes[0] as number, waitMs: lasting.length > 0 ? Math.max(...lasting) : null };
      })
    );
  }

  /** Sends a whole transaction in one round trip. @param lost called when the outcome of the commit is unknown */
  async #inTransaction(
    alone: readonly string[],
    statements: readonly Statement[],
    lost?: (error: unknown) => void,
  ) {
    const locks = alone.map((name) => this.#hash(name).readBigInt64BE());
    const client = await this.#options.database.acquire(false);
    let broken: Error | undefined;
    try {
      const begun = query(client, begin);
      const locked = locks.length > 0 ? query(client, lockCounters, [locks.map(String)]) : null;
      const answers = statements.map(({ text, values }) => query(client, text, values));
      await together([begun, locked, ...answers, query(client, 'COMMIT')]);
      return await Promise.all(answers);
    } catch (error) {
      broken = error as Error;
      if (troubleOf(error) === 'away') lost?.(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  readonly #hash = (name: string): Buffer => this.#options.sealing.nameless('counters', name).subarray(0, 16);

  #moment(): string | null {
    return this.#options.databaseClock?.().toISOString() ?? null;
  }

  #forgetting(names: readonly string[], windowMs: number): Statement {
    const hashes = names.map(this.#hash);
    return {
      text: forgetCounters,
      values: [this.#moment(), hashes, windowMs / 1000, patienceSeconds],
    };
  }

  #remembering({ counter, event, windowMs }: Remembered): Statement {
    const named = [this.#hash(counter), this.#hash(event)];
    return { text: rememberEvent, values: [this.#moment(), ...named, windowMs / 1000] };
  }
}

/** Describes an event that a counter stores once, however often it happens. */
export interface Remembered {
  readonly counter: string;
  readonly event: string;
  readonly windowMs: number;
}

/** Holds a slot in each counter until one of these methods is called. None of them rejects. */
export interface Reservation {
  fail(): Promise<void>;
  undo(): Promise<void>;
  /** Releases the slots and clears the named counters. */
  succeed(clear: readonly string[], remember?: Remembered): Promise<void>;
}
