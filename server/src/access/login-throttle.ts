import type { Clock } from '../clock.ts';

const windowMs = 15 * 60_000;
const bounds = { pair: 10, username: 100, address: 100 };
/** Guessing under ever new names must not fill the memory. */
const countersMax = 50_000;

/**
 * Counts failed logins: 10 of one username from one address, 100 of one username, 100 from one address within
 * 15 minutes. Each failure is forgotten after that time; a success clears the pair. Counted per process, like
 * the rate limit: a restart forgets.
 */
export class LoginThrottle {
  readonly #clock: Clock;
  readonly #failures = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns 0 if the attempt may be made, otherwise the seconds until the next one may */
  secondsToWait(username: string, address: string): number {
    const now = this.#clock().getTime();
    let waitMs = 0;
    for (const [key, bound] of this.#counters(username, address)) {
      const recent = this.#recent(key, now);
      const oldestThatBlocks = recent[recent.length - bound];
      if (oldestThatBlocks !== undefined) waitMs = Math.max(waitMs, oldestThatBlocks + windowMs - now);
    }
    return Math.ceil(waitMs / 1000);
  }

  failed(username: string, address: string): void {
    const now = this.#clock().getTime();
    for (const [key] of this.#counters(username, address)) {
      const recent = this.#recent(key, now);
      recent.push(now);
      // Reinserting keeps the map ordered by last failure, so that the oldest counters go first.
      this.#failures.delete(key);
      this.#failures.set(key, recent);
    }
    for (const key of this.#failures.keys()) {
      if (this.#failures.size <= countersMax) break;
      this.#failures.delete(key);
    }
  }

  succeeded(username: string, address: string): void {
    this.#failures.delete(pairKey(username, address));
  }

  #counters(username: string, address: string): [string, number][] {
    return [
      [pairKey(username, address), bounds.pair],
      [`u:${username}`, bounds.username],
      [`a:${address}`, bounds.address],
    ];
  }

  #recent(key: string, now: number): number[] {
    return (this.#failures.get(key) ?? []).filter((at) => at > now - windowMs);
  }
}

const pairKey = (username: string, address: string) => `p:${address} ${username}`;
