import { addressGroup } from '../../access/address-group.ts';
import type { Counters } from '../../access/counters.ts';
import { AppError } from '../../app-error.ts';

const wrongMax = 10;
const windowMs = 3_600_000;
const askedWindowMs = 900_000;

/**
 * Limits wrong codes after a right password. Six digits are quick to guess, so the limit is low. Only people with the
 * password can use it up.
 */
export class CodeGuesses {
  readonly #counters: Counters;

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Counts before the check, so that parallel attempts cannot exceed the limit. @throws AppError rate_limited */
  async begin(adminId: number): Promise<void> {
    const waitMs = await this.#counters.count({ name: guessesOf(adminId), limit: wrongMax }, windowMs);
    if (waitMs === 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    throw new AppError('rate_limited', `Too many wrong codes; try again in ${seconds} s`, seconds);
  }

  /** Clears the counters after a right code. @param guessed whether `begin` counted this attempt */
  succeed(adminId: number, ip: string, guessed: boolean): Promise<void> {
    const asked = askedOf(adminId, ip);
    return this.#counters.clear(guessed ? [guessesOf(adminId), asked] : [asked], windowMs);
  }

  /**
   * Records a right password whose code is missing; this is not a guess.
   * @returns whether to notify the owner: once in 15 minutes per account and address, and again after a sign-in
   */
  async ask(adminId: number, ip: string): Promise<boolean> {
    const waitMs = await this.#counters.count({ name: askedOf(adminId, ip), limit: 1 }, askedWindowMs);
    return waitMs === 0;
  }
}

const guessesOf = (adminId: number) => JSON.stringify(['codes', adminId]);
const askedOf = (adminId: number, ip: string) =>
  JSON.stringify(['codes asked for', adminId, addressGroup(ip)]);
