import { type Mark, untried } from './mark.ts';

/** Where marks are kept: `localStorage`. */
export type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Under what the marks of all administrators stand in the storage. */
export const marksPrefix = 'classledger.mark.';

interface Entry {
  readonly mark: Mark;
  /** As it stands in the storage; null where there was no room for it. */
  readonly text: string | null;
}

/** What the server has answered to a mark; it stands in the mark's place for a moment, for other pages to see. */
interface Ending {
  readonly mark: Mark;
  readonly answer: unknown;
}

/** The marks of one administrator in the storage of this browser, an entry for each. What it has no room for, this page alone knows. */
export class MarkStore {
  readonly #prefix: string;
  readonly #place: Place;
  readonly #entries = new Map<string, Entry>();

  constructor(adminId: number, place: Place) {
    this.#prefix = `${marksPrefix}${adminId}.`;
    this.#place = place;
    // A page was closed before it could take them away.
    for (const name of this.#names()) if (endingIn(place.getItem(name))) place.removeItem(name);
  }

  /** The oldest first; the same objects as long as nothing of them changes. */
  get marks(): readonly Mark[] {
    return [...this.#entries.values()]
      .map(({ mark }) => mark)
      .sort((one, other) => one.at - other.at || one.key.localeCompare(other.key));
  }

  get(key: string): Mark | undefined {
    return this.#entries.get(key)?.mark;
  }

  /** Whether a page that is opened later finds a mark. */
  isStored(key: string): boolean {
    return this.#entries.get(key)?.text != null;
  }

  /** Takes over what other pages have changed. */
  read(): void {
    const there = new Map(
      this.#names().map((name) => [name.slice(this.#prefix.length), this.#place.getItem(name)]),
    );
    for (const [key, { text }] of this.#entries) {
      if (text !== null && !there.has(key)) this.#entries.delete(key);
    }
    for (const [key, text] of there) {
      if (this.#entries.get(key)?.text === text) continue;
      const mark = parsed(key, text);
      if (mark) this.#entries.set(key, { mark, text });
      else this.#entries.delete(key);
    }
  }

  put(mark: Mark): void {
    const name = this.#prefix + mark.key;
    const text = JSON.stringify(mark);
    let stored: string | null = text;
    try {
      this.#place.setItem(name, text);
    } catch {
      // What stood there before tells less, and is better than nothing after a reload.
      stored = this.#place.getItem(name);
    }
    this.#entries.set(mark.key, { mark, text: stored });
  }

  remove(key: string): void {
    this.#place.removeItem(this.#prefix + key);
    this.#entries.delete(key);
  }

  /** Takes a mark away that the server has answered. Other pages are told the answer before, so none shows itself without both. */
  end(mark: Mark, answer: unknown): void {
    try {
      this.#place.setItem(this.#prefix + mark.key, JSON.stringify({ mark, answer } satisfies Ending));
    } catch {
      // It is full: other pages ask the server.
    }
    this.remove(mark.key);
  }

  /**
   * What an entry of the storage says, or said.
   *
   * @param name of the entry; it may be of somebody else
   */
  understand(name: string, text: string | null): { mark: Mark | null; ending: Ending | null } {
    if (!name.startsWith(this.#prefix)) return { mark: null, ending: null };
    return { mark: parsed(name.slice(this.#prefix.length), text), ending: endingIn(text) };
  }

  #names(): string[] {
    const names = Array.from({ length: this.#place.length }, (_, index) => this.#place.key(index) ?? '');
    return names.filter((name) => name.startsWith(this.#prefix));
  }
}

/** The answer that another page tells; null where it tells none. */
function endingIn(text: string | null): Ending | null {
  try {
    const ending: Partial<Ending> | null = JSON.parse(text ?? 'null');
    return ending?.mark && ending.answer !== undefined ? (ending as Ending) : null;
  } catch {
    return null;
  }
}

function parsed(key: string, text: string | null): Mark | null {
  try {
    const mark: Mark | null = { ...untried, doubt: 'real', ...JSON.parse(text ?? 'null'), key };
    return mark && Array.isArray(mark.body?.userIds) && typeof mark.body.classId === 'number' ? mark : null;
  } catch {
    return null;
  }
}
