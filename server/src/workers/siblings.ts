/** The other processes that serve the same port. A process alone has none. */
export interface Siblings {
  /** Includes this process. */
  readonly count: number;
  /** Asks all siblings; returns the answers that arrive within the time. */
  askAll(question: Question, payload: unknown, timeoutMs: number): Promise<unknown[]>;
  onQuestion(question: Question, answer: (payload: never) => unknown): void;
}

/** `access`: evict changed credentials; `flush`: flush waiting log entries; `metrics`: return the metrics. */
export type Question = 'access' | 'flush' | 'metrics';

export const noSiblings: Siblings = { count: 1, askAll: async () => [], onQuestion: () => {} };

/** The password is null unless this worker created the first administrator. */
export interface ServingDetails {
  readonly address: string;
  readonly firstPassword: string | null;
}

export type FromWorker =
  | { readonly kind: 'answering' }
  | ({ readonly kind: 'serving' } & ServingDetails)
  | RelayedMessage;

/** The parent passes it on to the other workers, or to the worker that asked. */
export type RelayedMessage =
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
  | { readonly kind: 'cut' }
  | { readonly kind: 'question'; readonly id: number; readonly question: Question; readonly payload: unknown }
  | { readonly kind: 'answers'; readonly id: number; readonly answers: readonly unknown[] };
