import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../app-error.ts';

/** Attempts that wait for one counter; more would only find that they are refused. */
const waitingMax = 500;
/** Longer than passwords wait for their turn to be checked. */
const patienceMs = 30_000;
/** How soon it is seen that another process has decided an attempt. */
const askAgainMs = 100;

interface Waiting {
  count: number;
  /** The last one in the line has gone. */
  last: Promise<void>;
  /** The next attempt is decided here. */
  readonly decided: Set<() => void>;
}

/**
 * Attempts that wait because attempts that are being decided fill a counter. Those of one counter stand in a line, and the
 * first of it alone asks whether there is room: when one is decided here, and after a moment, since another process may
 * have decided one.
 */
export class WaitingAttempts {
  readonly #lines = new Map<string, Waiting>();

  /**
   * Asks for room until there is some.
   *
   * @param ask resolves to the counter that has no room, null where room was found
   * @throws what `ask` throws; AppError unavailable (too many wait for the counter, or for too long)
   */
  async untilRoom(ask: () => Promise<string | null>): Promise<void> {
    const giveUpAt = performance.now() + patienceMs;
    let full = await ask();
    while (full !== null) full = await this.#standIn(full, ask, giveUpAt);
  }

  /** Attempts at these counters are decided. */
  decided(counters: readonly string[]): void {
    for (const counter of counters) {
      for (const tell of this.#lines.get(counter)?.decided ?? []) tell();
    }
  }

  /** @returns another counter that has no room, or null */
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

  /** Listens from before the counter is asked for, so that no decision is missed. */
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
