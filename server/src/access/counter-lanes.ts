import { unavailable } from '../app-error.ts';
import { atMost } from '../at-most.ts';
import { isLockTimeout } from '../database/transaction.ts';

/** Of those who want one counter; more would only find that they wait too long. */
const waitingMax = 1_000;
const patienceMs = 10_000;
interface Lane {
  count: number;
  /** The last one in it has gone. */
  last: Promise<void>;
}

/** Lets one count at a time at each counter of this process: the others would hold connections to wait for it. */
export class CounterLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #connected: ReturnType<typeof atMost>;
  /** Those who have met a counter that someone holds: they take one connection, however many counters are held. */
  readonly #again = atMost(1);

  /** @param connections that may count at once, so that a counter which someone holds leaves the others to everything else */
  constructor(connections: number) {
    this.#connected = atMost(connections);
  }

  /**
   * Counts when its turn at all of the counters has come. Where another process has one for longer than a connection is kept
   * waiting, it tries again, behind everybody who has come meanwhile.
   *
   * @param counters those of many last: nobody stands in their line who has to wait at one of the own
   * @throws AppError unavailable (too many wait, or too long)
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

  /** @returns what lets the next one in */
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

  /** Works out of turn, as soon as there is a connection: what ends an attempt does not wait for those that begin. */
  readonly atOnce = <T>(work: () => Promise<T>): Promise<T> => this.#connected(work);
}
