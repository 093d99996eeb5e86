import { setTimeout as pause } from 'node:timers/promises';

const answerWaitMsMax = 2_000;
/** Delays before the retries: together under a minute, after which an undecided attempt counts as failed. */
const retryDelaysMs = [100, 500, 2_000, 5_000, 15_000, 30_000];
const pendingRetriesMax = 1_000;

/** Stores the outcomes of attempts, and retries while the database is unavailable. */
export class OutcomeWriter {
  readonly #report: (error: unknown) => void;
  readonly #closing = new AbortController();
  #pendingRetries = 0;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Stores an outcome, in the background after two seconds. `storeLate` may repeat a write that succeeded. */
  async write(store: () => Promise<unknown>, storeLate: () => Promise<unknown>): Promise<void> {
    const late = new AbortController();
    const answered = pause(answerWaitMsMax, undefined, { signal: late.signal }).catch(() => {});
    const first = store().catch((error: unknown) => this.retryLater(storeLate, error));
    await Promise.race([first, answered]);
    late.abort();
  }

  retryLater(store: () => Promise<unknown>, error: unknown): void {
    if (this.#pendingRetries >= pendingRetriesMax) {
      this.#report(error);
      return;
    }
    this.#pendingRetries++;
    void this.#retry(store, error).finally(() => this.#pendingRetries--);
  }

  close(): void {
    this.#closing.abort();
  }

  async #retry(store: () => Promise<unknown>, error: unknown): Promise<void> {
    let reason = error;
    for (const ms of retryDelaysMs) {
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
