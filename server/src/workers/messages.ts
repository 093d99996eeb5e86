import type { Question } from './siblings.ts';

/** The password is null unless this worker created the first administrator. */
export interface Serving {
  readonly address: string;
  readonly firstPassword: string | null;
}

/** Messages from a worker to its parent. */
export type FromWorker =
  /** The worker now answers siblings; sent before `listens`. */
  | { readonly kind: 'hears' }
  /** The worker is about to listen: the parent must leave the port. */
  | { readonly kind: 'listens' }
  | ({ readonly kind: 'serves' } & Serving)
  | {
      readonly kind: 'asks';
      readonly id: number;
      readonly question: Question;
      readonly about: unknown;
      readonly withinMs: number;
    }
  | { readonly kind: 'answers'; readonly id: number; readonly answer: unknown };

/** Messages from the parent to a worker. */
export type ToWorker =
  | { readonly kind: 'serve'; readonly count: number }
  /** Appoints the worker for housekeeping and nightly backups. */
  | { readonly kind: 'keepHouse' }
  /** A successor serves: end within `leavingMs` and the stop time, unnoticed by clients. */
  | { readonly kind: 'retire'; readonly leavingMs: number }
  | { readonly kind: 'stop'; readonly drains: boolean }
  /** Passes a connection that waited for a worker. */
  | { readonly kind: 'connection' }
  /** The time for an orderly end is over. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'asked'; readonly id: number; readonly question: Question; readonly about: unknown }
  | { readonly kind: 'answered'; readonly id: number; readonly answers: readonly unknown[] };
