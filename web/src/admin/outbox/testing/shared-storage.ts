type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Simulates `localStorage`, which may be full. */
export class SharedStorage {
  readonly #stored = new Map<string, string>();
  entriesMax = Number.POSITIVE_INFINITY;
  lengthMax = Number.POSITIVE_INFINITY;
  /** The limit of characters in all values. */
  charactersMax = Number.POSITIVE_INFINITY;
  accessCount = 0;
  /** Called after each write, because other pages see an entry at once. */
  onWritten = () => {};

  get size(): number {
    return this.#stored.size;
  }

  get characters(): number {
    return [...this.#stored.values()].join('').length;
  }

  clear(): void {
    this.#stored.clear();
  }

  /** Returns the storage as one page sees it. @param onChanged called after each change by this page */
  ofPage(onChanged = () => {}): BrowserStorage {
    const used = () => {
      this.accessCount++;
      return this.#stored;
    };
    return {
      get length() {
        return used().size;
      },
      key: (index) => [...used().keys()][index] ?? null,
      getItem: (key) => used().get(key) ?? null,
      setItem: (key, value) => {
        const before = used().get(key);
        const growth = value.length - (before?.length ?? 0);
        const hasRoom =
          (before !== undefined || this.#stored.size < this.entriesMax) &&
          (growth <= 0 || this.characters + growth <= this.charactersMax);
        if (!hasRoom || value.length > this.lengthMax) throw new DOMException('full', 'QuotaExceededError');
        this.#stored.set(key, value);
        this.onWritten();
        if (before !== value) onChanged();
      },
      removeItem: (key) => {
        if (used().delete(key)) onChanged();
      },
    };
  }
}
