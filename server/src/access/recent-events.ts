/**
 * How often things happened of late. Each event is forgotten by itself once the window has passed since it, so
 * that a bound decays instead of being lifted all at once. Memory is bounded: past `keysMax` keys, those whose
 * last event is oldest are forgotten first. Counted per process; a restart forgets.
 */
export class RecentEvents {
  readonly #windowMs: number;
  readonly #keysMax: number;
  readonly #events = new Map<string, number[]>();

  constructor(windowMs: number, keysMax: number) {
    this.#windowMs = windowMs;
    this.#keysMax = keysMax;
  }

  /** Events of a key within the window that ends at `now`, in milliseconds. */
  count(key: string, now: number): number {
    return this.#recent(key, now).length;
  }

  /** Milliseconds until fewer than `bound` events of a key are remembered; 0 when that is so at `now`. */
  waitMs(key: string, bound: number, now: number): number {
    const recent = this.#recent(key, now);
    const oldestThatBlocks = recent[recent.length - bound];
    return oldestThatBlocks === undefined ? 0 : oldestThatBlocks + this.#windowMs - now;
  }

  add(key: string, now: number): void {
    const recent = this.#recent(key, now);
    recent.push(now);
    // Reinserting keeps the map ordered by last event, so that the quietest keys go first.
    this.#events.delete(key);
    this.#events.set(key, recent);
    for (const quietest of this.#events.keys()) {
      if (this.#events.size <= this.#keysMax) break;
      this.#events.delete(quietest);
    }
  }

  forget(key: string): void {
    this.#events.delete(key);
  }

  #recent(key: string, now: number): number[] {
    return (this.#events.get(key) ?? []).filter((at) => at > now - this.#windowMs);
  }
}
