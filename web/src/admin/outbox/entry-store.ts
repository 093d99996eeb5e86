import { type Entry, isMark, mustBeKept } from './entry.ts';

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Begins the storage keys of entries, of all administrators. */
export const entryPrefix = 'classledger.outbox.';
/** Begins the storage keys of page heartbeats. */
export const pagePrefix = 'classledger.page.';

/** A page without a heartbeat for this long is frozen or gone: another page sends its entries. */
const heartbeatTimeoutMs = 30_000;
const heartbeatIntervalMs = 10_000;

interface StoredEntry {
  readonly entry: Entry;
  /** As stored; null while the storage has no room for it. */
  text: string | null;
}

/** Stores entries of one administrator. `localStorage` is the truth; if it is full, an entry lives in this page only. */
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
    // Somebody cleared the storage: the missing entries were not removed on purpose.
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

  /** Stores an entry. If the storage is full and the entry must be stored, evicts the oldest others. */
  put(entry: Entry): void {
    const name = this.#prefix + entry.key;
    const stored: StoredEntry = { entry, text: null };
    this.#stored.set(entry.key, stored);
    const text = JSON.stringify(entry);
    do {
      if (this.#tryWrite(name, text)) stored.text = text;
    } while (stored.text === null && mustBeStored(entry) && this.#evictOldest());
    // The older state of an unsettled mark still makes other pages hold later marks, and send this one after a crash.
    if (stored.text === null && isMark(entry) && mustBeKept(entry)) stored.text = this.#storage.getItem(name);
    else if (stored.text === null) this.#storage.removeItem(name);
  }

  remove(key: string): void {
    this.#storage.removeItem(this.#prefix + key);
    this.#stored.delete(key);
  }

  /** Writes the heartbeat of a page, which then sends its entries itself. */
  writeHeartbeat(page: string, now: number): void {
    if (!this.#hasHeartbeat(page, now, heartbeatIntervalMs)) this.#tryWrite(pagePrefix + page, String(now));
  }

  /** Whether a page has written a heartbeat lately and has not left. */
  isPageAlive(page: string, now: number): boolean {
    return this.#hasHeartbeat(page, now, heartbeatTimeoutMs);
  }

  removeHeartbeat(page: string): void {
    this.#storage.removeItem(pagePrefix + page);
  }

  /** Ignores a heartbeat far in the future: the clock was set back since. */
  #hasHeartbeat(page: string, now: number, withinMs: number): boolean {
    const seen = this.#storage.getItem(pagePrefix + page);
    return seen !== null && Math.abs(now - Number(seen)) < withinMs;
  }

  /** Evicts the oldest entry that may live in memory alone and is as this page stored it. */
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
      // This page still sends the entry; only a reload would lose it. The page asks before it closes.
      return false;
    }
  }
}

/** Returns whether an entry must outlive its page: a person also has to see that a mark was refused. */
const mustBeStored = (entry: Entry) => mustBeKept(entry) || (isMark(entry) && entry.state === 'refused');

function parseEntry(key: string, text: string | null): StoredEntry | null {
  try {
    const entry: Entry | null = JSON.parse(text ?? 'null');
    const ids = entry?.kind === 'points' ? entry.studentIds : entry?.body.userIds;
    return entry && Array.isArray(ids) ? { entry: { ...entry, key }, text } : null;
  } catch {
    return null;
  }
}
