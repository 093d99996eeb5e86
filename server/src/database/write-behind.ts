import { setTimeout as pause } from 'node:timers/promises';
import { untilAborted } from '../until-aborted.ts';

/** Well inside the 250 ms that a killed process may lose, writing included. */
const soonMs = 100;
const retryMs = 1_000;
const lastAttempts = 3;

/** Decides when what requests leave behind is written: a little later, one write at a time, again while it fails. */
export class WriteBehind {
  readonly #write: () => Promise<boolean>;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<boolean> | null = null;
  #closed = false;

  /** @param write stores what waits when it is called; answers false when it has to be called again; never rejects */
  constructor(write: () => Promise<boolean>) {
    this.#write = write;
  }

  /** Something waits. */
  soon(): void {
    this.#after(soonMs);
  }

  /** So much waits that it is better written at once; not while a write is under way. */
  now(): void {
    if (!this.#writing && !this.#closed) void this.flush();
  }

  /** Makes one attempt to write what waits now. @returns whether it succeeded */
  async flush(): Promise<boolean> {
    while (this.#writing) await this.#writing;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#write().finally(() => {
      this.#writing = null;
    });
    const done = await this.#writing;
    if (!done) this.#after(retryMs);
    return done;
  }

  /**
   * Writes a last time, in a few attempts at most; nothing happens by itself afterwards.
   *
   * @param giveUp ends the wait for a write that does not end
   */
  async close(giveUp = new AbortController().signal): Promise<void> {
    this.#closed = true;
    await untilAborted(giveUp, this.#writeOut()).catch(() => {});
  }

  async #writeOut(): Promise<void> {
    for (let attempt = 1; !(await this.flush()) && attempt < lastAttempts; attempt++) await pause(soonMs);
  }

  #after(milliseconds: number): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, milliseconds);
  }
}
