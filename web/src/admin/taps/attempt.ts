import type { Doubt, Problem } from './tap.ts';

/** What became of an attempt to send something. */
export type Attempt<T> =
  | { readonly outcome: 'answered'; readonly answer: T }
  /** For good: the server understood and said no. */
  | { readonly outcome: 'refused'; readonly problem: Problem }
  /** No one knows whether it arrived, or the server asks to try again: the same key makes that safe. */
  | Unknown;

export interface Unknown {
  readonly outcome: 'unknown';
  readonly retryAfterMs: number | null;
  /** It is about this one alone: others need not wait. */
  readonly ofTap: boolean;
  /** The server failed at it or never answered, so that the attempts may be ended after some more. */
  readonly failed: boolean;
  /** Whether it may have been done all the same. */
  readonly doubt: Doubt;
}

/** What happens where nothing should: an answer that the pages do not understand. */
export const surprise: Unknown = {
  outcome: 'unknown',
  retryAfterMs: null,
  ofTap: true,
  failed: true,
  doubt: 'real',
};

/** How long the next attempt waits, after so many in a row at which the network failed. */
export const backoffMs = (failures: number): number => [500, 1_000, 2_000, 4_000, 8_000][failures] ?? 15_000;
