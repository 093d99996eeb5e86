import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../app-error.ts';

/** Attempts that may wait for one counter; more would only be refused later. */
const waitingMax = 500;
/** Longer than a password check can wait in its queue. */
const patienceMs = 30_000;
const askAgainMs = 100;

interface Waiting {
  count: number;
  last: Promise<void>;
  readonly decided: Set<() => void>;
}

/**
 * Queues attempts while undecided attempts fill a counter. Only the first in each queue looks for a free slot. It looks
 * when this process decides an attempt, and every 100 ms, since another process may have decided one.
 */
export class WaitingAttempts {
  readonly #lines = new Map<string, Waiting>();

  /** Retries until `reserve` returns null instead of a full counter. @throws AppError unavailable (queue too long) */
  async untilRoom(ask: () => Promise<string | null>): Promise<void> {
    const giveUpAt = performance.now() + patienceMs;
    let full = await ask();
    while (full !== null) full = await this.#standIn(full, ask, giveUpAt);
  }

  decided(counters: readonly string[]): void {
    for (const counter of counters) {
      for (const tell of this.#lines.get(counter)?.decided ?? []) tell();
    }
  }

  async #standIn(
    counter: string,
    ask: () => Promise<string | null>,
    giveUpAt: number,
  ): Promise<string | null> {
    const line = this.#lines.get(counter) ?? { count: 0, last: Promise.resolve(), decided: new Set() };
    if (line.count >= waitingMax) throw unavailable();
    this.#lines.set(counter, line);
    line.count++;
    const before = line.last;
    const gone = Promise.withResolvers<void>();
    line.last = gone.promise;
    try {
      await before;
      for (;;) {
        const decision = this.#nextDecision(line);
        try {
          const full = await ask();
          if (full !== counter) return full;
          if (performance.now() > giveUpAt) throw unavailable();
          await decision.made;
        } finally {
          decision.forget();
        }
      }
    } finally {
      gone.resolve();
      if (--line.count === 0) this.#lines.delete(counter);
    }
  }

  /** Subscribes before the counter is read, so that no decision is missed. */
  #nextDecision({ decided }: Waiting) {
    const made = Promise.withResolvers<void>();
    const late = new AbortController();
    pause(askAgainMs, undefined, { signal: late.signal }).then(made.resolve, () => {});
    decided.add(made.resolve);
    return {
      made: made.promise,
      forget: () => {
        decided.delete(made.resolve);
        late.abort();
      },
    };
  }
}
