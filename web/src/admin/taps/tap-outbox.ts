import { type Tap, unanswered } from './tap.ts';

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Under what the taps of all administrators stand in the storage. */
export const outboxPrefix = 'classledger.tap.';

interface Entry {
  readonly tap: Tap;
  /** As it stands in the storage; null where there was no room for it. */
  readonly text: string | null;
}

/**
 * The taps of one administrator in this browser, an entry for each: what all of their pages go by. Another person at
 * the same browser has entries of their own.
 *
 * The storage has the truth about a tap or nothing: what it has no room for, this page alone knows.
 */
export class TapOutbox {
  readonly #prefix: string;
  readonly #place: Place;
  #entries: ReadonlyMap<string, Entry> = new Map();

  constructor(adminId: number, place: Place) {
    this.#prefix = `${outboxPrefix}${adminId}.`;
    this.#place = place;
  }

  /** All taps, in no order; the same objects as long as nothing of them changes. */
  read(): readonly Tap[] {
    // Its mark is missing: someone has cleared the storage, so that what is missing besides was not taken off.
    if (this.#place.getItem(this.#prefix) === null) {
      this.#keep(this.#prefix, '1');
      for (const { tap } of this.#entries.values()) this.put(tap);
    }
    const entries = new Map([...this.#entries].filter(([, { text }]) => text === null));
    for (let index = 0; index < this.#place.length; index++) {
      const name = this.#place.key(index);
      if (name === this.#prefix || !name?.startsWith(this.#prefix)) continue;
      const key = name.slice(this.#prefix.length);
      const text = this.#place.getItem(name);
      const known = this.#entries.get(key);
      const entry = known && known.text === text ? known : parsed(text);
      if (entry) entries.set(key, entry);
    }
    this.#entries = entries;
    return [...entries.values()].map(({ tap }) => tap);
  }

  put(tap: Tap): void {
    const text = JSON.stringify(tap);
    const isKept = this.#keep(this.#prefix + tap.key, text);
    // What stood there before is not true any more.
    if (!isKept) this.#place.removeItem(this.#prefix + tap.key);
    this.#entries = new Map(this.#entries).set(tap.key, { tap, text: isKept ? text : null });
  }

  remove(key: string): void {
    this.#place.removeItem(this.#prefix + key);
    this.#entries = new Map([...this.#entries].filter(([one]) => one !== key));
  }

  #keep(name: string, text: string): boolean {
    try {
      this.#place.setItem(name, text);
      return true;
    } catch {
      // The tap is sent all the same, only a reload would forget it; the page asks before it is closed.
      return false;
    }
  }
}

function parsed(text: string | null): Entry | null {
  try {
    const tap: Tap = { ...unanswered, doubt: 'real', page: '', until: 0, ...JSON.parse(text ?? 'null') };
    const isWhole =
      typeof tap.key === 'string' && Array.isArray(tap.studentIds) && typeof tap.change === 'number';
    return isWhole ? { tap, text } : null;
  } catch {
    return null;
  }
}
