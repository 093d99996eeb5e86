import { Line, type Place } from '../line.ts';

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
  readonly #open = new Line<UnderWay>();
  #whenIdle: (() => void)[] = [];

  get count(): number {
    return this.#open.length;
  }

  began(request: UnderWay): Place<UnderWay> {
    return this.#open.join(request);
  }

  /** @returns false for a request that had been given up, and of which nothing more is to be recorded */
  ended(request: Place<UnderWay>): boolean {
    const wasOpen = this.#open.leave(request);
    this.#tellIfIdle();
    return wasOpen;
  }

  async idle(): Promise<void> {
    if (this.#open.length > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** Gives up what is not finished; whatever becomes of it, it is on record. */
  cut(): void {
    for (const request of this.#open.leaving()) request.cutOff();
    this.#tellIfIdle();
  }

  #tellIfIdle(): void {
    if (this.#open.length === 0) for (const tell of this.#whenIdle.splice(0)) tell();
  }
}
