/** A queue that alternates between origins, and within an origin between its narrower origins. */
export class FairQueue<T> {
  length = 0;
  readonly #own: T[] = [];
  readonly #queuesByOrigin = new Map<string, FairQueue<T>>();

  /** @param origin from the widest to the narrowest; all entries of a queue have the same number of steps */
  add([first, ...rest]: readonly string[], piece: T): void {
    this.length++;
    if (first === undefined) {
      this.#own.push(piece);
      return;
    }
    let line = this.#queuesByOrigin.get(first);
    if (!line) {
      line = new FairQueue();
      this.#queuesByOrigin.set(first, line);
    }
    line.add(rest, piece);
  }

  lengthOf(origin: string): number {
    return this.#queuesByOrigin.get(origin)?.length ?? 0;
  }

  /** Removes and returns the next entry whose widest origin `may` lets through; other origins keep their turn. */
  takeNext(may: (origin: string) => boolean = () => true): T | null {
    if (this.length === 0) return null;
    if (this.#own.length > 0) {
      this.length--;
      return this.#own.shift() as T;
    }
    for (const [origin, line] of this.#queuesByOrigin) {
      if (!may(origin)) continue;
      this.length--;
      const next = line.takeNext();
      if (line.length === 0 || this.#queuesByOrigin.size > 1) this.#queuesByOrigin.delete(origin);
      if (line.length > 0) this.#queuesByOrigin.set(origin, line);
      return next;
    }
    return null;
  }

  /** Removes and returns the newest entry of the longest origin; among equals, of the one whose turn comes last. */
  takeNewest(): T | null {
    let longest: [string, FairQueue<T>] | undefined;
    for (const entry of this.#queuesByOrigin) {
      if (!longest || entry[1].length >= longest[1].length) longest = entry;
    }
    if (!longest && this.#own.length === 0) return null;
    this.length--;
    if (!longest) return this.#own.pop() as T;
    const [origin, line] = longest;
    const newest = line.takeNewest();
    if (line.length === 0) this.#queuesByOrigin.delete(origin);
    return newest;
  }

  remove([first, ...rest]: readonly string[], piece: T): void {
    if (first === undefined) {
      this.#own.splice(this.#own.indexOf(piece), 1);
      this.length--;
      return;
    }
    const line = this.#queuesByOrigin.get(first);
    if (!line) return;
    line.remove(rest, piece);
    if (line.length === 0) this.#queuesByOrigin.delete(first);
    this.length--;
  }
}
