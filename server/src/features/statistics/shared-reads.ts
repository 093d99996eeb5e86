/**
 * Lets callers with the same question share one read. A read starts only after all callers that share it have asked, so
 * each sees data committed before its call.
 */
export class SharedReads<T> {
  readonly #running = new Map<string, { next: Promise<T> | null; current: Promise<unknown> }>();

  read(question: string, ask: () => Promise<T>): Promise<T> {
    const running = this.#running.get(question);
    if (running) {
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
