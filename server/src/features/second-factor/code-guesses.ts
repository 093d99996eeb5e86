import { addressGroup } from '../../access/address-group.ts';
import { RecentEvents } from '../../access/recent-events.ts';
import { AppError } from '../../app-error.ts';
import type { Monotonic } from '../../clock.ts';

const wrongMax = 10;
const windowMs = 3_600_000;
const accountsMax = 10_000;
const askedWindowMs = 900_000;

/**
 * Wrong codes after a right password, of one account and from anywhere. Whoever gets so far knows the password, and six
 * digits are soon tried: a login bears far fewer of them than wrong passwords. No stranger can use them up. Counted per
 * process; a restart forgets.
 */
export class CodeGuesses {
  readonly #now: Monotonic;
  readonly #guesses = new RecentEvents(windowMs, accountsMax);
  readonly #asked = new RecentEvents(askedWindowMs, accountsMax);

  constructor(now: Monotonic) {
    this.#now = now;
  }

  /** Counts before the code is looked at, so that a burst gets no further than a series does. @throws AppError rate_limited */
  begin(adminId: number): void {
    const waitMs = this.#guesses.waitMs(String(adminId), wrongMax, this.#now());
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new AppError('rate_limited', `Too many wrong codes; try again in ${seconds} s`, seconds);
    }
    this.#guesses.add(String(adminId), this.#now());
  }

  /** The code was right. */
  succeed(adminId: number): void {
    this.#guesses.forget(String(adminId));
  }

  /**
   * A right password came without a code. It counts for nothing, so there may be any number of them.
   *
   * @returns whether to tell of it: once in 15 minutes of an account and address, and again after a sign-in
   */
  ask(adminId: number, ip: string): boolean {
    const key = pairOf(adminId, ip);
    if (this.#asked.count(key, this.#now()) > 0) return false;
    this.#asked.add(key, this.#now());
    return true;
  }

  /** Whoever was asked for a code has sent it. */
  answered(adminId: number, ip: string): void {
    this.#asked.forget(pairOf(adminId, ip));
  }
}

const pairOf = (adminId: number, ip: string) => `${adminId} ${addressGroup(ip)}`;
