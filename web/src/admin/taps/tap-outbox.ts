import { isKept, type Tap, unanswered } from './tap.ts';

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Under what the taps of all administrators stand in the storage. */
export const outboxPrefix = 'classledger.tap.';
/** Under what pages say that they are there. */
export const pagePrefix = 'classledger.page.';

/** A page that has said nothing for so long is frozen or gone: another one sends its taps. */
const silentMs = 30_000;
const saidAgainMs = 10_000;

interface Entry {
  readonly tap: Tap;
  /** As it stands in the storage; null where there was no room for it. */
  text: string | null;
}

/**
 * The taps of one administrator in this browser, an entry for each: what all of their pages go by. Another person at
 * the same browser has entries of their own. Beside them stands which pages are there to send theirs.
 *
 * The storage has the truth about a tap or nothing: what it has no room for, this page alone knows.
 */
export class TapOutbox {
  readonly #prefix: string;
  readonly #place: Place;
  /** By key, in the order in which this page met them. */
  readonly #entries = new Map<string, Entry>();

  constructor(adminId: number, place: Place) {
    this.#prefix = `${outboxPrefix}${adminId}.`;
    this.#place = place;
  }

  /** The oldest first; the same objects as long as nothing of them changes. */
  get taps(): readonly Tap[] {
    return [...this.#entries.values()].map(({ tap }) => tap);
  }

  get(key: string): Tap | undefined {
    return this.#entries.get(key)?.tap;
  }

  /** Takes over what other pages have changed. */
  read(): void {
    // Its mark is missing: someone has cleared the storage, so that what is missing besides was not taken off.
    if (this.#place.getItem(this.#prefix) === null) {
      this.#keep(this.#prefix, '1');
      for (const { tap } of this.#entries.values()) this.put(tap);
    }
    const names = Array.from({ length: this.#place.length }, (_, index) => this.#place.key(index) ?? '');
    const there = new Map(
      names
        .filter((name) => name !== this.#prefix && name.startsWith(this.#prefix))
        .map((name) => [name.slice(this.#prefix.length), this.#place.getItem(name)]),
    );
    for (const [key, { text }] of this.#entries) {
      if (text !== null && !there.has(key)) this.#entries.delete(key);
    }
    const changed = [...there]
      .filter(([key, text]) => this.#entries.get(key)?.text !== text)
      .flatMap(([key, text]) => parsed(key, text) ?? []);
    for (const entry of changed.sort((one, other) => one.tap.at - other.tap.at)) {
      this.#entries.set(entry.tap.key, entry);
    }
  }

  /** Where there is no room for a tap that must not be forgotten, the oldest that are settled make some. */
  put(tap: Tap): void {
    const name = this.#prefix + tap.key;
    const entry: Entry = { tap, text: null };
    this.#entries.set(tap.key, entry);
    const text = JSON.stringify(tap);
    do {
      if (this.#keep(name, text)) entry.text = text;
    } while (entry.text === null && isKept(tap) && this.#makeRoom());
    // What stood there before is not true any more.
    if (entry.text === null) this.#place.removeItem(name);
  }

  remove(key: string): void {
    this.#place.removeItem(this.#prefix + key);
    this.#entries.delete(key);
  }

  /** A page says that it is there, and sends its taps itself. */
  enter(page: string, now: number): void {
    if (!this.#wasSeen(page, now, saidAgainMs)) this.#keep(pagePrefix + page, String(now));
  }

  /** Whether a page has said so lately, and has not left since. */
  isThere(page: string, now: number): boolean {
    return this.#wasSeen(page, now, silentMs);
  }

  leave(page: string): void {
    this.#place.removeItem(pagePrefix + page);
  }

  /** No one knows how long ago it was where the clock was set back meanwhile. */
  #wasSeen(page: string, now: number, withinMs: number): boolean {
    const seen = this.#place.getItem(pagePrefix + page);
    return seen !== null && Math.abs(now - Number(seen)) < withinMs;
  }

  /** From now on this page alone knows the oldest tap that is settled and that no other page has gone on with. */
  #makeRoom(): boolean {
    for (const [key, entry] of this.#entries) {
      const { tap, text } = entry;
      if (isKept(tap) || text === null || text !== this.#place.getItem(this.#prefix + key)) continue;
      this.#place.removeItem(this.#prefix + key);
      entry.text = null;
      return true;
    }
    return false;
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

function parsed(key: string, text: string | null): Entry | null {
  try {
    const tap: Tap = { ...unanswered, doubt: 'real', page: '', ...JSON.parse(text ?? 'null'), key };
    return Array.isArray(tap.studentIds) && typeof tap.change === 'number' ? { tap, text } : null;
  } catch {
    return null;
  }
}
