/** Only the list changes its nodes. */
export interface ListNode<T> {
  readonly value: T;
  previous: ListNode<T> | null;
  next: ListNode<T> | null;
  isRemoved: boolean;
}

/** A queue that frees removed values at once; a Set keeps them reachable until the next full garbage collection. */
export class LinkedList<T> implements Iterable<T> {
  #first: ListNode<T> | null = null;
  #last: ListNode<T> | null = null;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): T | undefined {
    return this.#first?.value;
  }

  get last(): T | undefined {
    return this.#last?.value;
  }

  append(value: T): ListNode<T> {
    const link: ListNode<T> = { value, previous: this.#last, next: null, isRemoved: false };
    if (this.#last) this.#last.next = link;
    else this.#first = link;
    this.#last = link;
    this.#length++;
    return link;
  }

  /** @returns false if the node was removed before */
  remove(link: ListNode<T>): boolean {
    if (link.isRemoved) return false;
    const { previous: before, next: after } = link;
    if (before) before.next = after;
    else this.#first = after;
    if (after) after.previous = before;
    else this.#last = before;
    // Removes the links, so that a caller who keeps this node does not keep its former neighbours in memory.
    link.previous = null;
    link.next = null;
    link.isRemoved = true;
    this.#length--;
    return true;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let link = this.#first; link; link = link.next) yield link.value;
  }

  /** Removes and yields the first value until none is left, including values that are added meanwhile. */
  *drain(): Generator<T> {
    while (this.#first) {
      const { value } = this.#first;
      this.remove(this.#first);
      yield value;
    }
  }
}
