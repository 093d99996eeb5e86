import type { Doubt, Problem } from './tap.ts';

export type Attempt<T> =
  | { readonly outcome: 'answered'; readonly answer: T }
  /** The server understood the request and said no; a retry does not help. */
  | { readonly outcome: 'refused'; readonly problem: Problem }
  /** The request may have been lost, or the server asks to retry: the same key makes that safe. */
  | UnknownOutcome;

export interface UnknownOutcome {
  readonly outcome: 'unknown';
  readonly retryAfterMs: number | null;
  /** Concerns this tap or mark alone: others need not wait. */
  readonly isLocal: boolean;
  /** The server failed or did not answer in time. After several such failures a person may give up. */
  readonly hasServerFailed: boolean;
  /** Whether the server may have saved it anyway. */
  readonly doubt: Doubt;
}

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
