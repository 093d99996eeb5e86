import { setTimeout as pause } from 'node:timers/promises';

const answerWaitsMs = 2_000;
/** Delays before the retries. An undecided attempt counts as failed after a minute. */
const againAfterMs = [100, 500, 2_000, 5_000, 15_000, 30_000];
const waitingMax = 1_000;

/** Stores the outcomes of attempts and retries while the database is unavailable. */
export class Settlements {
  readonly #report: (error: unknown) => void;
  readonly #closing = new AbortController();
  #waiting = 0;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Stores an outcome, in the background after two seconds. `storeLate` may repeat a write that succeeded. */
  async settle(store: () => Promise<unknown>, storeLate: () => Promise<unknown>): Promise<void> {
    const late = new AbortController();
    const answered = pause(answerWaitsMs, undefined, { signal: late.signal }).catch(() => {});
    const first = store().catch((error: unknown) => this.later(storeLate, error));
    await Promise.race([first, answered]);
    late.abort();
  }

  later(store: () => Promise<unknown>, error: unknown): void {
    if (this.#waiting >= waitingMax) {
      this.#report(error);
      return;
    }
    this.#waiting++;
    void this.#tryAgain(store, error).finally(() => this.#waiting--);
  }

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
