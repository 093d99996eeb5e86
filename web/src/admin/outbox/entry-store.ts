import { type Entry, isMarkEntry, mustBeKept } from './entry.ts';

export type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export const entryPrefix = 'classledger.outbox.';
export const pagePrefix = 'classledger.page.';

/** After this long without a heartbeat, a page counts as closed or frozen, and another page sends its entries. */
const heartbeatTimeoutMs = 30_000;
const heartbeatIntervalMs = 10_000;

interface StoredEntry {
  readonly entry: Entry;
  /** The text in the storage; null while the storage has no space for it. */
  text: string | null;
}

/** Stores one administrator's entries in `localStorage`. While that is full, a new entry is only in this page. */
export class EntryStore {
  readonly #prefix: string;
  readonly #storage: BrowserStorage;
  readonly #stored = new Map<string, StoredEntry>();

  constructor(adminId: number, storage: BrowserStorage) {
    this.#prefix = `${entryPrefix}${adminId}.`;
    this.#storage = storage;
  }

  /** Oldest first. An unchanged entry stays the same object. */
  get entries(): readonly Entry[] {
    return [...this.#stored.values()].map(({ entry }) => entry).sort((one, other) => one.at - other.at);
  }

  get(key: string): Entry | undefined {
    return this.#stored.get(key)?.entry;
  }

  /** Reads the changes of other pages. */
  read(): void {
    // Somebody cleared the storage. Stores the entries again, because they were not removed on purpose.
    if (this.#storage.getItem(this.#prefix) === null) {
      this.#tryWrite(this.#prefix, '1');
      for (const { entry } of this.#stored.values()) this.put(entry);
    }
    const names = Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index) ?? '');
    const there = new Map(
      names
        .filter((name) => name !== this.#prefix && name.startsWith(this.#prefix))
        .map((name) => [name.slice(this.#prefix.length), this.#storage.getItem(name)]),
    );
    for (const [key, { text }] of this.#stored) {
      if (text !== null && !there.has(key)) this.#stored.delete(key);
    }
    const changed = [...there]
      .filter(([key, text]) => this.#stored.get(key)?.text !== text)
      .flatMap(([key, text]) => parseEntry(key, text) ?? []);
    for (const stored of changed) this.#stored.set(stored.entry.key, stored);
  }

  /** Stores an entry. To make space for one that must be stored, removes the oldest that need not be stored. */
  put(entry: Entry): void {
    const name = this.#prefix + entry.key;
    const stored: StoredEntry = { entry, text: null };
    this.#stored.set(entry.key, stored);
    const text = JSON.stringify(entry);
    do {
      if (this.#tryWrite(name, text)) stored.text = text;
    } while (stored.text === null && mustBeStored(entry) && this.#evictOldest());
    // Keeps the older text of an unanswered mark: other pages hold later marks back, and send this one after a crash.
    if (stored.text === null && isMarkEntry(entry) && mustBeKept(entry))
      stored.text = this.#storage.getItem(name);
    else if (stored.text === null) this.#storage.removeItem(name);
  }

  remove(key: string): void {
    this.#storage.removeItem(this.#prefix + key);
    this.#stored.delete(key);
  }

  /** Writes a page's heartbeat, which keeps other pages from sending its entries. */
  writeHeartbeat(page: string, now: number): void {
    if (!this.#hasHeartbeat(page, now, heartbeatIntervalMs)) this.#tryWrite(pagePrefix + page, String(now));
  }

  isPageAlive(page: string, now: number): boolean {
    return this.#hasHeartbeat(page, now, heartbeatTimeoutMs);
  }

  removeHeartbeat(page: string): void {
    this.#storage.removeItem(pagePrefix + page);
  }

  /** Ignores a heartbeat far in the future, which was written before the clock was set back. */
  #hasHeartbeat(page: string, now: number, withinMs: number): boolean {
    const seen = this.#storage.getItem(pagePrefix + page);
    return seen !== null && Math.abs(now - Number(seen)) < withinMs;
  }

  /** Removes the oldest entry from the storage that may be in memory only, and that no other page has changed. */
  #evictOldest(): boolean {
    const evictable = this.entries.find((entry) => {
      const text = this.#stored.get(entry.key)?.text ?? null;
      return (
        !mustBeStored(entry) && text !== null && text === this.#storage.getItem(this.#prefix + entry.key)
      );
    });
    if (!evictable) return false;
    this.#storage.removeItem(this.#prefix + evictable.key);
    this.#stored.set(evictable.key, { entry: evictable, text: null });
    return true;
  }

  #tryWrite(name: string, text: string): boolean {
    try {
      this.#storage.setItem(name, text);
      return true;
    } catch {
      // The page still sends the entry, and asks before it closes, because a reload would lose the entry.
      return false;
    }
  }
}

/** Returns whether an entry must survive a reload; also for a refused mark, because the user must see it. */
const mustBeStored = (entry: Entry) => mustBeKept(entry) || (isMarkEntry(entry) && entry.state === 'refused');

function parseEntry(key: string, text: string | null): StoredEntry | null {
  try {
    const entry: Entry | null = JSON.parse(text ?? 'null');
    const ids = entry?.kind === 'points' ? entry.studentIds : entry?.body.userIds;
    return entry && Array.isArray(ids) ? { entry: { ...entry, key }, text } : null;
  } catch {
    return null;
  }
}
