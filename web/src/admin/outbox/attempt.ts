import { ApiFailure, NetworkFailure } from '../../api/api-failure.ts';
import { type Change, type Doubt, type Entry, isUnanswered, type Problem } from './entry.ts';

export type Attempt<T> =
  | { readonly outcome: 'answered'; readonly answer: T }
  /** The server understood the request and said no; a retry does not help. */
  | { readonly outcome: 'refused'; readonly problem: Problem }
  /** The request may have been lost, or the server asks to retry: the same key makes that safe. */
  | UnknownOutcome;

export interface UnknownOutcome {
  readonly outcome: 'unknown';
  readonly retryAfterMs: number | null;
  /** Concerns this entry alone: others need not wait. */
  readonly isLocal: boolean;
  /** The server failed or did not answer in time. After several such failures a person may give up. */
  readonly hasServerFailed: boolean;
  /** Whether the server may have saved it anyway. */
  readonly doubt: Doubt;
}

/** Caps `Retry-After`, which a proxy may also send. */
const retryAfterMaxMs = 60_000;

/** Stands for an unexpected exception, such as an unreadable answer. */
export const unexpectedFailure: UnknownOutcome = {
  outcome: 'unknown',
  retryAfterMs: null,
  isLocal: true,
  hasServerFailed: true,
  doubt: 'real',
};

/** Returns the delay before a retry. `failures` counts the failures in a row before this one. */
export const backoffMs = (failures: number): number => [500, 1_000, 2_000, 4_000, 8_000][failures] ?? 15_000;

/** Returns what a refusal changes. A refusal, such as of a lost permission, does not say what an earlier attempt has saved. */
export function refusalOf(sent: Entry, problem: Problem): Change {
  const state = sent.doubt === 'real' ? 'unsure' : 'refused';
  // Another page may have taken the entry over while this one was frozen.
  return (entry) =>
    entry.page === sent.page && isUnanswered(entry) ? [{ ...entry, state, problem, underWay: false }] : null;
}

/** Returns the outcome of a request. */
export const attemptOf = <T>(sent: Promise<T>): Promise<Attempt<T>> =>
  sent.then((answer) => ({ outcome: 'answered', answer }), failedAttempt);

/** Tells a refusal from a failure after which the same request may be retried. */
export function failedAttempt(error: unknown): Attempt<never> {
  if (!(error instanceof ApiFailure)) {
    const isTimedOut = error instanceof NetworkFailure && isTimeout(error.cause);
    return { ...unexpectedFailure, isLocal: isTimedOut, hasServerFailed: isTimedOut };
  }
  const { status, message, reason, retryAfterSeconds, requestId } = error;
  // A proxy answered, which does not know the entry.
  const isForeign = requestId === null;
  // Another request with this key is running; its answer can be fetched in a moment.
  const isInUse = status === 409 && retryAfterSeconds !== null;
  // The administrator must sign in or set up a second factor first.
  const isTooEarly = status === 401 || reason === 'factor';
  const canRetry = isForeign || isInUse || status >= 500 || status === 429 || isTooEarly;
  if (!canRetry) return { outcome: 'refused', problem: { status, message } };
  const failed = isForeign || status >= 500;
  const minimumMs = isTooEarly ? 15_000 : null;
  return {
    outcome: 'unknown',
    retryAfterMs: retryAfterSeconds ? Math.min(retryAfterSeconds * 1_000, retryAfterMaxMs) : minimumMs,
    isLocal: failed || isInUse,
    hasServerFailed: failed,
    // The server rolls back a request at which it fails, unless it lost its database during the commit.
    doubt: isForeign || isInUse ? 'real' : status >= 500 ? 'slight' : 'none',
  };
}

const isTimeout = (cause: unknown) => cause instanceof DOMException && cause.name === 'TimeoutError';
