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

  /** @param connections that may count at once, so that a counter which someone holds leaves the others to everything else */
  constructor(connections: number) {
    this.#connected = atMost(connections);
  }

  /**
   * Counts when its turn at all of the counters has come. Where another process has one for longer than a connection is kept
   * waiting, it tries again.
   *
   * @throws AppError unavailable (too many wait, or too long)
   */
  async inTurn<T>(counters: readonly string[], work: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + patienceMs;
    const own = [...new Set(counters)].map((counter) => {
      return [counter, this.#lanes.get(counter) ?? { count: 0, last: Promise.resolve() }] as const;
    });
    if (own.some(([, { count }]) => count >= waitingMax)) throw unavailable();
    const before = own.map(([, { last }]) => last);
    const gone = Promise.withResolvers<void>();
    for (const [counter, lane] of own) {
      lane.count++;
      lane.last = gone.promise;
      this.#lanes.set(counter, lane);
    }
    try {
      await Promise.all(before);
      for (;;) {
        try {
          return await this.atOnce(async () => {
            if (performance.now() > giveUpAt) throw unavailable();
            return work();
          });
        } catch (error) {
          if (!isLockTimeout(error)) throw error;
        }
      }
    } finally {
      gone.resolve();
      for (const [counter, lane] of own) if (--lane.count === 0) this.#lanes.delete(counter);
    }
  }

  /** Works out of turn, as soon as there is a connection: what ends an attempt does not wait for those that begin. */
  readonly atOnce = <T>(work: () => Promise<T>): Promise<T> => this.#connected(work);
}
