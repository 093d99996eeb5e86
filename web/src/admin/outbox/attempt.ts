import { ApiFailure, NetworkFailure } from '../../api/api-failure.ts';
import { type Doubt, type Entry, type EntryUpdate, isUnanswered, type Problem } from './entry.ts';

export type Attempt<T> =
  | { readonly outcome: 'answered'; readonly answer: T }
  /** The server understood the request and refused it, so a retry would not help. */
  | { readonly outcome: 'refused'; readonly problem: Problem }
  /** The server may have the request or not, or asks for a retry, which is safe with the same key. */
  | UnknownOutcome;

export interface UnknownOutcome {
  readonly outcome: 'unknown';
  readonly retryAfterMs: number | null;
  /** True when only this entry must wait, and the others can be sent. */
  readonly isLocal: boolean;
  /** True when the server failed or did not answer in time. After several such failures, the user may give up. */
  readonly hasServerFailed: boolean;
  /** Whether the server may have saved the entry in spite of the failure. */
  readonly doubt: Doubt;
}

/** The longest accepted `Retry-After`, because a proxy may send any value. */
const retryAfterMaxMs = 60_000;

export const unexpectedFailure: UnknownOutcome = {
  outcome: 'unknown',
  retryAfterMs: null,
  isLocal: true,
  hasServerFailed: true,
  doubt: 'real',
};

/** Returns the delay before a retry. `failures` counts the failures in a row before this one. */
export const backoffMs = (failures: number): number => [500, 1_000, 2_000, 4_000, 8_000][failures] ?? 15_000;

/** Returns the change after a refusal. The entry becomes `unsure` if an earlier attempt may have been saved. */
export function updateForRefusal(sent: Entry, problem: Problem): EntryUpdate {
  const state = sent.doubt === 'real' ? 'unsure' : 'refused';
  // Does nothing if another page took the entry over while this page was frozen.
  return (entry) =>
    entry.page === sent.page && isUnanswered(entry) ? [{ ...entry, state, problem, underWay: false }] : null;
}

export const toAttempt = <T>(sent: Promise<T>): Promise<Attempt<T>> =>
  sent.then((answer) => ({ outcome: 'answered', answer }), failedAttempt);

/** Distinguishes a refusal from a failure after which the same request may be sent again. */
export function failedAttempt(error: unknown): Attempt<never> {
  if (!(error instanceof ApiFailure)) {
    const isTimedOut = error instanceof NetworkFailure && isTimeout(error.cause);
    return { ...unexpectedFailure, isLocal: isTimedOut, hasServerFailed: isTimedOut };
  }
  const { status, message, reason, retryAfterSeconds, requestId } = error;
  // A proxy has answered, which knows nothing about the entry.
  const isForeign = requestId === null;
  // The server still handles another request with this key; a retry will get its answer.
  const isInUse = status === 409 && retryAfterSeconds !== null;
  // A retry can succeed only after the administrator has signed in or set up a second factor.
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
    // When the server fails, it rolls the request back, unless it loses its database during the commit.
    doubt: isForeign || isInUse ? 'real' : status >= 500 ? 'slight' : 'none',
  };
}

const isTimeout = (cause: unknown) => cause instanceof DOMException && cause.name === 'TimeoutError';
