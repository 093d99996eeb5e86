import type { Question } from './siblings.ts';

/** The password is null unless this worker created the first administrator. */
export interface Serving {
  readonly address: string;
  readonly firstPassword: string | null;
}

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

export type ToWorker =
  | { readonly kind: 'serve'; readonly count: number }
  | { readonly kind: 'keepHouse' }
  /** A successor serves: end within `leavingMs` and the stop time, unnoticed by clients. */
  | { readonly kind: 'retire'; readonly leavingMs: number }
  | { readonly kind: 'stop'; readonly drains: boolean }
  | { readonly kind: 'connection' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'asked'; readonly id: number; readonly question: Question; readonly about: unknown }
  | { readonly kind: 'answered'; readonly id: number; readonly answers: readonly unknown[] };
