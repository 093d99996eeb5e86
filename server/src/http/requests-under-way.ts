/** A request that is being worked on. */
export interface UnderWay {
  /** Leaves a record of it when the stop does not wait for its end. */
  cutOff(): void;
}

/**
 * The requests that are being worked on, whether their callers still wait or not: what a stop has to let finish
 * after the last connection is closed.
 */
export class RequestsUnderWay {
  readonly #open = new Set<UnderWay>();
  #whenIdle: (() => void)[] = [];

  get count(): number {
    return this.#open.size;
  }

  began(request: UnderWay): void {
    this.#open.add(request);
  }

  /** @returns false for a request that had been given up, and of which nothing more is to be recorded */
  ended(request: UnderWay): boolean {
    const wasOpen = this.#open.delete(request);
    if (this.#open.size === 0) for (const tell of this.#whenIdle.splice(0)) tell();
    return wasOpen;
  }

  async idle(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** Gives up what is not finished; whatever becomes of it, it is on record. */
  cut(): void {
    for (const request of [...this.#open]) {
      request.cutOff();
      this.ended(request);
    }
  }
}
