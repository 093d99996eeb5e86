import { isKept, isUnsettled, type Tap } from './tap.ts';

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** What another page of the same person has kept in this browser. */
export interface OtherPage {
  readonly pageId: string;
  readonly taps: readonly Tap[];
  /** It said that it was being left. */
  readonly left: boolean;
  /** When it last wrote, by the clock of this machine, which may have been set since. */
  readonly writtenAt: number;
}

/** Where pages keep taps. */
export const storePrefix = 'classledger.taps.';
/** So long a note stays that the taps of a page were taken: the page may come back by the Back button. */
const noteKeptMs = 24 * 3_600_000;

interface Kept {
  readonly taps: readonly Tap[];
  readonly left: boolean;
  readonly writtenAt: number;
}

/** What taps lack that an earlier version of the pages kept. */
const before: Omit<Tap, 'key' | 'schoolDb' | 'classId' | 'studentIds' | 'change' | 'description' | 'at'> = {
  state: 'waiting',
  takenBack: false,
  logIds: [],
  refusedIds: [],
  stuckCount: 0,
  failures: 0,
  doubt: 'real',
  problem: null,
};

/**
 * Keeps the taps of one page of one administrator, so that another person at the same browser never sends them.
 * Each page has a place of its own: pages that write at the same time would undo each other's writing.
 */
export class TapStore {
  readonly #prefix: string;
  readonly #pageId: string;
  readonly #place: Place;
  readonly #now: () => number;
  #taps: readonly Tap[] = [];
  #left = false;
  /** False where the storage is full or forbidden: it does not tell what this page has then. */
  #isTrue = true;

  constructor(adminId: number, pageId: string, place: Place, now: () => number) {
    this.#prefix = `${storePrefix}${adminId}.`;
    this.#pageId = pageId;
    this.#place = place;
    this.#now = now;
  }

  /** Keeps what this page has; it begins with nothing. */
  write(taps: readonly Tap[]): void {
    this.#taps = taps;
    // A full storage may still have room for what must not be forgotten.
    this.#isTrue = this.#put(this.#pageId, taps);
    if (!this.#isTrue) this.#put(this.#pageId, taps.filter(isKept));
  }

  /** Tells other pages that this one is being left. */
  leave(): void {
    this.#left = true;
    this.write(this.#taps);
  }

  /** Takes it back: the browser had kept the page for its Back button. */
  comeBack(): void {
    this.#left = false;
    const kept = this.#get(this.#pageId);
    if (kept) this.#put(this.#pageId, kept.taps);
  }

  /** The taps that this page still has: others go on with what they have taken. Null where nobody can tell. */
  stillOwn(): ReadonlySet<string> | null {
    const kept = this.#isTrue ? this.#get(this.#pageId) : null;
    // Where nothing is kept at all, somebody has cleared the storage: whoever takes taps leaves a note.
    return kept && new Set(kept.taps.map(({ key }) => key));
  }

  /** What other pages of the same administrator have kept. */
  others(): readonly OtherPage[] {
    const ids: string[] = [];
    for (let index = 0; index < this.#place.length; index++) {
      const key = this.#place.key(index);
      if (key?.startsWith(this.#prefix)) ids.push(key.slice(this.#prefix.length));
    }
    return ids.flatMap((pageId) => {
      const kept = pageId === this.#pageId ? null : this.#get(pageId);
      if (kept?.taps.length === 0 && kept.writtenAt < this.#now() - noteKeptMs) {
        this.#place.removeItem(this.#prefix + pageId);
      }
      return kept && kept.taps.length > 0 ? [{ pageId, ...kept }] : [];
    });
  }

  /** Whether everything that this page has is kept: the storage may be full or forbidden. */
  get keepsAll(): boolean {
    return this.#isTrue;
  }

  /** Removes the taps of another page that this one goes on with: all, or those that it has still to send. */
  remove(pageId: string, which: 'all' | 'unsettled'): void {
    const kept = this.#get(pageId);
    if (!kept) return;
    const rest = which === 'all' ? [] : kept.taps.filter((tap) => !isUnsettled(tap));
    this.#put(pageId, rest, kept);
  }

  #put(pageId: string, taps: readonly Tap[], { left } = { left: this.#left }): boolean {
    try {
      const key = this.#prefix + pageId;
      const kept: Kept = { taps, left, writtenAt: this.#now() };
      this.#place.setItem(key, JSON.stringify(kept));
      return true;
    } catch {
      // The taps are sent all the same, only a reload would forget them; the page asks before it is closed.
      return false;
    }
  }

  #get(pageId: string): Kept | null {
    try {
      const { taps, left, writtenAt } = JSON.parse(this.#place.getItem(this.#prefix + pageId) ?? 'null');
      const whole = (taps as readonly Tap[]).filter(isWhole).map((tap) => ({ ...before, ...tap }));
      return { taps: whole, left: left === true, writtenAt: Number(writtenAt) };
    } catch {
      return null;
    }
  }
}

const isWhole = (tap: Partial<Tap> | null) =>
  typeof tap?.key === 'string' && Array.isArray(tap.studentIds) && typeof tap.change === 'number';
