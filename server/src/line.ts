export interface Place<T> {
  readonly member: T;
}

interface Link<T> extends Place<T> {
  before: Link<T> | null;
  after: Link<T> | null;
  isLeft: boolean;
}

/**
 * A queue for members that come and go with every request. A Set keeps memory of removed members: V8 rebuilds its table
 * after a few changes, and the old table references the new one until the next full collection.
 */
export class Line<T> implements Iterable<T> {
  #first: Link<T> | null = null;
  #last: Link<T> | null = null;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): T | undefined {
    return this.#first?.member;
  }

  get last(): T | undefined {
    return this.#last?.member;
  }

  join(member: T): Place<T> {
    const link: Link<T> = { member, before: this.#last, after: null, isLeft: false };
    if (this.#last) this.#last.after = link;
    else this.#first = link;
    this.#last = link;
    this.#length++;
    return link;
  }

  /** @returns false if the member had left already */
  leave(place: Place<T>): boolean {
    const link = place as Link<T>;
    if (link.isLeft) return false;
    const { before, after } = link;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    // Frees the neighbours even while the caller keeps this place.
    link.before = null;
    link.after = null;
    link.isLeft = true;
    this.#length--;
    return true;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let link = this.#first; link; link = link.after) yield link.member;
  }

  /** Removes and yields the first member until none is left, including members that join meanwhile. */
  *leaving(): Generator<T> {
    while (this.#first) {
      const { member } = this.#first;
      this.leave(this.#first);
      yield member;
    }
  }
}
