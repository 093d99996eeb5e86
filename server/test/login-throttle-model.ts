import type { AttemptSource } from '../src/access/login-throttle.ts';

const minutes = 60_000;
export const windowMs = 15 * minutes;
export const dayMs = 24 * 60 * minutes;

interface Happened {
  readonly at: number;
  readonly who: AttemptSource;
}

interface Failure extends Happened {
  /** True after a success of the same name and IP address, or of the same device and account. */
  readonly cleared: boolean;
  /** Whether the failure counts towards the limit of known devices at one address. */
  readonly counted: boolean;
}

/** Implements the rule as plainly as possible (docs/contract.md, Throttles). */
export class ThrottleModel {
  now = 0;
  #failures: Failure[] = [];
  readonly #successes: Happened[] = [];

  attempt(who: AttemptSource, passes: boolean): 'passed' | 'failed' | number {
    const waits = this.#counters(who).flatMap(([list, bound]) => {
      const blocking = list.at(-bound);
      return list.length >= bound && blocking ? [blocking.at + windowMs - this.now] : [];
    });
    if (waits.length > 0) return Math.ceil(Math.max(...waits) / 1000);
    if (!passes) {
      const counted = this.#recent().filter(this.#byDevices(who)).length < 10;
      this.#failures.push({ at: this.now, who, cleared: false, counted });
      return 'failed';
    }
    const same = who.device
      ? (one: Happened) => one.who.device === who.device && one.who.account === who.account
      : (one: Happened) => !one.who.device && one.who.name === who.name && one.who.ip === who.ip;
    this.#failures = this.#failures.map((one) => (same(one) ? { ...one, cleared: true } : one));
    this.#successes.push({ at: this.now, who });
    return 'passed';
  }

  readonly #byDevices = (who: AttemptSource) => (one: Happened) =>
    one.who.device != null && one.who.account === who.account;

  #recent(): Failure[] {
    return this.#failures.filter((failure) => failure.at > this.now - windowMs);
  }

  #counters(who: AttemptSource): [Failure[], number][] {
    const recent = this.#recent();
    if (who.device) {
      const atAccount = recent.filter(this.#byDevices(who));
      const atAddress = recent.filter((one) => one.who.device && one.counted && one.who.ip === who.ip);
      const own = atAccount.filter((one) => !one.cleared && one.who.device === who.device);
      return [
        [own, 10],
        [atAccount, 100],
        // Only an account's first ten failures count against the address, so further attempts skip its limit.
        ...(atAccount.length < 10 ? [[atAddress, 1_000] as [Failure[], number]] : []),
      ];
    }
    const strangers = recent.filter((one) => !one.who.device);
    const named = strangers.filter((one) => one.who.name === who.name);
    const fromThere = this.#successes.filter((one) => one.who.ip === who.ip && one.at > this.now - dayMs);
    const accounts = new Set(fromThere.map((one) => one.who.account)).size;
    return [
      [named.filter((one) => !one.cleared && one.who.ip === who.ip), 10],
      [named, 100],
      [strangers.filter((one) => one.who.ip === who.ip), Math.min(Math.max(100, 2 * accounts), 2_000)],
    ];
  }
}
