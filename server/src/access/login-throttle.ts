import { AppError } from '../app-error.ts';
import type { Monotonic } from '../clock.ts';
import { RecentEvents } from './recent-events.ts';

const windowMs = 15 * 60_000;
const bounds = { pair: 10, username: 100, address: 100 };
/** Guessing under ever new names must not fill the memory. */
const countersMax = 50_000;

/** The key of a counter and how many failures it bears. */
type Counter = readonly [key: string, bound: number];

/**
 * Counts failed logins: 10 of one username from one address, 100 of one username, 100 from one address within
 * 15 minutes. Each failure is forgotten after that time; a success clears the pair. An attempt that is still
 * being decided takes the place of a failure, so that a burst tries no more passwords than a series does.
 * Counted per process, like the rate limit: a restart forgets.
 */
export class LoginThrottle {
  readonly #now: Monotonic;
  readonly #failures = new RecentEvents(windowMs, countersMax);
  readonly #undecided = new Map<string, number>();
  /** Resolves when the next attempt is decided. */
  #decided = Promise.withResolvers<void>();

  constructor(now: Monotonic) {
    this.#now = now;
  }

  /**
   * Makes an attempt as soon as it may be made.
   *
   * @param check resolves to null when the attempt failed; when it throws, the attempt counts for nothing
   * @throws AppError rate_limited
   */
  async attempt<T>(username: string, address: string, check: () => Promise<T | null>): Promise<T | null> {
    const counters = this.#counters(username, address);
    while (!this.#hasRoom(counters)) await this.#decided.promise;
    for (const [key] of counters) this.#undecided.set(key, (this.#undecided.get(key) ?? 0) + 1);
    try {
      const passed = await check();
      if (passed === null) this.#fail(counters);
      else this.#failures.forget(pairKey(username, address));
      return passed;
    } finally {
      for (const [key] of counters) {
        const left = (this.#undecided.get(key) ?? 0) - 1;
        if (left > 0) this.#undecided.set(key, left);
        else this.#undecided.delete(key);
      }
      this.#decided.resolve();
      this.#decided = Promise.withResolvers<void>();
    }
  }

  /**
   * Whether an attempt may be made now, or only when an undecided one turns out not to have failed.
   *
   * @throws AppError rate_limited where that would not help
   */
  #hasRoom(counters: readonly Counter[]): boolean {
    const now = this.#now();
    let waitMs = 0;
    let room = true;
    for (const [key, bound] of counters) {
      waitMs = Math.max(waitMs, this.#failures.waitMs(key, bound, now));
      room &&= this.#failures.count(key, now) + (this.#undecided.get(key) ?? 0) < bound;
    }
    if (waitMs === 0) return room;
    const seconds = Math.ceil(waitMs / 1000);
    throw new AppError('rate_limited', `Too many failed attempts; try again in ${seconds} s`, seconds);
  }

  #fail(counters: readonly Counter[]): void {
    const now = this.#now();
    for (const [key] of counters) this.#failures.add(key, now);
  }

  #counters(username: string, address: string): Counter[] {
    return [
      [pairKey(username, address), bounds.pair],
      [`u:${username}`, bounds.username],
      [`a:${address}`, bounds.address],
    ];
  }
}

const pairKey = (username: string, address: string) => `p:${address} ${username}`;
