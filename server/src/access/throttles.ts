import type { InternalOperation, PasswordThrottle } from '@classledger/contract';
import { AppError } from '../errors/app-error.ts';
import { addressGroup } from './address-group.ts';
import type { Counters } from './counters.ts';
import type { Account, Browser } from './known-devices.ts';
import { loginThrottle } from './login-throttle.ts';

export interface ThrottledAttempt<T> {
  readonly name: string;
  /** Reads the data for the check, unless the throttle already refuses. The check resolves to null if it fails. */
  readonly prepare: () => Promise<{
    readonly check: () => Promise<T | null>;
    readonly passwords?: number;
    readonly account: Account | null;
  }>;
  readonly refusal: () => AppError;
}

export interface AttemptOrigin {
  readonly ip: string;
  readonly browser: Browser;
}

const applicationWindowMs = 3_600_000;

/** Applies the throttles of docs/contract.md for all processes together, with separate counters per kind of login. */
export class Throttles {
  readonly #counters: Counters;
  readonly #applicationsPerHour: number;

  constructor(counters: Counters, applicationsPerHour: number) {
    this.#counters = counters;
    this.#applicationsPerHour = applicationsPerHour;
  }

  guard<C extends AttemptOrigin>(
    operation: InternalOperation,
    rule: (call: C) => unknown,
  ): (call: C) => Promise<unknown> {
    const throttled = 'throttled' in operation ? operation.throttled : undefined;
    return async (call) => {
      if (throttled === undefined) return rule(call);
      if (throttled !== 'applications')
        return this.runAttempt(throttled, rule(call) as ThrottledAttempt<unknown>, call);
      return this.#countApplication(call.ip, async () => rule(call));
    };
  }

  /** Runs an attempt if the throttle admits it. @throws AppError its refusal; rate_limited; unavailable */
  async runAttempt<T>(
    throttle: PasswordThrottle,
    { name, prepare, refusal }: ThrottledAttempt<T>,
    { ip, browser }: AttemptOrigin,
  ): Promise<T> {
    const throttled = loginThrottle(this.#counters, throttle);
    // Reads the account first for a known browser, because the two may have counters of their own.
    let attempt = browser.isKnown() ? null : await throttled.begin({ name, ip });
    const found = await prepare().catch(async (error: unknown) => {
      await attempt?.cancel();
      throw error;
    });
    const { check, passwords = 1, account } = found;
    const device = account && browser.idFor(account);
    const accountName = account && `${account.kind} ${account.id}`;
    if (attempt && passwords > 1) {
      await attempt.cancel();
      attempt = null;
    }
    attempt ??= await throttled.begin({ name, ip, device, account: accountName }, passwords);
    const passed = await attempt.run(check, accountName);
    if (passed === null) throw refusal();
    return passed;
  }

  /** Counts first, so parallel applications cannot exceed the limit. @throws AppError rate_limited */
  async #countApplication(ip: string, submit: () => Promise<unknown>): Promise<unknown> {
    const name = JSON.stringify(['applications', addressGroup(ip)]);
    const counter = { name, limit: this.#applicationsPerHour };
    const counted = await this.#counters
      .countAttempt([counter], applicationWindowMs)
      .catch((error: unknown) => {
        if (!(error instanceof AppError) || error.kind !== 'rate_limited') throw error;
        const seconds = error.retryAfterSeconds;
        throw new AppError('rate_limited', `Too many applications; try again in ${seconds} s`, seconds);
      });
    const answer = await submit().catch(async (error: unknown) => {
      await counted.cancel();
      throw error;
    });
    await counted.fail();
    return answer;
  }
}
