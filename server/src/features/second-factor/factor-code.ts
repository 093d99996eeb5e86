import { addressGroup } from '../../access/address-group.ts';
import type { Counters } from '../../access/counters.ts';
import type { Admin, Device } from '../../access/sessions.ts';
import { AppError, refusalWithReason } from '../../errors/app-error.ts';
import { consumeCode } from './code-app.ts';
import { type FactorServices, hasFactor } from './factors.ts';

/** Checks the code sent with a password, for one sign-in. */
export function createFactorCode(
  { db, sealing, events, codeGuesses: limit }: FactorServices & { readonly codeGuesses: WrongCodeLimit },
  typed: string | undefined,
  at: Date,
) {
  let isWrong = false;
  return {
    /**
     * Uses up the code after a right password. Returns true without a second factor, and false for a wrong code.
     * @throws AppError rate_limited; unauthenticated with the reason `code` for a missing code, which counts no failure
     */
    async verify(admin: Admin, device: Device, isKnownDevice: boolean): Promise<boolean> {
      if (!(await hasFactor(db, admin.id))) return true;
      if (!typed) {
        // Notifies the owner, because a person who has the password but no code may be a thief.
        if (await limit.recordMissingCode(admin.id, device.ip))
          events.recordAdminEvent(admin, 'codeAsked', device);
        throw codeRequiredError('Send the code of your second factor, too');
      }
      if (!isKnownDevice) await limit.countAttempt(admin.id);
      const consumed = await consumeCode(db, sealing, admin.id, typed, at);
      isWrong = consumed === null;
      if (consumed !== null) await limit.clearCounters(admin.id, device.ip, !isKnownDevice);
      if (consumed === 'recovery') events.recordAdminEvent(admin, 'recoveryCodeUsed', device);
      return consumed !== null;
    },
    /** Returns the error of a sign-in that failed because of its code; otherwise null. */
    refusal: () => (isWrong ? codeRequiredError('The code is wrong or was used before') : null),
  };
}

export type FactorCode = ReturnType<typeof createFactorCode>;

const codeRequiredError = (message: string) => refusalWithReason('code', 'unauthenticated', message);

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
