import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import type { Sealing } from './sealing.ts';

export interface Account {
  readonly kind: 'administrator' | 'student';
  readonly id: number;
  /** When the hash changes, no browser is recognised for the account any more. */
  readonly passwordHash: string;
}

export interface Browser {
  isKnown(): boolean;
  /** Returns the browser's id, or null if nobody signed in to the account with this browser within a year. */
  idFor(account: Account): string | null;
  /** Call this after every sign-in, and after people change their own password. */
  remember(account: Account): void;
}

const accountsMax = 8;
export const deviceCookieDays = 365;
const dayMs = 86_400_000;
const fingerprintLength = 22;

interface AccountEntry {
  readonly day: number;
  readonly fingerprint: string;
}

interface CookieContent {
  readonly browserId: string;
  readonly entries: readonly AccountEntry[];
}

/** Recognises browsers by OWASP's device cookie, which grants no access (docs/contract.md, Throttles). */
export class KnownDevices {
  readonly #sealing: Pick<Sealing, 'sign' | 'verify'>;
  readonly #clock: Clock;

  constructor(sealing: Pick<Sealing, 'sign' | 'verify'>, clock: Clock) {
    this.#sealing = sealing;
    this.#clock = clock;
  }

  readBrowser(cookie: string, setCookie: (cookie: string) => void): Browser {
    const today = Math.floor(this.#clock().getTime() / dayMs);
    let found: CookieContent | undefined;
    const read = () => {
      found ??= this.#parse(cookie, today);
      return found;
    };
    return {
      isKnown: () => read().entries.length > 0,
      idFor: (account) => {
        const { browserId, entries } = read();
        return entries.some(({ day, fingerprint }) => fingerprint === fingerprintOf(browserId, day, account))
          ? browserId
          : null;
      },
      remember: (account) => {
        const { browserId, entries } = read();
        const others = entries.filter(
          ({ day, fingerprint }) => fingerprint !== fingerprintOf(browserId, day, account),
        );
        const newest = { day: today, fingerprint: fingerprintOf(browserId, today, account) };
        const kept = [newest, ...others]
          .slice(0, accountsMax)
          .map(({ day, fingerprint }) => `${day}.${fingerprint}`);
        setCookie(this.#sealing.sign('device cookies', [browserId, ...kept].join('.')));
      },
    };
  }

  #parse(cookie: string, today: number): CookieContent {
    const text = cookie === '' ? null : this.#sealing.verify('device cookies', cookie);
    if (text === null) return { browserId: randomBytes(16).toString('base64url'), entries: [] };
    const [browserId, ...rest] = text.split('.') as [string, ...string[]];
    const entries: AccountEntry[] = [];
    for (let n = 0; n + 1 < rest.length; n += 2) {
      entries.push({ day: Number(rest[n]), fingerprint: rest[n + 1] as string });
    }
    return { browserId, entries: entries.filter(({ day }) => today - day < deviceCookieDays) };
  }
}

/** Includes the salted password hash, which is secret, so nobody can find the account by trying ids. */
const fingerprintOf = (browserId: string, day: number, { kind, id, passwordHash }: Account) =>
  hash('sha256', JSON.stringify([browserId, day, kind, id, passwordHash]), 'base64url').slice(
    0,
    fingerprintLength,
  );
