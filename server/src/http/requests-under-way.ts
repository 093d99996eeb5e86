/**
 * The requests that are being worked on, whether their callers still wait or not: what a stop has to let finish
 * after the last connection is closed.
 */
export class RequestsUnderWay {
  readonly #ids = new Set<string>();
  #whenIdle: (() => void)[] = [];

  began(requestId: string): void {
    this.#ids.add(requestId);
  }

  ended(requestId: string): void {
    this.#ids.delete(requestId);
    if (this.#ids.size > 0) return;
    for (const tell of this.#whenIdle.splice(0)) tell();
  }

  async idle(): Promise<void> {
    if (this.#ids.size > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }
}
