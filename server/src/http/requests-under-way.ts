/**
 * The requests that are being worked on, whether their callers still wait or not: what a stop has to let finish
 * after the last connection is closed.
 */
export class RequestsUnderWay {
  /** By request id, what leaves a record of a request that the stop does not wait for. */
  readonly #recorders = new Map<string, () => void>();
  readonly #givenUp = new Set<string>();
  #whenIdle: (() => void)[] = [];

  get count(): number {
    return this.#recorders.size;
  }

  /** @param recordCut called when the request is given up */
  began(requestId: string, recordCut: () => void = () => {}): void {
    this.#recorders.set(requestId, recordCut);
  }

  /** @returns false for a request that had been given up, and of which nothing more is to be recorded */
  ended(requestId: string): boolean {
    this.#recorders.delete(requestId);
    if (this.#recorders.size === 0) for (const tell of this.#whenIdle.splice(0)) tell();
    return !this.#givenUp.has(requestId);
  }

  async idle(): Promise<void> {
    if (this.#recorders.size > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** Gives up what is not finished; whatever becomes of it, it is on record. */
  cut(): void {
    for (const [requestId, recordCut] of [...this.#recorders]) {
      recordCut();
      this.#givenUp.add(requestId);
      this.ended(requestId);
    }
  }
}
