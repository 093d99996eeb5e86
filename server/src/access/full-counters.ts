/** So long a full counter is remembered: another process may have cleared it. */
const rememberedMs = 1_000;
/** The ones remembered first are forgotten for more. */
const rememberedMax = 10_000;

interface Full {
  readonly at: number;
  readonly waitMs: number;
  /** It has no room for so many events; it may have some for fewer. */
  readonly events: number;
}

/** Counters that were full a moment ago, so that a flood of what is refused asks the database once a second. */
export class FullCounters {
  readonly #full = new Map<string, Full>();

  remember(counter: string, waitMs: number, events: number): void {
    this.#full.delete(counter);
    this.#full.set(counter, { at: performance.now(), waitMs, events });
    if (this.#full.size <= rememberedMax) return;
    for (const oldest of this.#full.keys()) {
      this.#full.delete(oldest);
      return;
    }
  }

  /** @returns milliseconds until it is worth another try; 0 where nothing is known against one */
  waitMs(counters: readonly string[], events: number): number {
    const waits = counters.map((counter) => {
      const full = this.#full.get(counter);
      if (full === undefined || events < full.events) return 0;
      const sinceMs = performance.now() - full.at;
      if (sinceMs < Math.min(full.waitMs, rememberedMs)) return full.waitMs - sinceMs;
      this.#full.delete(counter);
      return 0;
    });
    return Math.max(0, ...waits);
  }

  forget(counters: readonly string[]): void {
    for (const counter of counters) this.#full.delete(counter);
  }
}
