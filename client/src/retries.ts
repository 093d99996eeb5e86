import type { Clock } from './call.ts';
import {
  ApiError,
  MalformedAnswerError,
  NetworkError,
  RateLimitedError,
  ServerError,
  TimeoutError,
} from './errors.ts';

/** How often and how long the client tries. */
export interface RetryPolicy {
  /** Attempts in all, the first one included. */
  readonly attempts: number;
  /** About how long to wait before the second attempt; the wait doubles with each. */
  readonly firstWaitMs: number;
  /** Nothing is waited for longer; who is told to wait longer gets the error at once. */
  readonly longestWaitMs: number;
}

/** Long enough to outlast a window of the rate limit, which is a minute. */
export const defaultRetries: RetryPolicy = { attempts: 5, firstWaitMs: 500, longestWaitMs: 75_000 };

/** Statuses of proxies that could not reach the server, or not now. */
const passing = [429, 502, 503, 504];

/** What a repetition of a call can do. */
export interface Repetition {
  /** A second call leaves everything as the first one did. */
  readonly isRepeatable: boolean;
  /** It reads, or the server knows its key. */
  readonly isReadOrKeyed: boolean;
}

/** Whether the same call may do better in a moment, and repeating it can do no harm. */
function isWorthRepeating(error: unknown, { isRepeatable, isReadOrKeyed }: Repetition): boolean {
  // Refused before anything was done.
  if (error instanceof RateLimitedError) return true;
  if (error instanceof NetworkError) return isRepeatable || error.neverSent;
  if (error instanceof TimeoutError) return isRepeatable;
  if (error instanceof MalformedAnswerError) return isRepeatable && passing.includes(error.status);
  // Nobody knows what an unexpected failure left behind: only the key tells the server that this is the same work.
  if (error instanceof ServerError) return isReadOrKeyed;
  // 503 says when to come again, and so does a key that an attempt before this one still holds.
  return (
    isRepeatable && error instanceof ApiError && (error.status === 503 || error.retryAfterSeconds !== null)
  );
}

/**
 * How long to wait before the next attempt, at least as long as the server asks; null where there must be none. Waits of
 * many clients that failed together end at different times.
 */
export function waitBefore(
  error: unknown,
  { attempt, ...repetition }: Repetition & { readonly attempt: number },
  policy: RetryPolicy,
  clock: Clock,
): number | null {
  if (attempt >= policy.attempts || !isWorthRepeating(error, repetition)) return null;
  const { retryAfterSeconds = null } = error as { retryAfterSeconds?: number | null };
  const step = Math.min(policy.firstWaitMs * 2 ** (attempt - 1), policy.longestWaitMs);
  const wait = (retryAfterSeconds ?? 0) * 1000 + step * (0.5 + clock.random() / 2);
  return wait <= policy.longestWaitMs + step ? wait : null;
}
