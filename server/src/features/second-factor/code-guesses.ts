import { addressGroup } from '../../access/address-group.ts';
import type { Counters } from '../../access/counters.ts';
import { AppError } from '../../app-error.ts';

const wrongMax = 10;
const windowMs = 3_600_000;
const askedWindowMs = 900_000;

/**
 * Wrong codes after a right password, of one account and from anywhere. Whoever gets so far knows the password, and six
 * digits are soon tried: a login bears far fewer of them than wrong passwords. No stranger can use them up.
 */
export class CodeGuesses {
  readonly #counters: Counters;

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Counts before the code is looked at, so that a burst gets no further than a series does. @throws AppError rate_limited */
  async begin(adminId: number): Promise<void> {
    const waitMs = await this.#counters.count({ name: guessesOf(adminId), limit: wrongMax }, windowMs);
    if (waitMs === 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    throw new AppError('rate_limited', `Too many wrong codes; try again in ${seconds} s`, seconds);
  }

  /** The code was right: whoever was asked for it there has sent it. @param guessed whether it was begun as a guess */
  succeed(adminId: number, ip: string, guessed: boolean): Promise<void> {
    const asked = askedOf(adminId, ip);
    return this.#counters.clear(guessed ? [guessesOf(adminId), asked] : [asked], windowMs);
  }

  /**
   * A right password came without a code. It counts for nothing, so there may be any number of them.
   *
   * @returns whether to tell of it: once in 15 minutes of an account and address, and again after a sign-in
   */
  async ask(adminId: number, ip: string): Promise<boolean> {
    const waitMs = await this.#counters.count({ name: askedOf(adminId, ip), limit: 1 }, askedWindowMs);
    return waitMs === 0;
  }
}

const guessesOf = (adminId: number) => JSON.stringify(['codes', adminId]);
const askedOf = (adminId: number, ip: string) =>
  JSON.stringify(['codes asked for', adminId, addressGroup(ip)]);
