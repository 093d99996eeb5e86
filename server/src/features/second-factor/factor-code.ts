import type { Admin, Device } from '../../access/sessions.ts';
import { type AppError, refusedUntil } from '../../app-error.ts';
import { spendCode } from './code-app.ts';
import type { CodeGuesses } from './code-guesses.ts';
import type { FactorParts } from './factor-parts.ts';
import { hasFactor } from './factors.ts';

/** Checks the code sent with a password, for one sign-in. */
export class FactorCode {
  readonly #parts: FactorParts;
  readonly #guesses: CodeGuesses;
  readonly #typed: string | undefined;
  readonly #at: Date;
  #wrong = false;

  constructor(parts: FactorParts, guesses: CodeGuesses, typed: string | undefined, at: Date) {
    this.#parts = parts;
    this.#guesses = guesses;
    this.#typed = typed;
    this.#at = at;
  }

  /**
   * Uses the code of an administrator whose password is right. Ignores codes when the administrator has no second
   * factor.
   * @param known whether the device knows the account; its failures are then counted per device
   * @returns false for a wrong code
   * @throws AppError unauthenticated with the reason `code` when the code is missing, which is not counted as a
   * failure; rate_limited
   */
  async prove(admin: Admin, device: Device, known: boolean): Promise<boolean> {
    const { db, sealing, events } = this.#parts;
    if (!(await hasFactor(db, admin.id))) return true;
    if (!this.#typed) {
      // A person with the password but without the code may be a thief, so the owner is notified.
      if (await this.#guesses.ask(admin.id, device.ip)) events.recordAdminEvent(admin, 'codeAsked', device);
      throw needsCode('Send the code of your second factor, too');
    }
    if (!known) await this.#guesses.begin(admin.id);
    const spent = await spendCode(db, sealing, admin.id, this.#typed, this.#at);
    this.#wrong = spent === null;
    if (spent !== null) await this.#guesses.succeed(admin.id, device.ip, !known);
    if (spent === 'recovery') events.recordAdminEvent(admin, 'recoveryCodeUsed', device);
    return spent !== null;
  }

  /** Returns the error of a sign-in that failed because of its code; otherwise null. */
  refusal(): AppError | null {
    return this.#wrong ? needsCode('The code is wrong or was used before') : null;
  }
}

const needsCode = (message: string) => refusedUntil('code', 'unauthenticated', message);
