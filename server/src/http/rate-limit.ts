import type { Monotonic } from '../clock.ts';

const windowMs = 60_000;
/** Credentials that have been quiet are swept out when the table grows past this. */
const sweepAbove = 10_000;

interface Bucket {
  readonly name: string;
  readonly max: number;
}

interface Window {
  startedAt: number;
  used: number;
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

/**
 * Limits requests per credential: all of them, and writes in addition, each in a window of 60 seconds that
 * begins with the first request counted. A refused request counts nowhere. Counted per process, as the
 * external API states, by time that passes and not by the clock of the machine.
 */
export class RateLimiter {
  readonly #total: Bucket;
  readonly #write: Bucket;
  readonly #now: Monotonic;
  readonly #windows = new Map<number, { total: Window; write: Window }>();
  /** Value of the IETF draft's RateLimit-Policy header. */
  readonly policy: string;

  constructor(limits: { totalPerMinute: number; writePerMinute: number }, now: Monotonic) {
    this.#now = now;
    this.#total = { name: 'total', max: limits.totalPerMinute };
    this.#write = { name: 'write', max: limits.writePerMinute };
    this.policy = [this.#total, this.#write]
      .map((bucket) => `"${bucket.name}";q=${bucket.max};w=${windowMs / 1000}`)
      .join(', ');
  }

  /** Counts a request of a credential, unless a bucket that it falls into is full. */
  take(tokenId: number, isWrite: boolean): RateLimitVerdict {
    const now = this.#now();
    let windows = this.#windows.get(tokenId);
    if (!windows) {
      if (this.#windows.size >= sweepAbove) this.#sweep(now);
      windows = { total: { startedAt: now, used: 0 }, write: { startedAt: now, used: 0 } };
      this.#windows.set(tokenId, windows);
    }
    restartWhenOver(windows.total, now);
    const total = this.#state(this.#total, windows.total, now);
    if (!isWrite) {
      if (total.left > 0) windows.total.used++;
      return verdict([total], now);
    }
    restartWhenOver(windows.write, now);
    const write = this.#state(this.#write, windows.write, now);
    if (total.left > 0 && write.left > 0) {
      windows.total.used++;
      windows.write.used++;
    }
    return verdict([total, write], now);
  }

  #state(bucket: Bucket, window: Window, now: number): BucketState {
    // A window begins with the first request counted in it, not with the end of the one before.
    const startedAt = window.used === 0 ? now : window.startedAt;
    window.startedAt = startedAt;
    return { bucket, left: bucket.max - window.used, endsAt: startedAt + windowMs };
  }

  #sweep(now: number): void {
    for (const [tokenId, { total, write }] of this.#windows) {
      if (now >= total.startedAt + windowMs && now >= write.startedAt + windowMs)
        this.#windows.delete(tokenId);
    }
  }
}

interface BucketState {
  readonly bucket: Bucket;
  /** Before this request. */
  readonly left: number;
  readonly endsAt: number;
}

function restartWhenOver(window: Window, now: number): void {
  if (now >= window.startedAt + windowMs) window.used = 0;
}

function verdict(states: readonly BucketState[], now: number): RateLimitVerdict {
  const allowed = states.every((state) => state.left > 0);
  const remaining = (state: BucketState) => (allowed ? state.left - 1 : Math.max(0, state.left));
  const seconds = (state: BucketState) => Math.max(1, Math.ceil((state.endsAt - now) / 1000));
  // Refused: the bucket that stays full for longest. Allowed: the one with the least left.
  const tightest = states.reduce((a, b) => {
    if (remaining(a) !== remaining(b)) return remaining(a) < remaining(b) ? a : b;
    return a.endsAt >= b.endsAt ? a : b;
  });
  return {
    allowed,
    limit: tightest.bucket.max,
    remaining: remaining(tightest),
    resetSeconds: seconds(tightest),
    summary: states
      .map((state) => `"${state.bucket.name}";r=${remaining(state)};t=${seconds(state)}`)
      .join(', '),
  };
}
