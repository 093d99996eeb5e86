import { type Mark, newMarkState } from './mark.ts';

export type MarkStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Begins the storage keys of marks, of all administrators. */
export const marksPrefix = 'classledger.mark.';

interface Entry {
  readonly mark: Mark;
  /** As stored; null while the storage has no room for it. */
  readonly text: string | null;
}

/** Replaces a mark in the storage for a moment, so other pages receive the answer. */
interface AnsweredMark {
  readonly mark: Mark;
  readonly answer: unknown;
}

/** Stores the marks of one administrator, one entry each. If the storage is full, a mark lives in this page only. */
export class MarkStore {
  readonly #prefix: string;
  readonly #storage: MarkStorage;
  readonly #entries = new Map<string, Entry>();

  constructor(adminId: number, storage: MarkStorage) {
    this.#prefix = `${marksPrefix}${adminId}.`;
    this.#storage = storage;
    for (const name of this.#storageKeys())
      if (parseAnsweredMark(storage.getItem(name))) storage.removeItem(name);
  }

  /** Oldest first. An unchanged mark stays the same object. */
  get marks(): readonly Mark[] {
    return [...this.#entries.values()]
      .map(({ mark }) => mark)
      .sort((one, other) => one.at - other.at || one.key.localeCompare(other.key));
  }

  get(key: string): Mark | undefined {
    return this.#entries.get(key)?.mark;
  }

  isStored(key: string): boolean {
    return this.#entries.get(key)?.text != null;
  }

  read(): void {
    const there = new Map(
      this.#storageKeys().map((name) => [name.slice(this.#prefix.length), this.#storage.getItem(name)]),
    );
    for (const [key, { text }] of this.#entries) {
      if (text !== null && !there.has(key)) this.#entries.delete(key);
    }
    for (const [key, text] of there) {
      if (this.#entries.get(key)?.text === text) continue;
      const mark = parseMark(key, text);
      if (mark) this.#entries.set(key, { mark, text });
      else this.#entries.delete(key);
    }
  }

  put(mark: Mark): void {
    const name = this.#prefix + mark.key;
    const text = JSON.stringify(mark);
    let stored: string | null = text;
    try {
      this.#storage.setItem(name, text);
    } catch {
      // The older text lacks the change, but a reload still finds the mark.
      stored = this.#storage.getItem(name);
    }
    this.#entries.set(mark.key, { mark, text: stored });
  }

  remove(key: string): void {
    this.#storage.removeItem(this.#prefix + key);
    this.#entries.delete(key);
  }

  /** Removes an answered mark. Writes the answer first, so other pages receive it before the mark disappears. */
  removeAnswered(mark: Mark, answer: unknown): void {
    try {
      this.#storage.setItem(this.#prefix + mark.key, JSON.stringify({ mark, answer } satisfies AnsweredMark));
    } catch {
      // The storage is full: other pages fetch from the server.
    }
    this.remove(mark.key);
  }

  /** Parses an entry of a storage event. The entry may belong to another administrator. */
  parseEntry(name: string, text: string | null): { mark: Mark | null; answered: AnsweredMark | null } {
    if (!name.startsWith(this.#prefix)) return { mark: null, answered: null };
    return { mark: parseMark(name.slice(this.#prefix.length), text), answered: parseAnsweredMark(text) };
  }

  #storageKeys(): string[] {
    const names = Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index) ?? '');
    return names.filter((name) => name.startsWith(this.#prefix));
  }
}

function parseAnsweredMark(text: string | null): AnsweredMark | null {
  try {
    const ending: Partial<AnsweredMark> | null = JSON.parse(text ?? 'null');
    return ending?.mark && ending.answer !== undefined ? (ending as AnsweredMark) : null;
  } catch {
    return null;
  }
}

function parseMark(key: string, text: string | null): Mark | null {
  try {
    const mark: Mark | null = { ...newMarkState, doubt: 'real', ...JSON.parse(text ?? 'null'), key };
    return mark && Array.isArray(mark.body?.userIds) && typeof mark.body.classId === 'number' ? mark : null;
  } catch {
    return null;
  }
}
