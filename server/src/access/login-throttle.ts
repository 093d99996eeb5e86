import type { PasswordThrottle } from '@classledger/contract';
import { addressGroup } from './address-group.ts';
import type { Counter, Counters } from './counters.ts';

const windowMs = 15 * 60_000;
const limits = {
  pair: 10,
  name: 100,
  address: 100,
  /** Raises the limit of an address by this much per account that signed in there within `sharedWindowMs`. */
  perAccount: 2,
  sharedAddressMost: 2_000,
  // Failures from browsers that signed in to the account before: per browser, per account and per address.
  device: 10,
  devices: 100,
  devicesAtAddress: 1_000,
  devicesAtAddressPerAccount: 10,
};
const sharedWindowMs = 24 * 3_600_000;
export interface AttemptSource {
  /** The typed name, or the signed-in person for a confirmation. */
  readonly name: string;
  readonly ip: string;
  /** Null when there is no such account, or several. */
  readonly account?: string | null;
  readonly device?: string | null;
}

export interface AdmittedAttempt {
  /** Runs the check and counts its outcome. Null counts as a failure; an error is not counted. */
  run<T>(check: () => Promise<T | null>, account: string | null): Promise<T | null>;
  cancel(): Promise<void>;
}

/** Limits failed passwords (docs/contract.md, Throttles). An attempt counts as a failure until it succeeds. */
export class LoginThrottle {
  readonly #counters: Counters;
  readonly #kind: PasswordThrottle;

  constructor(counters: Counters, kind: PasswordThrottle) {
    this.#counters = counters;
    this.#kind = kind;
  }

  /** Counts the attempt once per password. @throws AppError rate_limited; unavailable */
  async begin(who: AttemptSource, passwords = 1): Promise<AdmittedAttempt> {
    const counters = this.#countersOf(who);
    const counted = await this.#counters.countAttempt(counters, windowMs, passwords);
    return {
      cancel: () => counted.cancel(),
      run: async (check, account) => {
        const passed = await check().catch(async (error: unknown) => {
          await counted.cancel();
          throw error;
        });
        if (passed === null) await counted.fail();
        else {
          // A match among several passwords clears no failures, because the other passwords were wrong.
          const clear = passwords === 1 ? [counters[0].name] : [];
          const signIn = account && {
            counter: this.#signInsAt(who.ip),
            event: account,
            windowMs: sharedWindowMs,
          };
          await counted.succeed(clear, signIn || undefined);
        }
        return passed;
      },
    };
  }

  /** Returns first the counter that a success clears, and last the counter shared by the whole address. */
  #countersOf({ name, ip, account, device }: AttemptSource): [Counter, ...Counter[]] {
    const address = addressGroup(ip);
    if (account && device) {
      return [
        { name: this.#counterName('device', device, account), limit: limits.device },
        { name: this.#counterName('devices', account), limit: limits.devices },
        {
          name: this.#counterName('devices at', address),
          limit: limits.devicesAtAddress,
          onlyIfPreviousBelow: limits.devicesAtAddressPerAccount,
        },
      ];
    }
    return [
      { name: this.#counterName('pair', address, name), limit: limits.pair },
      { name: this.#counterName('name', name), limit: limits.name },
      {
        name: this.#counterName('address', address),
        limit: limits.address,
        limitGrowth: {
          counter: this.#signInsAt(ip),
          perEvent: limits.perAccount,
          max: limits.sharedAddressMost,
        },
      },
    ];
  }

  #signInsAt(ip: string): string {
    return this.#counterName('accounts at', addressGroup(ip));
  }

  #counterName(...keys: readonly string[]): string {
    return JSON.stringify([this.#kind, ...keys]);
  }
}
