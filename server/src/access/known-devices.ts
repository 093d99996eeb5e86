import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Sealing } from './sealing.ts';

/** An account that a browser may know. */
export interface Account {
  readonly kind: 'administrator' | 'student';
  readonly id: number;
  /** When it changes, the account is known nowhere any more. */
  readonly passwordHash: string;
}

/** The browser of a call, as far as its cookie tells. */
export interface Browser {
  /** Whether anybody has signed in there before. */
  isKnown(): boolean;
  /** @returns what names the browser; null where nobody has signed in to this account, or too long ago */
  knownAt(account: Account): string | null;
  /** To be called after every sign-in, however it was proved, and when the own password was changed. */
  remember(account: Account): void;
}

/** People who share a computer. */
const accountsMax = 8;
/** After the last sign-in there. */
export const knownDays = 365;
const dayMs = 86_400_000;
const printLength = 22;

/** When somebody signed in, and what only a browser of this name and this account can have. */
interface Entry {
  readonly day: number;
  readonly print: string;
}

interface Cookie {
  /** Of the browser, at random. */
  readonly name: string;
  readonly entries: readonly Entry[];
}

/**
 * Knows again the browsers in which somebody has signed in (docs/contract.md, Throttles): OWASP calls it a device cookie. It opens
 * nothing. It tells whose failed attempts are likely the owner's own, so that strangers cannot use them up. The cookie is
 * signed, names no one, and holds a few accounts; an account is forgotten a year after its last sign-in there, and at once
 * when its password is changed anywhere else.
 */
export class KnownDevices {
  readonly #sealing: Pick<Sealing, 'sign' | 'verify'>;
  readonly #clock: Clock;

  constructor(sealing: Pick<Sealing, 'sign' | 'verify'>, clock: Clock) {
    this.#sealing = sealing;
    this.#clock = clock;
  }

  /**
   * @param cookie what the browser sent; empty without one
   * @param keep gives the browser a new cookie
   */
  browser(cookie: string, keep: (cookie: string) => void): Browser {
    const today = Math.floor(this.#clock().getTime() / dayMs);
    let found: Cookie | undefined;
    // Most calls never ask.
    const read = () => {
      found ??= this.#read(cookie, today);
      return found;
    };
    return {
      isKnown: () => read().entries.length > 0,
      knownAt: (account) => {
        const { name, entries } = read();
        return entries.some(({ day, print }) => print === printOf(name, day, account)) ? name : null;
      },
      remember: (account) => {
        const { name, entries } = read();
        const others = entries.filter(({ day, print }) => print !== printOf(name, day, account));
        const newest = { day: today, print: printOf(name, today, account) };
        const kept = [newest, ...others].slice(0, accountsMax).map(({ day, print }) => `${day}.${print}`);
        keep(this.#sealing.sign('device cookies', [name, ...kept].join('.')));
      },
    };
  }

  /** What stands in a cookie of ours; of any other, nothing, under a new name. */
  #read(cookie: string, today: number): Cookie {
    const text = cookie === '' ? null : this.#sealing.verify('device cookies', cookie);
    if (text === null) return { name: randomBytes(16).toString('base64url'), entries: [] };
    const [name, ...rest] = text.split('.') as [string, ...string[]];
    const entries: Entry[] = [];
    for (let n = 0; n + 1 < rest.length; n += 2) {
      entries.push({ day: Number(rest[n]), print: rest[n + 1] as string });
    }
    return { name, entries: entries.filter(({ day }) => today - day < knownDays) };
  }
}

/** The hash of a password is salted, so nobody who reads the cookie finds out whose it is. */
const printOf = (name: string, day: number, { kind, id, passwordHash }: Account) =>
  hash('sha256', JSON.stringify([name, day, kind, id, passwordHash]), 'base64url').slice(0, printLength);
