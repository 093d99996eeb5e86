import type { Database } from '../database/connect.ts';
import type { Clock, MonotonicClock } from '../time/clock.ts';
import {
  type BucketName,
  bucketNames,
  claimShares,
  type GrantedShare,
  type HeldShare,
  parseNotice,
  removeEndedWindows,
  returnShares,
  type StoredWindow,
  windowMs,
} from './rate-limit-shares.ts';

/** When more credentials are known, those whose windows are over are removed from memory. */
const windowsBeforeSweep = 10_000;

class Window {
  readonly name: BucketName;
  readonly max: number;
  startedAt: number | null = null;
  left = 0;
  /** Requests that no process has taken, as far as this process knows. */
  #unclaimed: number;
  #holders = 1;
  #earliestEnd = 0;
  #latestEnd = 0;

  constructor(name: BucketName, max: number) {
    this.name = name;
    this.max = max;
    this.#unclaimed = max;
  }

  /** Drops the share once the window may have ended, and the other counts once it certainly has. */
  advance(now: number): void {
    if (now >= this.#earliestEnd) this.left = 0;
    if (now < this.#latestEnd) return;
    this.#unclaimed = this.max;
    this.#holders = 1;
  }

  /** Returns whether the bucket is certainly used up. Once the window may have ended, only the database knows. */
  isUsedUp(now: number): boolean {
    return this.left === 0 && this.#unclaimed === 0 && now < this.#earliestEnd;
  }

  /** Leaves out shares when several processes hold some, so that a client never sees the number rise. */
  get remaining(): number {
    return this.#holders === 1 ? this.left + this.#unclaimed : this.#unclaimed;
  }

  isOver(now: number): boolean {
    return now >= this.#latestEnd;
  }

  msLeft(now: number): number {
    return this.isOver(now) ? windowMs : this.#latestEnd - now;
  }

  /** @param sentAt time before the query @param now time after its answer */
  applyGrant(
    { share, granted, holders, startedAt, msLeft }: GrantedShare,
    sentAt: number,
    now: number,
  ): void {
    if (startedAt !== this.startedAt) this.left = 0;
    this.startedAt = startedAt;
    if (msLeft <= 0) return;
    this.left += share;
    this.#unclaimed = Math.max(0, this.max - granted);
    this.#holders = holders;
    this.#earliestEnd = sentAt + msLeft;
    this.#latestEnd = now + msLeft;
  }

  applyNotice({ granted, holders, startedAt }: StoredWindow): void {
    if (startedAt !== this.startedAt) return;
    this.#unclaimed = Math.max(0, Math.min(this.#unclaimed, this.max - granted));
    this.#holders = Math.max(this.#holders, holders);
  }
}

type Windows = Readonly<Record<BucketName, Window>>;

interface PendingClaim {
  reads: number;
  writes: number;
  readonly answered: Promise<void>;
}

/** The state of the bucket with the fewest requests left, after a request was counted or refused. */
export interface RateLimitVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** Value of the IETF draft's RateLimit header. */
  readonly summary: string;
}

export interface RateLimiterOptions {
  readonly totalPerMinute: number;
  readonly writePerMinute: number;
  readonly db: Database;
  readonly monotonic: MonotonicClock;
  readonly databaseClock: Clock | null;
}

/**
 * Limits requests per credential (docs/contract.md, Rate limits). Processes claim shares from the database and count
 * against them without a query. Notices of claims only update the reported numbers and save queries.
 */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #max: Readonly<Record<BucketName, number>>;
  readonly #windows = new Map<number, Windows>();
  readonly #pendingClaims = new Map<number, PendingClaim>();
  readonly #runningClaims = new Map<number, Promise<void>>();
  /** Value of the IETF draft's RateLimit-Policy header. */
  readonly policy: string;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#max = { total: options.totalPerMinute, write: options.writePerMinute };
    this.policy = bucketNames.map((name) => `"${name}";q=${this.#max[name]};w=${windowMs / 1000}`).join(', ');
  }

  /**
   * Counts a request unless a bucket is used up. @returns null if only the database knows; then call `claimAndCount`
   */
  tryCount(tokenId: number, isWrite: boolean): RateLimitVerdict | null {
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

  /** Claims a share, then counts like `tryCount`. @throws DatabaseError, DatabaseLostError; then the request is not counted */
  async claimAndCount(tokenId: number, isWrite: boolean): Promise<RateLimitVerdict> {
    for (;;) {
      await this.#joinClaim(tokenId, isWrite);
      // Earlier callers may have used up the share; then this one claims again.
      const decided = this.tryCount(tokenId, isWrite);
      if (decided) return decided;
    }
  }

  applyNotice(notice: string): void {
    try {
      const [tokenId, total, write] = parseNotice(notice);
      const windows = this.#windows.get(tokenId);
      windows?.total.applyNotice(total);
      windows?.write.applyNotice(write);
    } catch {
      // Ignores a notice of another program or version. The next share brings the current numbers.
    }
  }

  returnShares(): Promise<void> {
    const now = this.#options.monotonic();
    const unused = [...this.#windows].flatMap(([tokenId, windows]) => {
      for (const name of bucketNames) windows[name].advance(now);
      const { total, write } = windows;
      return total.left + write.left > 0 ? [{ tokenId, total, write }] : [];
    });
    this.#windows.clear();
    return returnShares(this.#options.db, unused);
  }

  removeEndedWindows(): Promise<void> {
    return removeEndedWindows(this.#options.db, this.#options.databaseClock);
  }

  /** Joins the next claim, or waits for the answer of a running one. */
  #joinClaim(tokenId: number, isWrite: boolean): Promise<void> {
    const running = this.#runningClaims.get(tokenId);
    if (running) return running;
    let claim = this.#pendingClaims.get(tokenId);
    if (!claim) {
      claim = { reads: 0, writes: 0, answered: Promise.resolve().then(() => this.#runClaim(tokenId)) };
      this.#pendingClaims.set(tokenId, claim);
    }
    if (isWrite) claim.writes++;
    else claim.reads++;
    return claim.answered;
  }

  #runClaim(tokenId: number): Promise<void> {
    const { reads, writes } = this.#pendingClaims.get(tokenId) as PendingClaim;
    this.#pendingClaims.delete(tokenId);
    const answered = this.#claimShares(tokenId, reads, writes).finally(() =>
      this.#runningClaims.delete(tokenId),
    );
    this.#runningClaims.set(tokenId, answered);
    return answered;
  }

  async #claimShares(tokenId: number, reads: number, writes: number): Promise<void> {
    const { db, monotonic, databaseClock } = this.#options;
    const sentAt = monotonic();
    const { total, write } = this.#windowsOf(tokenId, sentAt);
    for (const window of [total, write]) window.advance(sentAt);
    const held: Record<BucketName, HeldShare> = { total, write };
    const granted = await claimShares(db, databaseClock, { tokenId, reads, writes, held });
    const windows = this.#windowsOf(tokenId, sentAt);
    for (const name of bucketNames) windows[name].applyGrant(granted[name], sentAt, monotonic());
  }

  #windowsOf(tokenId: number, now: number): Windows {
    const known = this.#windows.get(tokenId);
    if (known) return known;
    if (this.#windows.size >= windowsBeforeSweep) this.#sweep(now);
    const windows = {
      total: new Window('total', this.#max.total),
      write: new Window('write', this.#max.write),
    };
    this.#windows.set(tokenId, windows);
    return windows;
  }

  #sweep(now: number): void {
    for (const [tokenId, { total, write }] of this.#windows) {
      if (total.isOver(now) && write.isOver(now)) this.#windows.delete(tokenId);
    }
  }
}

function verdict(windows: readonly Window[], allowed: boolean, now: number): RateLimitVerdict {
  const seconds = (window: Window) => Math.max(1, Math.ceil(window.msLeft(now) / 1000));
  // Of equal buckets, chooses the one whose window ends last, because a refused caller has to wait for both.
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
