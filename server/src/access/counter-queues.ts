import { atMost } from '../concurrency/at-most.ts';
import { isLockTimeout } from '../database/transaction.ts';
import { unavailable } from '../errors/app-error.ts';

/** Callers that may wait for one counter; more would only time out. */
const queueLengthMax = 1_000;
const waitMsMax = 10_000;
interface Queue {
  count: number;
  lastLeft: Promise<void>;
}

/** Admits one caller at a time to each counter, so that waiting callers hold no database connections. */
export class CounterQueues {
  readonly #queues = new Map<string, Queue>();
  readonly #limitConnections: ReturnType<typeof atMost>;
  /** One caller at a time retries, so retries at locked counters occupy one connection. */
  readonly #limitRetries = atMost(1);

  constructor(connections: number) {
    this.#limitConnections = atMost(connections);
  }

  /** List shared counters last: callers that wait for a private one hold up no others. @throws AppError unavailable */
  async runQueued<T>(counters: readonly string[], work: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + waitMsMax;
    const once = () => this.#tryOnce(counters, giveUpAt, work);
    for (let attempt = once; ; attempt = () => this.#limitRetries(once)) {
      try {
        return await attempt();
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
      }
    }
  }

  async #tryOnce<T>(counters: readonly string[], giveUpAt: number, work: () => Promise<T>): Promise<T> {
    const releases: (() => void)[] = [];
    try {
      for (const counter of new Set(counters)) releases.push(await this.#waitForTurn(counter));
      return await this.runNow(async () => {
        if (performance.now() > giveUpAt) throw unavailable();
        return work();
      });
    } finally {
      for (const release of releases) release();
    }
  }

  async #waitForTurn(counter: string): Promise<() => void> {
    const queue = this.#queues.get(counter) ?? { count: 0, lastLeft: Promise.resolve() };
    if (queue.count >= queueLengthMax) throw unavailable();
    const previousLeft = queue.lastLeft;
    const left = Promise.withResolvers<void>();
    queue.count++;
    queue.lastLeft = left.promise;
    this.#queues.set(counter, queue);
    await previousLeft;
    return () => {
      left.resolve();
      if (--queue.count === 0) this.#queues.delete(counter);
    };
  }

  /** Runs work ahead of the queue, so that the outcome of an attempt overtakes new attempts. */
  readonly runNow = <T>(work: () => Promise<T>): Promise<T> => this.#limitConnections(work);
}
