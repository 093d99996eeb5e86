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

/** Bears so many events within a window. */
export interface Counter {
  /** What is counted. Only its hash is stored: a name may be a password that was typed in the wrong place. */
  readonly name: string;
  readonly bound: number;
  /** Its bound grows with the events of another counter. */
  readonly raised?: { readonly by: string; readonly each: number; readonly to: number };
  /** It counts only while the counter before it bears less than this. */
  readonly below?: number;
}

/** A process that has not told for so long how an attempt ended will not tell any more: it counts as failed. */
const patienceSeconds = 60;
/** Others have a counter for a millisecond or two; who waits longer holds a connection for nothing. */
const lockWaitMs = 500;
const removedAtOnce = 5_000;

/**
 * Begins the transaction of a count. Nobody has to wait until it is on the disk: what a crash of the database loses is
 * the last half second.
 */
const begin = `BEGIN; SET LOCAL synchronous_commit TO off; SET LOCAL lock_timeout TO ${lockWaitMs}`;

export interface CountersOptions {
  readonly database: Pick<DatabaseConnection, 'acquire'>;
  readonly sealing: Pick<Sealing, 'nameless'>;
  /** How many of its connections may count at once; three unless given. */
  readonly connections?: number;
  /** Stands for the clock of the database, in tests; null otherwise. */
  readonly databaseClock: Clock | null;
  /** Told when the end of an attempt could not be stored, also later. */
  readonly report: (error: unknown) => void;
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Tallied {
  /** Which counters have no room; null where the events were added. */
  readonly fullOnes: readonly number[] | null;
  /** Of each of them. */
  readonly waits: readonly (number | null)[];
}

interface Added {
  /** Which counter has no room; null where the events were added. */
  readonly full: number | null;
  /** Until it is worth another try; null where that follows from attempts that are being decided. */
  readonly waitMs: number | null;
}

/** Counts what may happen only so often, for all processes of an installation together. */
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

  /** Gives up storing the ends of attempts that could not be stored. */
  close(): void {
    this.#settlements.close();
  }

  /**
   * Counts an event, unless the counter is full. Another process may have forgotten for a second what it bears.
   *
   * @returns milliseconds until it has room; 0 where the event was counted
   */
  async count(counter: Counter, windowMs: number): Promise<number> {
    const { full, waitMs } = await this.#add([counter], windowMs, [randomBytes(16)], false);
    return full === null ? 0 : Math.max(1, waitMs ?? 1);
  }

  /** Forgets all that some counters bear, save what is being decided. */
  async forget(names: readonly string[], windowMs: number): Promise<void> {
    await this.#lanes.inTurn(names, () => this.#inTransaction(names, [this.#forgetting(names, windowMs)]));
    this.#full.forget(names);
  }

  /**
   * Takes room for an attempt at all of some counters, before it is made: so that a burst gets no further than a series
   * does, at whichever process. Where attempts that are being decided take the room, their end is waited for.
   *
   * @param counters those of many last, in one order for all: whoever waits for an own one holds up no one else
   * @param times as how many failures it counts when it fails
   * @throws AppError rate_limited; unavailable (too many wait, or too long)
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
        // What is stored late clears nothing: it may have failed again since.
        await end([...kept, ...cleared], kept, clear);
        this.#full.forget(clear);
      },
    };
  }

  /** Remembers an event of a counter from now on. */
  async remember(remembered: Remembered): Promise<void> {
    await this.#lanes.atOnce(() => this.#inTransaction([], [this.#remembering(remembered)]));
  }

  /** @returns of each event whether the counter remembers it */
  async remembered(counter: string, events: readonly string[]): Promise<readonly boolean[]> {
    const reading = {
      text: readRemembered,
      values: [this.#moment(), this.#hash(counter), events.map(this.#hash)],
    };
    const [read] = await this.#lanes.atOnce(() => this.#inTransaction([], [reading]));
    return (read?.rows[0] as { known: boolean[] | null } | undefined)?.known ?? [];
  }

  /** Removes what is past its time. @param stop ends the work after the batch under way */
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
    // Those who stand in line find it out for all behind them.
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
          // Its answer may have been lost after it was done.
          const remove = () => this.#lanes.atOnce(() => this.#inTransaction([], [removal]));
          this.#settlements.later(remove, error);
        });
        const { fullOnes, waits } = (result as pg.QueryResult<Tallied>).rows[0] as Tallied;
        if (fullOnes === null) return { full: null, waitMs: null };
        for (const [i, n] of fullOnes.entries()) {
          const { name, below } = counters[n] as Counter;
          const waitMs = waits[i] ?? 0;
          // The moments of a clock in tests are others than those of this process. What counts for some only is asked.
          const isLasting = below === undefined && this.#options.databaseClock === null;
          if (isLasting && waitMs > 0) this.#full.remember(name, waitMs, events.length);
        }
        const lasting = waits.filter((wait) => wait !== null);
        return { full: fullOnes[0] as number, waitMs: lasting.length > 0 ? Math.max(...lasting) : null };
      })
    );
  }

  /**
   * Sends a whole transaction at once: it takes one exchange with the database.
   *
   * @param alone counters at which no one else is to count meanwhile, those of many last
   * @param lost told where nobody knows whether it was done
   * @returns what its statements answered
   */
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

/** An event that a counter bears once, however often it happens. */
export interface Remembered {
  readonly counter: string;
  readonly event: string;
  readonly windowMs: number;
}

/** Room for an attempt, until one of these is called. None of them rejects. */
export interface Reservation {
  fail(): Promise<void>;
  /** It counts for nothing. */
  undo(): Promise<void>;
  /** It counts for nothing, and so does what the counters of these names bear. */
  succeed(clear: readonly string[], remember?: Remembered): Promise<void>;
}
