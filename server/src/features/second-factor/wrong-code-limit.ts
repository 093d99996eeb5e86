import { addressGroup } from '../../access/address-group.ts';
import type { Counters } from '../../access/counters.ts';
import { AppError } from '../../errors/app-error.ts';

const wrongCodesMax = 10;
const windowMs = 3_600_000;
const missingCodeWindowMs = 900_000;

/** Limits wrong codes after a right password. The limit is low, because six digits are quick to guess. */
export class WrongCodeLimit {
  readonly #counters: Counters;

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Counts before the check, so that parallel attempts cannot exceed the limit. @throws AppError rate_limited */
  async countAttempt(adminId: number): Promise<void> {
    const waitMs = await this.#counters.count(
      { name: wrongCodeCounter(adminId), limit: wrongCodesMax },
      windowMs,
    );
    if (waitMs === 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    throw new AppError('rate_limited', `Too many wrong codes; try again in ${seconds} s`, seconds);
  }

  /** Clears the counters after a right code. @param wasCounted whether `countAttempt` counted this attempt */
  clearCounters(adminId: number, ip: string, wasCounted: boolean): Promise<void> {
    const asked = missingCodeCounter(adminId, ip);
    return this.#counters.clear(wasCounted ? [wrongCodeCounter(adminId), asked] : [asked], windowMs);
  }

  /** Records a missing code. @returns whether to notify the owner: once in 15 minutes per account and address */
  async recordMissingCode(adminId: number, ip: string): Promise<boolean> {
    const waitMs = await this.#counters.count(
      { name: missingCodeCounter(adminId, ip), limit: 1 },
      missingCodeWindowMs,
    );
    return waitMs === 0;
  }
}

const wrongCodeCounter = (adminId: number) => JSON.stringify(['codes', adminId]);
const missingCodeCounter = (adminId: number, ip: string) =>
  JSON.stringify(['codes asked for', adminId, addressGroup(ip)]);
