import { AppError, unavailable } from '../app-error.ts';
import type { Monotonic } from '../clock.ts';
import { addressGroup } from './address-group.ts';
import { RecentEvents } from './recent-events.ts';
import { RecentSignIns } from './recent-sign-ins.ts';

const windowMs = 15 * 60_000;
const bounds = {
  pair: 10,
  name: 100,
  address: 100,
  /** Where that is more: for each account that signed in there within `latelyMs`, up to `sharedAddressMost`. */
  perAccount: 2,
  sharedAddressMost: 2_000,
  /** Of a device that knows the account. */
  device: 10,
  /** Of all devices that know the account. */
  devices: 100,
  /** Of all devices at one address, at all accounts that they know. */
  devicesAtAddress: 1_000,
  /** What one account adds to that at most: nobody alone can use it up for the others. */
  devicesAtAddressPerAccount: 10,
};
const latelyMs = 24 * 3_600_000;
/** Guessing under ever new names, or signing in from ever new addresses, must not fill the memory. */
const countersMax = 50_000;

/** Attempts that wait for one counter; more would only find that they are refused. */
const waitingMax = 500;

/** Whose attempt it is, and from where. */
export interface Attempter {
  /** What was typed, or whose confirmation it is. */
  readonly name: string;
  readonly ip: string;
  /** The account that is tried; null where there is none, or several. */
  readonly account?: string | null;
  /** The browser, where it knows that account. */
  readonly device?: string | null;
}

/** The key of a counter and how many failures it bears. */
type Counter = readonly [key: string, bound: number];

/**
 * Counts failed attempts at passwords: 10 of one name from one address, 100 of one name, 100 from one address within
 * 15 minutes. Each failure is forgotten after that time; a success clears the pair. An attempt that is still
 * being decided takes the place of a failure, so that a burst tries no more passwords than a series does.
 *
 * An address where more than 50 accounts signed in within a day has many people: it bears two failures for each. A
 * device that knows the account has counters of its own, and the others neither count its failures nor refuse it: no
 * stranger can lock out its owner.
 *
 * Logins and confirmations, administrators and students have one each: who fails at one shuts out no one at another.
 * Counted per process, like the rate limit: a restart forgets.
 */
export class LoginThrottle {
  readonly #now: Monotonic;
  readonly #failures = new RecentEvents(windowMs, countersMax);
  readonly #signIns = new RecentSignIns(latelyMs, {
    accountsMax: bounds.sharedAddressMost / bounds.perAccount,
    signInsMax: countersMax,
  });
  readonly #undecided = new Map<string, number>();
  /** By counter: what waits until the next of its attempts is decided. */
  readonly #waiting = new Map<string, { readonly decided: PromiseWithResolvers<void>; count: number }>();

  constructor(now: Monotonic) {
    this.#now = now;
  }

  /**
   * Makes an attempt as soon as it may be made.
   *
   * @param check resolves to null when the attempt failed; when it throws, the attempt counts for nothing
   * @param passwords how many are checked by it: it counts as so many
   * @throws AppError rate_limited; unavailable (too many attempts of that name or address wait)
   */
  async attempt<T>(who: Attempter, check: () => Promise<T | null>, passwords = 1): Promise<T | null> {
    let counters = this.#countersOf(who);
    for (;;) {
      const full = this.#fullCounter(counters, passwords);
      if (full === null) break;
      await this.#nextDecision(full);
      counters = this.#countersOf(who);
    }
    for (const [key] of counters) this.#undecided.set(key, (this.#undecided.get(key) ?? 0) + passwords);
    try {
      const passed = await check();
      if (passed === null) this.#fail(counters, passwords);
      else {
        // One right password among several says nothing about the failures at the other ones.
        if (passwords === 1) this.#failures.forget(counters[0][0]);
        if (who.account) this.#signIns.add(addressGroup(who.ip), who.account, this.#now());
      }
      return passed;
    } finally {
      for (const [key] of counters) {
        const left = (this.#undecided.get(key) ?? 0) - passwords;
        if (left > 0) this.#undecided.set(key, left);
        else this.#undecided.delete(key);
        this.#waiting.get(key)?.decided.resolve();
        this.#waiting.delete(key);
      }
    }
  }

  /**
   * Refuses what would be refused anyway, before anything is looked up for it.
   *
   * @throws AppError rate_limited
   */
  refuseKnownGuesser(name: string, ip: string): void {
    this.#fullCounter(this.#countersOf({ name, ip }), 1);
  }

  /**
   * The counter that has room for an attempt only when undecided ones turn out not to have failed; null when it may be
   * made now.
   *
   * @throws AppError rate_limited where that would not help
   */
  #fullCounter(counters: readonly Counter[], passwords: number): string | null {
    const now = this.#now();
    let waitMs = 0;
    let full: string | null = null;
    for (const [key, bound] of counters) {
      waitMs = Math.max(waitMs, this.#failures.waitMs(key, bound - passwords + 1, now));
      if (this.#taken(key) + passwords > bound) full ??= key;
    }
    if (waitMs === 0) return full;
    const seconds = Math.ceil(waitMs / 1000);
    throw new AppError('rate_limited', `Too many failed attempts; try again in ${seconds} s`, seconds);
  }

  /** Failures, and attempts that may become some. */
  #taken(key: string): number {
    return this.#failures.count(key, this.#now()) + (this.#undecided.get(key) ?? 0);
  }

  /** Resolves when an attempt that counts there is decided. @throws AppError unavailable */
  #nextDecision(key: string): Promise<void> {
    const waiting = this.#waiting.get(key) ?? { decided: Promise.withResolvers<void>(), count: 0 };
    if (++waiting.count > waitingMax) throw unavailable();
    this.#waiting.set(key, waiting);
    return waiting.decided.promise;
  }

  #fail(counters: readonly Counter[], times: number): void {
    const now = this.#now();
    for (const [key] of counters) {
      for (let n = 0; n < times; n++) this.#failures.add(key, now);
    }
  }

  /** The first is the one that a success clears. */
  #countersOf({ name, ip, account, device }: Attempter): [Counter, ...Counter[]] {
    const address = addressGroup(ip);
    if (account && device) {
      const devices = `n:${account}`;
      const own: [Counter, Counter] = [
        [`d:${device} ${account}`, bounds.device],
        [devices, bounds.devices],
      ];
      const counted = this.#taken(devices) < bounds.devicesAtAddressPerAccount;
      return counted ? [...own, [`k:${address}`, bounds.devicesAtAddress]] : own;
    }
    return [
      [`p:${address} ${name}`, bounds.pair],
      [`u:${name}`, bounds.name],
      [`a:${address}`, this.#boundOf(address)],
    ];
  }

  #boundOf(address: string): number {
    return Math.max(bounds.address, bounds.perAccount * this.#signIns.accounts(address, this.#now()));
  }
}
