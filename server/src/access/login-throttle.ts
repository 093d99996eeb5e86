import type { PasswordThrottle } from '@classledger/contract';
import { addressGroup } from './address-group.ts';
import type { Counter, Counters } from './counters.ts';

const windowMs = 15 * 60_000;
const bounds = {
  pair: 10,
  name: 100,
  address: 100,
  /** A shared address may fail this often per account that signed in there within `latelyMs`, if that is more. */
  perAccount: 2,
  sharedAddressMost: 2_000,
  device: 10,
  devices: 100,
  devicesAtAddress: 1_000,
  /** One account's share of it, so that a single account cannot use it up. */
  devicesAtAddressPerAccount: 10,
};
const latelyMs = 24 * 3_600_000;
/** Identifies the caller and the account of an attempt. */
export interface Attempter {
  /** The typed name, or the signed-in person for a confirmation. */
  readonly name: string;
  readonly ip: string;
  /** Null when there is no such account, or several. */
  readonly account?: string | null;
  readonly device?: string | null;
}

/** Represents an attempt that the throttle has admitted. */
export interface OpenAttempt {
  /** Runs the check and counts its outcome: null is a failure; an error is not counted. */
  make<T>(check: () => Promise<T | null>, account: string | null): Promise<T | null>;
  drop(): Promise<void>;
}

/**
 * Limits failed password attempts within 15 minutes: 10 per name and address, 100 per name, 100 per address. Each
 * failure expires after that time, and a success clears the pair. Undecided attempts hold a slot, so parallel attempts
 * cannot try more passwords.
 *
 * An address where more than 50 accounts signed in within a day is shared: it may fail twice per account. A device that
 * knows the account has its own counters. Failures elsewhere do not count against it, so no stranger can lock out the
 * owner.
 *
 * Logins and confirmations of administrators and of students each have their own throttle.
 */
export class LoginThrottle {
  readonly #counters: Counters;
  readonly #kind: PasswordThrottle;

  constructor(counters: Counters, kind: PasswordThrottle) {
    this.#counters = counters;
    this.#kind = kind;
  }

  /** Waits until the attempt may run; each password counts. @throws AppError rate_limited; unavailable */
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
          // One correct password among several does not excuse the failures of the others.
          const clear = passwords === 1 ? [counters[0].name] : [];
          const signIn = account && { counter: this.#signInsAt(who.ip), event: account, windowMs: latelyMs };
          await room.succeed(clear, signIn || undefined);
        }
        return passed;
      },
    };
  }

  /** Returns the counter that a success clears first, and the counter shared by the address last. */
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
