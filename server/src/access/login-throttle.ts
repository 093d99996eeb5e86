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

/** Limits failed passwords (docs/contract.md, Throttles). An attempt counts as a failure until it succeeds. */
export function loginThrottle(counters: Counters, kind: PasswordThrottle) {
  const counterName = (...keys: readonly string[]) => JSON.stringify([kind, ...keys]);
  const signInsAt = (ip: string) => counterName('accounts at', addressGroup(ip));

  /** Returns first the counter that a success clears, and last the counter shared by the whole address. */
  function countersOf({ name, ip, account, device }: AttemptSource): [Counter, ...Counter[]] {
    const address = addressGroup(ip);
    if (account && device) {
      return [
        { name: counterName('device', device, account), limit: limits.device },
        { name: counterName('devices', account), limit: limits.devices },
        {
          name: counterName('devices at', address),
          limit: limits.devicesAtAddress,
          onlyIfPreviousBelow: limits.devicesAtAddressPerAccount,
        },
      ];
    }
    const { perAccount: perEvent, sharedAddressMost: max } = limits;
    return [
      { name: counterName('pair', address, name), limit: limits.pair },
      { name: counterName('name', name), limit: limits.name },
      {
        name: counterName('address', address),
        limit: limits.address,
        limitGrowth: { counter: signInsAt(ip), perEvent, max },
      },
    ];
  }

  return {
    /** Counts the attempt once per password. @throws AppError rate_limited; unavailable */
    async begin(who: AttemptSource, passwords = 1) {
      const limiting = countersOf(who);
      const counted = await counters.countAttempt(limiting, windowMs, passwords);
      return {
        cancel: () => counted.cancel(),
        /** Runs the check and counts its outcome. Null counts as a failure; an error is not counted. */
        async run<T>(check: () => Promise<T | null>, account: string | null): Promise<T | null> {
          const passed = await check().catch(async (error: unknown) => {
            await counted.cancel();
            throw error;
          });
          if (passed === null) {
            await counted.fail();
            return null;
          }
          // A match among several passwords clears no failures, because the other passwords were wrong.
          const clear = passwords === 1 ? [limiting[0].name] : [];
          const signIn = { counter: signInsAt(who.ip), event: account ?? '', windowMs: sharedWindowMs };
          await counted.succeed(clear, account ? signIn : undefined);
          return passed;
        },
      };
    },
  };
}
