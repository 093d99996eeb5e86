import type { Clock, Monotonic } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import {
  type BucketName,
  bucketNames,
  type Granted,
  giveBack,
  type Held,
  readNotice,
  removeEndedWindows,
  type Taken,
  takeParts,
  windowMs,
} from './rate-limit-parts.ts';

/** Credentials that have been quiet are swept out when more than these are known. */
const sweepAbove = 10_000;

/** What a process knows of the window of one bucket of a credential. */
class Window {
  readonly name: BucketName;
  readonly max: number;
  startedAt: string | null = null;
  /** Of the part of this process. */
  left = 0;
  /** What no process has taken, as far as this one has heard. */
  #unclaimed: number;
  #holders = 1;
  /** What is known holds until then: certainly not longer than the window lasts. */
  #knownUntil = 0;
  /** Then the window is certainly over. */
  #overAt = 0;

  constructor(name: BucketName, max: number) {
    this.name = name;
    this.max = max;
    this.#unclaimed = max;
  }

  /** Forgets a window that has ended. */
  advance(now: number): void {
    if (now >= this.#knownUntil) this.left = 0;
    if (now < this.#overAt) return;
    this.#unclaimed = this.max;
    this.#holders = 1;
  }

  /** Whether nothing is left for certain: between the two moments the database has to be asked. */
  isUsedUp(now: number): boolean {
    return this.left === 0 && this.#unclaimed === 0 && now < this.#knownUntil;
  }

  /**
   * What is left of it, as far as this process knows. Where there are several, their parts are left out: they know nothing
   * of each other's, and whoever meets one after the other is not to be told of more than before.
   */
  get remaining(): number {
    return this.#holders === 1 ? this.left + this.#unclaimed : this.#unclaimed;
  }

  isOver(now: number): boolean {
    return now >= this.#overAt;
  }

  msLeft(now: number): number {
    return this.isOver(now) ? windowMs : this.#overAt - now;
  }

  /** @param askedAt before the database was asked; it is now when it has answered */
  learn({ part, granted, holders, startedAt, msLeft }: Granted, askedAt: number, now: number): void {
    if (startedAt !== this.startedAt) this.left = 0;
    this.startedAt = startedAt;
    if (msLeft <= 0) return;
    this.left += part;
    this.#unclaimed = Math.max(0, this.max - granted);
    this.#holders = holders;
    this.#knownUntil = askedAt + msLeft;
    this.#overAt = now + msLeft;
  }

  /** Another process has taken a part. */
  hear({ granted, holders, startedAt }: Taken[BucketName]): void {
    if (startedAt !== this.startedAt) return;
    this.#unclaimed = Math.max(0, Math.min(this.#unclaimed, this.max - granted));
    this.#holders = Math.max(this.#holders, holders);
  }
}

type Windows = Readonly<Record<BucketName, Window>>;

/** Requests that wait for the same statement. */
interface Asking {
  reads: number;
  writes: number;
  readonly answered: Promise<void>;
}

/** What is left in the tightest bucket after a request, or why it was refused. */
export interface RateLimitVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket's window ends. */
  readonly resetSeconds: number;
  /** Value of the IETF draft's RateLimit header. */
  readonly summary: string;
}

export interface RateLimiterOptions {
  readonly totalPerMinute: number;
  readonly writePerMinute: number;
  readonly db: Database;
  readonly monotonic: Monotonic;
  /** Stands for the clock of the database, in tests; null otherwise. */
  readonly databaseClock: Clock | null;
}

/**
 * Limits requests per credential: all of them, and writes in addition, each in a window of 60 seconds that begins with
 * the first request counted. A refused request counts nowhere.
 *
 * All processes of an installation share the windows: each takes parts of them from the database (rate-limit-parts.ts) and
 * serves from its part without asking. So together they never serve more than a window has. How long a window lasts is
 * measured by the clock of the database when parts are taken, and by time that passes here in between. Where several have
 * parts, each hears what the others take: only what is told of the limit depends on that.
 */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #windows = new Map<number, Windows>();
  /** By credential, while a statement is about to be sent, and while it is under way. */
  readonly #gathering = new Map<number, Asking>();
  readonly #underWay = new Map<number, Promise<void>>();
  /** Value of the IETF draft's RateLimit-Policy header. */
  readonly policy: string;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.policy = bucketNames
      .map((name) => `"${name}";q=${this.#maxOf(name)};w=${windowMs / 1000}`)
      .join(', ');
  }

  /**
   * Counts a request of a credential, unless a bucket that it falls into is used up.
   *
   * @returns null where this process has no part and does not know that none is left: then `ask`
   */
  take(tokenId: number, isWrite: boolean): RateLimitVerdict | null {
    const now = this.#options.monotonic();
    const { total, write } = this.#windowsOf(tokenId, now);
    total.advance(now);
    const windows = isWrite ? [total, write] : [total];
    if (isWrite) write.advance(now);
    if (windows.some((window) => window.isUsedUp(now))) return verdict(windows, false, now);
    if (windows.some(({ left }) => left === 0)) return null;
    for (const window of windows) window.left--;
    return verdict(windows, true, now);
  }

  /**
   * Takes a part for this process and counts a request as `take` does.
   *
   * @throws DatabaseError, DatabaseLostError when the database cannot be asked; then the request counts nowhere
   */
  async ask(tokenId: number, isWrite: boolean): Promise<RateLimitVerdict> {
    for (;;) {
      await this.#share(tokenId, isWrite);
      // What has come is for those who are first; the others ask again.
      const decided = this.take(tokenId, isWrite);
      if (decided) return decided;
    }
  }

  /** @param notice what came in on `limitChannel` */
  hear(notice: string): void {
    try {
      const { tokenId, taken } = readNotice(notice);
      const windows = this.#windows.get(tokenId);
      if (windows) for (const name of bucketNames) windows[name].hear(taken[name]);
    } catch {
      // Said by somebody else: what it was about is heard with the next part.
    }
  }

  /** Gives back what this process will not use any more. */
  giveBack(): Promise<void> {
    const now = this.#options.monotonic();
    const unused = [...this.#windows].flatMap(([tokenId, windows]) => {
      for (const name of bucketNames) windows[name].advance(now);
      const { total, write } = windows;
      return total.left + write.left > 0 ? [{ tokenId, total, write }] : [];
    });
    this.#windows.clear();
    return giveBack(this.#options.db, unused);
  }

  /** Removes what is past its time from the database. */
  removeEnded(): Promise<void> {
    return removeEndedWindows(this.#options.db, this.#options.databaseClock);
  }

  /** Requests that wait at the same time ask together, when the answer to those before has come. */
  #share(tokenId: number, isWrite: boolean): Promise<void> {
    const before = this.#underWay.get(tokenId);
    if (before) return before;
    let asking = this.#gathering.get(tokenId);
    if (!asking) {
      asking = { reads: 0, writes: 0, answered: Promise.resolve().then(() => this.#send(tokenId)) };
      this.#gathering.set(tokenId, asking);
    }
    if (isWrite) asking.writes++;
    else asking.reads++;
    return asking.answered;
  }

  #send(tokenId: number): Promise<void> {
    const { reads, writes } = this.#gathering.get(tokenId) as Asking;
    this.#gathering.delete(tokenId);
    const answered = this.#takeParts(tokenId, reads, writes).finally(() => this.#underWay.delete(tokenId));
    this.#underWay.set(tokenId, answered);
    return answered;
  }

  async #takeParts(tokenId: number, reads: number, writes: number): Promise<void> {
    const { db, monotonic, databaseClock } = this.#options;
    const askedAt = monotonic();
    const { total, write } = this.#windowsOf(tokenId, askedAt);
    for (const window of [total, write]) window.advance(askedAt);
    const held: Record<BucketName, Held> = { total, write };
    const granted = await takeParts(db, databaseClock, { tokenId, reads, writes, held });
    const windows = this.#windowsOf(tokenId, askedAt);
    for (const name of bucketNames) windows[name].learn(granted[name], askedAt, monotonic());
  }

  #windowsOf(tokenId: number, now: number): Windows {
    const known = this.#windows.get(tokenId);
    if (known) return known;
    if (this.#windows.size >= sweepAbove) this.#sweep(now);
    const windows = {
      total: new Window('total', this.#maxOf('total')),
      write: new Window('write', this.#maxOf('write')),
    };
    this.#windows.set(tokenId, windows);
    return windows;
  }

  #maxOf(name: BucketName): number {
    const { totalPerMinute, writePerMinute } = this.#options;
    return { total: totalPerMinute, write: writePerMinute }[name];
  }

  #sweep(now: number): void {
    for (const [tokenId, { total, write }] of this.#windows) {
      if (total.isOver(now) && write.isOver(now)) this.#windows.delete(tokenId);
    }
  }
}

/** @param windows after the request was counted, where it is allowed */
function verdict(windows: readonly Window[], allowed: boolean, now: number): RateLimitVerdict {
  const seconds = (window: Window) => Math.max(1, Math.ceil(window.msLeft(now) / 1000));
  // Refused: the bucket that stays used up for longest. Allowed: the one with the least left.
  const tightest = windows.reduce((a, b) => {
    if (a.remaining !== b.remaining) return a.remaining < b.remaining ? a : b;
    return a.msLeft(now) >= b.msLeft(now) ? a : b;
  });
  return {
    allowed,
    limit: tightest.max,
    remaining: tightest.remaining,
    resetSeconds: seconds(tightest),
    summary: windows.map((each) => `"${each.name}";r=${each.remaining};t=${seconds(each)}`).join(', '),
  };
}
