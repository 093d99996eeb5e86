import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../errors/app-error.ts';

/** Attempts that may wait for one counter; more would only be refused later. */
const queueLengthMax = 500;
/** Longer than a password check can wait in its queue. */
const waitMsMax = 30_000;
const pollMs = 100;

interface AttemptQueue {
  count: number;
  lastLeft: Promise<void>;
  readonly onDecision: Set<() => void>;
}

/** Queues attempts at a full counter. The first in each queue looks again after a local decision and every 100 ms. */
export class WaitingAttempts {
  readonly #queues = new Map<string, AttemptQueue>();

  /** Retries until `reserve` returns null instead of a full counter. @throws AppError unavailable (queue too long) */
  async retryUntilReserved(reserve: () => Promise<string | null>): Promise<void> {
    const giveUpAt = performance.now() + waitMsMax;
    let full = await reserve();
    while (full !== null) full = await this.#waitInQueue(full, reserve, giveUpAt);
  }

  wake(counters: readonly string[]): void {
    for (const counter of counters) {
      for (const notify of this.#queues.get(counter)?.onDecision ?? []) notify();
    }
  }

  async #waitInQueue(
    counter: string,
    reserve: () => Promise<string | null>,
    giveUpAt: number,
  ): Promise<string | null> {
    const queue = this.#queues.get(counter) ?? {
      count: 0,
      lastLeft: Promise.resolve(),
      onDecision: new Set(),
    };
    if (queue.count >= queueLengthMax) throw unavailable();
    this.#queues.set(counter, queue);
    queue.count++;
    const previousLeft = queue.lastLeft;
    const left = Promise.withResolvers<void>();
    queue.lastLeft = left.promise;
    try {
      await previousLeft;
      for (;;) {
        const decision = this.#nextDecision(queue);
        try {
          const full = await reserve();
          if (full !== counter) return full;
          if (performance.now() > giveUpAt) throw unavailable();
          await decision.made;
        } finally {
          decision.forget();
        }
      }
    } finally {
      left.resolve();
      if (--queue.count === 0) this.#queues.delete(counter);
    }
  }

  /** Subscribes before the counter is read, so that no decision is missed. */
  #nextDecision({ onDecision }: AttemptQueue) {
    const made = Promise.withResolvers<void>();
    const late = new AbortController();
    pause(pollMs, undefined, { signal: late.signal }).then(made.resolve, () => {});
    onDecision.add(made.resolve);
    return {
      made: made.promise,
      forget: () => {
        onDecision.delete(made.resolve);
        late.abort();
      },
    };
  }
}
