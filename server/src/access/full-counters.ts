/** Forgets a full counter this soon, because another process may have cleared it. */
const rememberedMs = 1_000;
const rememberedMax = 10_000;

interface FullCounter {
  readonly rememberedAt: number;
  readonly waitMs: number;
  /** How many events were refused at once; fewer may still fit. */
  readonly refusedEvents: number;
}

/** Remembers full counters for a second, so that a flood of refused attempts rarely queries the database. */
export class FullCounters {
  readonly #full = new Map<string, FullCounter>();

  remember(counter: string, waitMs: number, refusedEvents: number): void {
    this.#full.delete(counter);
    this.#full.set(counter, { rememberedAt: performance.now(), waitMs, refusedEvents });
    if (this.#full.size <= rememberedMax) return;
    for (const oldest of this.#full.keys()) {
      this.#full.delete(oldest);
      return;
    }
  }

  waitMs(counters: readonly string[], events: number): number {
    const waits = counters.map((counter) => {
      const full = this.#full.get(counter);
      if (full === undefined || events < full.refusedEvents) return 0;
      const sinceMs = performance.now() - full.rememberedAt;
      if (sinceMs < Math.min(full.waitMs, rememberedMs)) return full.waitMs - sinceMs;
      this.#full.delete(counter);
      return 0;
    });
    return Math.max(0, ...waits);
  }

  clear(counters: readonly string[]): void {
    for (const counter of counters) this.#full.delete(counter);
  }
}
