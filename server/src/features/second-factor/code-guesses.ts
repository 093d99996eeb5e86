import { RecentEvents } from '../../access/recent-events.ts';
import { AppError } from '../../app-error.ts';
import type { Monotonic } from '../../clock.ts';

const wrongMax = 10;
const windowMs = 3_600_000;
const accountsMax = 10_000;

/**
 * Wrong codes after a right password, of one account and from anywhere. Whoever gets so far knows the password, and six
 * digits are soon tried: a login bears far fewer of them than wrong passwords. No stranger can use them up. Counted per
 * process; a restart forgets.
 */
export class CodeGuesses {
  readonly #now: Monotonic;
  readonly #guesses = new RecentEvents(windowMs, accountsMax);

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
}
