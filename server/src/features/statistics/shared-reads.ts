/**
 * Lets callers that ask the same question at the same time share one reading. A reading begins only after
 * everyone who shares it has asked, so each caller sees all that was committed before it asked.
 */
export class SharedReads<T> {
  readonly #running = new Map<string, { next: Promise<T> | null; current: Promise<unknown> }>();

  read(question: string, ask: () => Promise<T>): Promise<T> {
    const running = this.#running.get(question);
    if (running) {
      // The one under way may have looked already; this caller waits for the one after it, with all others.
      running.next ??= running.current.then(() => this.#start(question, ask));
      return running.next;
    }
    return this.#start(question, ask);
  }

  #start(question: string, ask: () => Promise<T>): Promise<T> {
    const answer = ask();
    const state = { next: null as Promise<T> | null, current: answer.catch(() => {}) };
    this.#running.set(question, state);
    void state.current.then(() => {
      if (state.next === null && this.#running.get(question) === state) this.#running.delete(question);
    });
    return answer;
  }
}
