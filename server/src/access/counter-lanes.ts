import { unavailable } from '../app-error.ts';
import { atMost } from '../at-most.ts';
import { isLockTimeout } from '../database/transaction.ts';

/** Callers that may wait for one counter; more would only time out. */
const waitingMax = 1_000;
const patienceMs = 10_000;
interface Lane {
  count: number;
  last: Promise<void>;
}

/**
 * Admits one caller at a time to each counter of this process, so that waiting callers hold no database connections.
 */
export class CounterLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #connected: ReturnType<typeof atMost>;
  /** Retries at locked counters share one connection, however many counters are locked. */
  readonly #again = atMost(1);

  constructor(connections: number) {
    this.#connected = atMost(connections);
  }

  /**
   * Runs work once the caller is first in the queue of every counter. When another process holds a lock for too long,
   * the caller goes to the end of the queue and retries.
   *
   * @param counters shared ones last: a caller that waits for its own counter does not block the shared queue
   * @throws AppError unavailable (too many callers wait, or for too long)
   */
  async inTurn<T>(counters: readonly string[], work: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + patienceMs;
    const once = () => this.#once(counters, giveUpAt, work);
    for (let attempt = once; ; attempt = () => this.#again(once)) {
      try {
        return await attempt();
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
      }
    }
  }

  async #once<T>(counters: readonly string[], giveUpAt: number, work: () => Promise<T>): Promise<T> {
    const leaving: (() => void)[] = [];
    try {
      for (const counter of new Set(counters)) leaving.push(await this.#enter(counter));
      return await this.atOnce(async () => {
        if (performance.now() > giveUpAt) throw unavailable();
        return work();
      });
    } finally {
      for (const leave of leaving) leave();
    }
  }

  /** Waits for the caller's turn and returns the function that ends it. */
  async #enter(counter: string): Promise<() => void> {
    const lane = this.#lanes.get(counter) ?? { count: 0, last: Promise.resolve() };
    if (lane.count >= waitingMax) throw unavailable();
    const before = lane.last;
    const gone = Promise.withResolvers<void>();
    lane.count++;
    lane.last = gone.promise;
    this.#lanes.set(counter, lane);
    await before;
    return () => {
      gone.resolve();
      if (--lane.count === 0) this.#lanes.delete(counter);
    };
  }

  /** Runs work without queueing, so that outcomes of attempts do not wait behind new attempts. */
  readonly atOnce = <T>(work: () => Promise<T>): Promise<T> => this.#connected(work);
}
