import type { InternalOperation, PasswordThrottle } from '@classledger/contract';
import { AppError } from '../app-error.ts';
import type { Monotonic } from '../clock.ts';
import { addressGroup } from './address-group.ts';
import type { Account, Browser } from './known-devices.ts';
import { LoginThrottle } from './login-throttle.ts';
import { RecentEvents } from './recent-events.ts';

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

/** Applications of one address within the window; each is forgotten after that time. */
const applicationsMax = 5;
const windowMs = 3_600_000;
/** Applying from ever new addresses must not fill the memory. */
const addressesMax = 10_000;

/**
 * The counters that the contract names, counted per process by time that passes (docs/contract.md, Throttles). Who
 * guesses at a login keeps no one who is signed in from acting, and students lock out no administrator of the same
 * name or address.
 */
export class Throttles {
  readonly #now: Monotonic;
  readonly #passwords: Readonly<Record<PasswordThrottle, LoginThrottle>>;
  readonly #applications = new RecentEvents(windowMs, addressesMax);

  constructor(now: Monotonic) {
    this.#now = now;
    this.#passwords = {
      administratorLogins: new LoginThrottle(now),
      studentLogins: new LoginThrottle(now),
      administratorConfirmations: new LoginThrottle(now),
      studentConfirmations: new LoginThrottle(now),
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
      this.#countApplication(call.ip);
      return rule(call);
    };
  }

  /** Makes an attempt as soon as it may be made. @throws AppError its refusal; rate_limited; unavailable */
  async make<T>(
    throttle: PasswordThrottle,
    { name, find, refusal }: Attempt<T>,
    { ip, browser }: Origin,
  ): Promise<T> {
    const counters = this.#passwords[throttle];
    // A browser that knows somebody may know the one who is tried: that is looked up first.
    if (!browser.isKnown()) counters.refuseKnownGuesser(name, ip);
    const { check, passwords, account } = await find();
    const device = account && browser.knownAt(account);
    const attempter = { name, ip, device, account: account && `${account.kind} ${account.id}` };
    const passed = await counters.attempt(attempter, check, passwords);
    if (passed === null) throw refusal();
    return passed;
  }

  /** Counts before anything is stored, so that a burst gets no further than a series does. @throws AppError rate_limited */
  #countApplication(ip: string): void {
    const address = addressGroup(ip);
    const waitMs = this.#applications.waitMs(address, applicationsMax, this.#now());
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new AppError('rate_limited', `Too many applications; try again in ${seconds} s`, seconds);
    }
    this.#applications.add(address, this.#now());
  }
}
