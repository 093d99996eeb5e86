import type { Question } from './siblings.ts';

/** How a worker serves; the password is that of the first administrator, where it has made one. */
export interface Serving {
  readonly address: string;
  readonly firstPassword: string | null;
}

/** What a worker tells its parent. */
export type FromWorker =
  /** From now on it hears what siblings ask; told before it listens. */
  | { readonly kind: 'hears' }
  /** It is about to listen: the parent leaves it the port. */
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

/** What the parent tells a worker. */
export type ToWorker =
  | { readonly kind: 'serve'; readonly count: number }
  /** It removes what is past its time and makes the nightly backups, besides serving. */
  | { readonly kind: 'keepHouse' }
  /** Another one has taken its place: it ends without letting a client notice, and takes some time for that. */
  | { readonly kind: 'retire'; readonly leavingMs: number }
  | { readonly kind: 'stop'; readonly drains: boolean }
  /** Comes with a connection that waited for a worker. */
  | { readonly kind: 'connection' }
  /** The time for an orderly end is over. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'asked'; readonly id: number; readonly question: Question; readonly about: unknown }
  | { readonly kind: 'answered'; readonly id: number; readonly answers: readonly unknown[] };
