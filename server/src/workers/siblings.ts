/** The other processes that serve the same port. A process alone has none. */
export interface Siblings {
  /** Processes that share the port, including this one. */
  readonly count: number;
  /**
   * Asks all siblings in parallel.
   *
   * @param withinMs does not wait longer for an answer
   * @returns the answers that arrived
   */
  ask(question: Question, about: unknown, withinMs: number): Promise<unknown[]>;
  /** Registers the function that answers a question of siblings. */
  answer(question: Question, answer: (about: never) => unknown): void;
}

/**
 * `access`: evict cached credentials after a change; `settle`: flush waiting log entries; `metrics`: return metrics.
 */
export type Question = 'access' | 'settle' | 'metrics';

export const noSiblings: Siblings = { count: 1, ask: async () => [], answer: () => {} };
