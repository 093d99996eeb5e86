import { mustBeKept, newTapState, type Tap } from './tap.ts';

type TapStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Begins the storage keys of taps, of all administrators. */
export const outboxPrefix = 'classledger.tap.';
/** Begins the storage keys of page heartbeats. */
export const pagePrefix = 'classledger.page.';

/** A page without a heartbeat for this long is frozen or gone: another page sends its taps. */
const heartbeatTimeoutMs = 30_000;
const heartbeatIntervalMs = 10_000;

interface Entry {
  readonly tap: Tap;
  /** As stored; null while the storage has no room for it. */
  text: string | null;
}

/** Stores taps of one administrator. `localStorage` is the truth; if it is full, the tap lives in this page only. */
export class TapOutbox {
  readonly #prefix: string;
  readonly #storage: TapStorage;
  readonly #entries = new Map<string, Entry>();

  constructor(adminId: number, storage: TapStorage) {
    this.#prefix = `${outboxPrefix}${adminId}.`;
    this.#storage = storage;
  }

  /** Oldest first. An unchanged tap stays the same object. */
  get taps(): readonly Tap[] {
    return [...this.#entries.values()].map(({ tap }) => tap);
  }

  get(key: string): Tap | undefined {
    return this.#entries.get(key)?.tap;
  }

  read(): void {
    // Somebody cleared the storage: the missing taps were not removed on purpose.
    if (this.#storage.getItem(this.#prefix) === null) {
      this.#tryWrite(this.#prefix, '1');
      for (const { tap } of this.#entries.values()) this.put(tap);
    }
    const names = Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index) ?? '');
    const there = new Map(
      names
        .filter((name) => name !== this.#prefix && name.startsWith(this.#prefix))
        .map((name) => [name.slice(this.#prefix.length), this.#storage.getItem(name)]),
    );
    for (const [key, { text }] of this.#entries) {
      if (text !== null && !there.has(key)) this.#entries.delete(key);
    }
    const changed = [...there]
      .filter(([key, text]) => this.#entries.get(key)?.text !== text)
      .flatMap(([key, text]) => parseEntry(key, text) ?? []);
    for (const entry of changed.sort((one, other) => one.tap.at - other.tap.at)) {
      this.#entries.set(entry.tap.key, entry);
    }
  }

  /** Stores a tap. If the storage is full and the tap must be kept, evicts the oldest settled ones. */
  put(tap: Tap): void {
    const name = this.#prefix + tap.key;
    const entry: Entry = { tap, text: null };
    this.#entries.set(tap.key, entry);
    const text = JSON.stringify(tap);
    do {
      if (this.#tryWrite(name, text)) entry.text = text;
    } while (entry.text === null && mustBeKept(tap) && this.#evictOldest());
    if (entry.text === null) this.#storage.removeItem(name);
  }

  remove(key: string): void {
    this.#storage.removeItem(this.#prefix + key);
    this.#entries.delete(key);
  }

  /** Writes the heartbeat of a page, which then sends its taps itself. */
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

  /** Evicts the oldest settled tap that no other page has changed; this page keeps it in memory. */
  #evictOldest(): boolean {
    for (const [key, entry] of this.#entries) {
      const { tap, text } = entry;
      if (mustBeKept(tap) || text === null || text !== this.#storage.getItem(this.#prefix + key)) continue;
      this.#storage.removeItem(this.#prefix + key);
      entry.text = null;
      return true;
    }
    return false;
  }

  #tryWrite(name: string, text: string): boolean {
    try {
      this.#storage.setItem(name, text);
      return true;
    } catch {
      // This page still sends the tap; only a reload would lose it. The page asks before it closes.
      return false;
    }
  }
}

function parseEntry(key: string, text: string | null): Entry | null {
  try {
    const tap: Tap = { ...newTapState, doubt: 'real', page: '', ...JSON.parse(text ?? 'null'), key };
    return Array.isArray(tap.studentIds) && typeof tap.change === 'number' ? { tap, text } : null;
  } catch {
    return null;
  }
}
