/** The processes that serve the same port, as one of them sees them. Alone, it has none to ask. */
export interface Siblings {
  /** How many processes share the port, this one included. */
  readonly count: number;
  /**
   * Asks all siblings at once.
   *
   * @param withinMs who has not answered by then is not waited for
   * @returns the answers that came
   */
  ask(question: Question, about: unknown, withinMs: number): Promise<unknown[]>;
  /** From now on `answer` answers what siblings ask. */
  answer(question: Question, answer: (about: never) => unknown): void;
}

/** `access`: a change that decides about credentials; `settle`: what waits to be written; `metrics`: the figures. */
export type Question = 'access' | 'settle' | 'metrics';

export const noSiblings: Siblings = { count: 1, ask: async () => [], answer: () => {} };
