import { setTimeout as pause } from 'node:timers/promises';
import { untilAborted } from '../concurrency/until-aborted.ts';

/** A killed process loses at most the data of 250 ms: this delay and the time of a write. */
const delayMs = 100;
const retryMs = 1_000;
const closeAttemptsMax = 3;

/** Schedules background writes: soon after a request, one at a time, and again after a failure. */
export class BackgroundFlush {
  readonly #write: () => Promise<boolean>;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<boolean> | null = null;
  #closed = false;

  /** @param write stores the pending data; resolves to false to be called again; never rejects */
  constructor(write: () => Promise<boolean>) {
    this.#write = write;
  }

  flushSoon(): void {
    this.#scheduleFlush(delayMs);
  }

  flushNow(): void {
    if (!this.#writing && !this.#closed) void this.flush();
  }

  /** Returns whether one attempt to write the pending data succeeded. */
  async flush(): Promise<boolean> {
    while (this.#writing) await this.#writing;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#write().finally(() => {
      this.#writing = null;
    });
    const done = await this.#writing;
    if (!done) this.#scheduleFlush(retryMs);
    return done;
  }

  /** Writes the pending data in up to three attempts. @param giveUp ends the wait for a stuck write */
  async close(giveUp = new AbortController().signal): Promise<void> {
    this.#closed = true;
    await untilAborted(giveUp, this.#flushWithRetries()).catch(() => {});
  }

  async #flushWithRetries(): Promise<void> {
    for (let attempt = 1; !(await this.flush()) && attempt < closeAttemptsMax; attempt++)
      await pause(delayMs);
  }

  #scheduleFlush(milliseconds: number): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, milliseconds);
  }
}
