/** Shares one read among callers with the same key. It starts after their calls, so it sees all earlier commits. */
export class CoalescedReads<T> {
  readonly #running = new Map<string, { next: Promise<T> | null; current: Promise<unknown> }>();

  read(key: string, load: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running) {
      running.next ??= running.current.then(() => this.#start(key, load));
      return running.next;
    }
    return this.#start(key, load);
  }

  #start(key: string, load: () => Promise<T>): Promise<T> {
    const answer = load();
    const state = { next: null as Promise<T> | null, current: answer.catch(() => {}) };
    this.#running.set(key, state);
    void state.current.then(() => {
      if (state.next === null && this.#running.get(key) === state) this.#running.delete(key);
    });
    return answer;
  }
}
