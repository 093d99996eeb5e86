import { setTimeout as pause } from 'node:timers/promises';

/** An answer waits no longer for the end of its attempt to be stored. */
const answerWaitsMs = 2_000;
/** When it is tried again. An undecided attempt counts as failed after a minute. */
const againAfterMs = [100, 500, 2_000, 5_000, 15_000, 30_000];
/** Of those that are tried again. */
const waitingMax = 1_000;

/** Stores how attempts ended, also after a while in which the database could not be used. */
export class Settlements {
  readonly #report: (error: unknown) => void;
  readonly #closing = new AbortController();
  #waiting = 0;

  /** @param report told of an end that is given up: its attempt counts as failed after a while */
  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /**
   * @param store what is stored at first
   * @param storeLate the same for later: it may have been stored already
   * @returns when it is stored or given up, or after a moment, while it goes on
   */
  async settle(store: () => Promise<unknown>, storeLate: () => Promise<unknown>): Promise<void> {
    const late = new AbortController();
    const answered = pause(answerWaitsMs, undefined, { signal: late.signal }).catch(() => {});
    const first = store().catch((error: unknown) => this.later(storeLate, error));
    await Promise.race([first, answered]);
    late.abort();
  }

  /** Tries again behind the answer. */
  later(store: () => Promise<unknown>, error: unknown): void {
    if (this.#waiting >= waitingMax) {
      this.#report(error);
      return;
    }
    this.#waiting++;
    void this.#tryAgain(store, error).finally(() => this.#waiting--);
  }

  /** Gives up what could not be stored. */
  close(): void {
    this.#closing.abort();
  }

  async #tryAgain(store: () => Promise<unknown>, error: unknown): Promise<void> {
    let reason = error;
    for (const ms of againAfterMs) {
      await pause(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
      if (this.#closing.signal.aborted) break;
      try {
        await store();
        return;
      } catch (again) {
        reason = again;
      }
    }
    this.#report(reason);
  }
}
