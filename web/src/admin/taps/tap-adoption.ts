import type { ScoringQueue } from './scoring-queue.ts';
import { isUnsettled } from './tap.ts';
import type { OtherPage, TapStore } from './tap-store.ts';

interface AdoptionPorts {
  readonly queue: ScoringQueue;
  readonly store: TapStore;
  /** The page that stood in this tab before, which a reload goes on from; null where there was none. */
  readonly formerPage: string | null;
  /** It is surely not open any more. */
  readonly formerIsGone: boolean;
  /** The pages that are open, by their ids; null where the browser cannot tell. */
  readonly openPages: () => Promise<ReadonlySet<string> | null>;
  readonly now: () => number;
  /** Milliseconds that only ever rise, whatever is done to the clock. */
  readonly elapsed: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
}

interface Sight {
  readonly look: string;
  readonly at: number;
  readonly silence: number;
}

/** A page that is only being loaded anew gets its own taps back: others wait as long. */
const graceMs = 4_000;
/**
 * A page that has something to send writes about it at least every minute and a half. One that is silent for so
 * long is frozen by the browser, or was closed where nobody could see it.
 */
const silentMs = 3 * 60_000;
/** Between two looks this much counts as silence at most: the whole machine may have slept. */
const countedMs = 60_000;
/** A page that wrote nothing for so long is taken for gone where the browser cannot tell. */
const forgottenMs = 24 * 3_600_000;

/**
 * Goes on with the taps of other pages of the same person that were closed, have crashed or do not move any more.
 * Two pages may end with the same tap all the same: its key lets it count once.
 */
export class TapAdoption {
  readonly #ports: AdoptionPorts;
  /** How each page was last seen, and for how long it has been so. */
  readonly #seen = new Map<string, Sight>();
  #checking = false;

  constructor(ports: AdoptionPorts) {
    this.#ports = ports;
  }

  /** Adopts at once what pages have left that said so; nobody else may be there to do it. */
  begin(): void {
    const { store, now, formerPage, formerIsGone } = this.#ports;
    for (const page of store.others()) {
      const isGone = page.left || (formerIsGone && page.pageId === formerPage);
      if (isGone || Math.abs(now() - page.writtenAt) > forgottenMs) this.#adopt(page, 'all');
    }
    void this.check();
  }

  /** Adopts what is to be adopted by now, and looks again later at what is in its time of grace. */
  async check(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    try {
      const open = await this.#ports.openPages();
      const pages = this.#ports.store.others();
      for (const page of pages) this.#judge(page, open);
      const ids = new Set(pages.map(({ pageId }) => pageId));
      for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id);
    } finally {
      this.#checking = false;
    }
  }

  /** The browser had kept this page for its Back button, and shows it again. */
  comeBack(): void {
    this.#ports.store.comeBack();
    this.letGo();
  }

  /** Lets go of what another page has adopted while this one did not move. */
  letGo(): void {
    this.#ports.queue.keepOnly(this.#ports.store.stillOwn());
  }

  #judge(page: OtherPage, open: ReadonlySet<string> | null): void {
    const at = this.#ports.elapsed();
    const isGone = page.left || open?.has(page.pageId) === false;
    const look = `${page.writtenAt} ${isGone}`;
    const before = this.#seen.get(page.pageId);
    const silence = before?.look === look ? before.silence + Math.min(at - before.at, countedMs) : 0;
    this.#seen.set(page.pageId, { look, at, silence });
    if (!isGone) {
      if (silence >= silentMs && page.taps.some(isUnsettled)) this.#adopt(page, 'unsettled');
    } else if (silence >= graceMs || page.pageId === this.#ports.formerPage) {
      this.#adopt(page, 'all');
    } else {
      this.#ports.later(() => void this.check(), graceMs - silence);
    }
  }

  #adopt({ pageId, taps }: OtherPage, which: 'all' | 'unsettled'): void {
    const { queue, store } = this.#ports;
    queue.adopt(which === 'all' ? taps : taps.filter(isUnsettled));
    // Not before they are kept here: a storage may be full.
    if (store.keepsAll) store.remove(pageId, which);
  }
}
