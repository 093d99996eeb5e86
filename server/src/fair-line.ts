/**
 * Those who wait, by where they come from: one of an origin has a turn, then one of the next, and within an origin it
 * is the same again for the narrower ones. One that has no narrower origin is a queue.
 */
export class FairLine<T> {
  length = 0;
  readonly #own: T[] = [];
  readonly #narrower = new Map<string, FairLine<T>>();

  /** @param origin from the widest to the narrowest, in as many steps as all others */
  add([first, ...rest]: readonly string[], piece: T): void {
    this.length++;
    if (first === undefined) {
      this.#own.push(piece);
      return;
    }
    let line = this.#narrower.get(first);
    if (!line) {
      line = new FairLine();
      this.#narrower.set(first, line);
    }
    line.add(rest, piece);
  }

  /** How many of an origin wait. */
  lengthOf(origin: string): number {
    return this.#narrower.get(origin)?.length ?? 0;
  }

  /**
   * Takes out whose turn it is.
   *
   * @param may passes over the widest origins that it does not let through; they keep their turn
   * @returns null when no one waits who may
   */
  takeNext(may: (origin: string) => boolean = () => true): T | null {
    if (this.length === 0) return null;
    if (this.#own.length > 0) {
      this.length--;
      return this.#own.shift() as T;
    }
    for (const [origin, line] of this.#narrower) {
      if (!may(origin)) continue;
      this.length--;
      const next = line.takeNext();
      if (line.length === 0 || this.#narrower.size > 1) this.#narrower.delete(origin);
      if (line.length > 0) this.#narrower.set(origin, line);
      return next;
    }
    return null;
  }

  /** Takes out the newest of the origin that has most waiting; of several such, of the one whose turn comes last. */
  takeNewest(): T | null {
    let longest: [string, FairLine<T>] | undefined;
    for (const entry of this.#narrower) {
      if (!longest || entry[1].length >= longest[1].length) longest = entry;
    }
    if (!longest && this.#own.length === 0) return null;
    this.length--;
    if (!longest) return this.#own.pop() as T;
    const [origin, line] = longest;
    const newest = line.takeNewest();
    if (line.length === 0) this.#narrower.delete(origin);
    return newest;
  }

  /** Takes out one that waits no longer. */
  remove([first, ...rest]: readonly string[], piece: T): void {
    if (first === undefined) {
      this.#own.splice(this.#own.indexOf(piece), 1);
      this.length--;
      return;
    }
    const line = this.#narrower.get(first);
    if (!line) return;
    line.remove(rest, piece);
    if (line.length === 0) this.#narrower.delete(first);
    this.length--;
  }
}
