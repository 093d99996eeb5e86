/** Where a member stands in a line. */
export interface Place<T> {
  readonly member: T;
}

interface Link<T> extends Place<T> {
  before: Link<T> | null;
  after: Link<T> | null;
  isLeft: boolean;
}

/**
 * Members in the order in which they came, for those that come and go with every request. In a Set each such one costs
 * memory long after it left: V8 builds a new table every few changes, and a table that was replaced keeps the next one,
 * and all that stood in it, until the next full collection.
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

  /** Adds a member at the end. */
  join(member: T): Place<T> {
    const link: Link<T> = { member, before: this.#last, after: null, isLeft: false };
    if (this.#last) this.#last.after = link;
    else this.#first = link;
    this.#last = link;
    this.#length++;
    return link;
  }

  /** @param place that `join` returned @returns false where it was left before */
  leave(place: Place<T>): boolean {
    const link = place as Link<T>;
    if (link.isLeft) return false;
    const { before, after } = link;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    // What is gone keeps no one in memory.
    link.before = null;
    link.after = null;
    link.isLeft = true;
    this.#length--;
    return true;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let link = this.#first; link; link = link.after) yield link.member;
  }

  /** Lets members leave from the first on; one that joins meanwhile leaves too. */
  *leaving(): Generator<T> {
    while (this.#first) {
      const { member } = this.#first;
      this.leave(this.#first);
      yield member;
    }
  }
}
