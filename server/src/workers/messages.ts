import type { Question } from './siblings.ts';

/** The password is null unless this worker created the first administrator. */
export interface ServingDetails {
  readonly address: string;
  readonly firstPassword: string | null;
}

export type FromWorker =
  | { readonly kind: 'answering' }
  /** The worker is about to listen, so the parent must release the port. */
  | { readonly kind: 'listening' }
  | ({ readonly kind: 'serving' } & ServingDetails)
  | {
      readonly kind: 'question';
      readonly id: number;
      readonly question: Question;
      readonly payload: unknown;
      readonly timeoutMs: number;
    }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };

export type ToWorker =
  | { readonly kind: 'serve'; readonly count: number }
  | { readonly kind: 'startHousekeeping' }
  /** Another worker serves instead. End within `retireMs` and the stop time, without failing requests. */
  | { readonly kind: 'retire'; readonly retireMs: number }
  | { readonly kind: 'stop'; readonly drains: boolean }
  | { readonly kind: 'connection' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'question'; readonly id: number; readonly question: Question; readonly payload: unknown }
  | { readonly kind: 'answers'; readonly id: number; readonly answers: readonly unknown[] };
