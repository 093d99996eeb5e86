import type { PasswordThrottle } from '@classledger/contract';
import { addressGroup } from './address-group.ts';
import type { Counter, Counters } from './counters.ts';

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

/** An attempt that may be made. */
export interface OpenAttempt {
  /**
   * Makes it.
   *
   * @param check resolves to null when the attempt failed; when it throws, the attempt counts for nothing
   * @param account that signs in when it succeeds
   */
  make<T>(check: () => Promise<T | null>, account: string | null): Promise<T | null>;
  /** It is not made, and counts for nothing. */
  drop(): Promise<void>;
}

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
 */
export class LoginThrottle {
  readonly #counters: Counters;
  readonly #kind: PasswordThrottle;

  constructor(counters: Counters, kind: PasswordThrottle) {
    this.#counters = counters;
    this.#kind = kind;
  }

  /**
   * Waits until an attempt may be made.
   *
   * @param passwords how many are checked by it: it counts as so many
   * @throws AppError rate_limited; unavailable (too many attempts of that name or address wait)
   */
  async begin(who: Attempter, passwords = 1): Promise<OpenAttempt> {
    const counters = this.#countersOf(who);
    const room = await this.#counters.reserve(counters, windowMs, passwords);
    return {
      drop: () => room.undo(),
      make: async (check, account) => {
        const passed = await check().catch(async (error: unknown) => {
          await room.undo();
          throw error;
        });
        if (passed === null) await room.fail();
        else {
          // One right password among several says nothing about the failures at the other ones.
          const clear = passwords === 1 ? [counters[0].name] : [];
          const signIn = account && { counter: this.#signInsAt(who.ip), event: account, windowMs: latelyMs };
          await room.succeed(clear, signIn || undefined);
        }
        return passed;
      },
    };
  }

  /** The first is the one that a success clears; the last is that of everybody at the address. */
  #countersOf({ name, ip, account, device }: Attempter): [Counter, ...Counter[]] {
    const address = addressGroup(ip);
    if (account && device) {
      return [
        { name: this.#named('device', device, account), bound: bounds.device },
        { name: this.#named('devices', account), bound: bounds.devices },
        {
          name: this.#named('devices at', address),
          bound: bounds.devicesAtAddress,
          below: bounds.devicesAtAddressPerAccount,
        },
      ];
    }
    return [
      { name: this.#named('pair', address, name), bound: bounds.pair },
      { name: this.#named('name', name), bound: bounds.name },
      {
        name: this.#named('address', address),
        bound: bounds.address,
        raised: { by: this.#signInsAt(ip), each: bounds.perAccount, to: bounds.sharedAddressMost },
      },
    ];
  }

  #signInsAt(ip: string): string {
    return this.#named('accounts at', addressGroup(ip));
  }

  #named(...parts: readonly string[]): string {
    return JSON.stringify([this.#kind, ...parts]);
  }
}
