import type { Admin, Device } from '../../access/sessions.ts';
import { refusalWithReason } from '../../errors/app-error.ts';
import { consumeCode } from './code-app.ts';
import { type FactorServices, hasFactor } from './factors.ts';
import type { WrongCodeLimit } from './wrong-code-limit.ts';

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
