/** A queue that alternates between origins, and within an origin between its narrower origins. */
export class RoundRobin<T> {
  length = 0;
  readonly #own: T[] = [];
  readonly #byOrigin = new Map<string, RoundRobin<T>>();

  /** @param origin from the widest to the narrowest; origins with the same first step have the same length */
  add([first, ...rest]: readonly string[], entry: T): void {
    this.length++;
    if (first === undefined) {
      this.#own.push(entry);
      return;
    }
    let inner = this.#byOrigin.get(first);
    if (!inner) {
      inner = new RoundRobin();
      this.#byOrigin.set(first, inner);
    }
    inner.add(rest, entry);
  }

  lengthOf(origin: string): number {
    return this.#byOrigin.get(origin)?.length ?? 0;
  }

  /** Removes and returns the next entry whose widest origin `may` admits; other origins keep their turn. */
  takeNext(may: (origin: string) => boolean = () => true): T | null {
    if (this.length === 0) return null;
    if (this.#own.length > 0) {
      this.length--;
      return this.#own.shift() as T;
    }
    for (const [origin, inner] of this.#byOrigin) {
      if (!may(origin)) continue;
      this.length--;
      const next = inner.takeNext();
      if (inner.length === 0 || this.#byOrigin.size > 1) this.#byOrigin.delete(origin);
      if (inner.length > 0) this.#byOrigin.set(origin, inner);
      return next;
    }
    return null;
  }

  /** Removes and returns the newest entry of an origin, from the busiest of its narrower origins. */
  takeNewestOf(origin: string): T | null {
    const inner = this.#byOrigin.get(origin);
    if (!inner) return null;
    const newest = inner.#takeNewest();
    this.length--;
    if (inner.length === 0) this.#byOrigin.delete(origin);
    return newest;
  }

  remove([first, ...rest]: readonly string[], entry: T): void {
    this.length--;
    if (first === undefined) {
      this.#own.splice(this.#own.indexOf(entry), 1);
      return;
    }
    const inner = this.#byOrigin.get(first);
    inner?.remove(rest, entry);
    if (inner?.length === 0) this.#byOrigin.delete(first);
  }

  /** Takes from the busiest origin; among equally busy ones, from the one whose turn comes last. */
  #takeNewest(): T | null {
    let busiest: [string, RoundRobin<T>] | undefined;
    for (const each of this.#byOrigin) {
      if (!busiest || each[1].length >= busiest[1].length) busiest = each;
    }
    if (busiest) return this.takeNewestOf(busiest[0]);
    this.length--;
    return this.#own.pop() ?? null;
  }
}
