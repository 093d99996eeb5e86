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
