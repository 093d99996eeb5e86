import type { Clock } from './call.ts';
import {
  ApiError,
  MalformedAnswerError,
  NetworkError,
  RateLimitedError,
  ServerError,
  TimeoutError,
} from './errors.ts';

export interface RetryPolicy {
  readonly attempts: number;
  /** Approximate wait before the second attempt; each further wait doubles. */
  readonly firstWaitMs: number;
  /** Longest wait. When the server asks for much more, the client throws the error at once. */
  readonly longestWaitMs: number;
}

/** Long enough to outlast the rate limit's window of a minute. */
export const defaultRetries: RetryPolicy = { attempts: 5, firstWaitMs: 500, longestWaitMs: 75_000 };

/** Statuses of proxies that could not reach the server. */
const temporaryStatuses = [429, 502, 503, 504];

export interface Repetition {
  readonly isRepeatable: boolean;
  /** True when the call only reads or has an idempotency key. */
  readonly isReadOrKeyed: boolean;
}

/** Returns true when repeating the call is safe and can succeed. */
function shouldRetry(error: unknown, { isRepeatable, isReadOrKeyed }: Repetition): boolean {
  // The server refused the call before it did anything.
  if (error instanceof RateLimitedError) return true;
  if (error instanceof NetworkError) return isRepeatable || error.neverSent;
  if (error instanceof TimeoutError) return isRepeatable;
  if (error instanceof MalformedAnswerError) return isRepeatable && temporaryStatuses.includes(error.status);
  // After an unexpected failure the state is unknown; only a key tells the server that the work is the same.
  if (error instanceof ServerError) return isReadOrKeyed;
  // A 503 is temporary, and so is the refusal of a key that an earlier attempt still uses.
  return (
    isRepeatable && error instanceof ApiError && (error.status === 503 || error.retryAfterSeconds !== null)
  );
}

/** Returns the wait before the next attempt, or null to stop. Jitter spreads the retries of many clients. */
export function retryWaitMs(
  error: unknown,
  { attempt, ...repetition }: Repetition & { readonly attempt: number },
  policy: RetryPolicy,
  clock: Clock,
): number | null {
  if (attempt >= policy.attempts || !shouldRetry(error, repetition)) return null;
  const { retryAfterSeconds = null } = error as { retryAfterSeconds?: number | null };
  const step = Math.min(policy.firstWaitMs * 2 ** (attempt - 1), policy.longestWaitMs);
  const wait = (retryAfterSeconds ?? 0) * 1000 + step * (0.5 + clock.random() / 2);
  return wait <= policy.longestWaitMs + step ? wait : null;
}
