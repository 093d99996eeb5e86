import { setTimeout as pause } from 'node:timers/promises';
import type { Remote } from '../../server/test/remote.ts';

const retryMs = 50;

export interface Failure {
  readonly at: number;
  readonly what: string;
}

interface WritersOptions {
  readonly writers: number;
  readonly remote: Remote;
  readonly headers: Record<string, string>;
  readonly studentIds: readonly number[];
  /** Leaves the processors to the servers. */
  readonly pauseMs: number;
}

/** Gives points with idempotency keys and repeats each call until it succeeds, like a customer's program. */
export class KeyedWriters {
  readonly #options: WritersOptions;
  readonly #stop = new AbortController();
  readonly acknowledged: string[] = [];
  readonly failures: Failure[] = [];
  readonly #acknowledgedAt: number[] = [];
  readonly #done: Promise<unknown>;

  constructor(options: WritersOptions) {
    this.#options = options;
    this.#done = Promise.all(Array.from({ length: options.writers }, (_, index) => this.#write(index)));
  }

  longestPauseSince(moment: number): number {
    const times = [moment, ...this.#acknowledgedAt.filter((at) => at > moment)];
    return Math.max(...times.slice(1).map((at, index) => at - (times[index] as number)));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #write(writer: number): Promise<void> {
    const { studentIds, pauseMs } = this.#options;
    for (let n = 0; !this.#stop.signal.aborted; n++) {
      const key = `writer-${writer}-${n}`;
      const userId = studentIds[(writer * 31 + n) % studentIds.length];
      while (!(await this.#attempt(key, { userId, scoreChange: 1, description: key }))) await pause(retryMs);
      this.acknowledged.push(key);
      this.#acknowledgedAt.push(performance.now());
      await pause(pauseMs);
    }
  }

  async #attempt(key: string, body: object): Promise<boolean> {
    const headers = { ...this.#options.headers, 'idempotency-key': key };
    try {
      const answer = await this.#options.remote.call('POST', '/api/v1/scores', { headers, body });
      if (answer.status === 200) return true;
      this.failures.push({
        at: performance.now(),
        what: `${answer.status} ${answer.code} ${answer.message}`,
      });
    } catch (error) {
      this.failures.push({ at: performance.now(), what: String(error) });
    }
    return false;
  }
}
