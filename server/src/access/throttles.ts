import type { InternalOperation, PasswordThrottle } from '@classledger/contract';
import { AppError } from '../app-error.ts';
import { addressGroup } from './address-group.ts';
import type { Counters } from './counters.ts';
import type { Account, Browser } from './known-devices.ts';
import { LoginThrottle } from './login-throttle.ts';

/** What is to be tried at a password: made by the throttle of its operation, and by no one else. */
export interface Attempt<T> {
  /** By which failures are counted, beside the address. */
  readonly name: string;
  /**
   * Finds what is tried, unless whoever asks is known to guess.
   *
   * @returns a check that resolves to null when the attempt failed, how many passwords it tries (1 unless given), and the
   *   account, null where there is none or several: a browser that knows it has counters of its own
   */
  readonly find: () => Promise<{
    readonly check: () => Promise<T | null>;
    readonly passwords?: number;
    readonly account: Account | null;
  }>;
  /** What a failed attempt is answered with. */
  readonly refusal: () => AppError;
}

/** Where an attempt comes from. */
export interface Origin {
  readonly ip: string;
  readonly browser: Browser;
}

/** For so long an application of an address counts. */
const windowMs = 3_600_000;

/**
 * The counters that the contract names, for all processes together (docs/contract.md, Throttles). Who
 * guesses at a login keeps no one who is signed in from acting, and students lock out no administrator of the same
 * name or address.
 */
export class Throttles {
  readonly #counters: Counters;
  readonly #applicationsPerHour: number;
  readonly #passwords: Readonly<Record<PasswordThrottle, LoginThrottle>>;

  constructor(counters: Counters, applicationsPerHour: number) {
    this.#counters = counters;
    this.#applicationsPerHour = applicationsPerHour;
    this.#passwords = {
      administratorLogins: new LoginThrottle(counters, 'administratorLogins'),
      studentLogins: new LoginThrottle(counters, 'studentLogins'),
      administratorConfirmations: new LoginThrottle(counters, 'administratorConfirmations'),
      studentConfirmations: new LoginThrottle(counters, 'studentConfirmations'),
    };
  }

  /** A rule as it may be called where the operation declares a throttle: its attempt is made, or the call counted. */
  guard<C extends Origin>(
    operation: InternalOperation,
    rule: (call: C) => unknown,
  ): (call: C) => Promise<unknown> {
    const throttled = 'throttled' in operation ? operation.throttled : undefined;
    return async (call) => {
      if (throttled === undefined) return rule(call);
      if (throttled !== 'applications') return this.make(throttled, rule(call) as Attempt<unknown>, call);
      return this.#countApplication(call.ip, async () => rule(call));
    };
  }

  /** Makes an attempt as soon as it may be made. @throws AppError its refusal; rate_limited; unavailable */
  async make<T>(
    throttle: PasswordThrottle,
    { name, find, refusal }: Attempt<T>,
    { ip, browser }: Origin,
  ): Promise<T> {
    const throttled = this.#passwords[throttle];
    // A browser that knows somebody may know the one who is tried: that is looked up first.
    let attempt = browser.isKnown() ? null : await throttled.begin({ name, ip });
    const found = await find().catch(async (error: unknown) => {
      await attempt?.drop();
      throw error;
    });
    const { check, passwords = 1, account } = found;
    const device = account && browser.knownAt(account);
    const accountName = account && `${account.kind} ${account.id}`;
    if (attempt && passwords > 1) {
      await attempt.drop();
      attempt = null;
    }
    attempt ??= await throttled.begin({ name, ip, device, account: accountName }, passwords);
    const passed = await attempt.make(check, accountName);
    if (passed === null) throw refusal();
    return passed;
  }

  /**
   * Takes room before anything is stored, so that a burst gets no further than a series does. What is refused then counts
   * for nothing.
   *
   * @throws AppError rate_limited
   */
  async #countApplication(ip: string, submit: () => Promise<unknown>): Promise<unknown> {
    const name = JSON.stringify(['applications', addressGroup(ip)]);
    const counter = { name, bound: this.#applicationsPerHour };
    const room = await this.#counters.reserve([counter], windowMs).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.kind !== 'rate_limited') throw error;
      const seconds = error.retryAfterSeconds;
      throw new AppError('rate_limited', `Too many applications; try again in ${seconds} s`, seconds);
    });
    const answer = await submit().catch(async (error: unknown) => {
      await room.undo();
      throw error;
    });
    await room.fail();
    return answer;
  }
}
