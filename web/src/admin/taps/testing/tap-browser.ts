import { ScoringQueue } from '../scoring-queue.ts';
import { countedRecipientIds, mayGiveUp } from '../tap.ts';
import { TapOutbox } from '../tap-outbox.ts';
import { addPoints, type TapWorld } from './tap-world.ts';

export interface BrowserPage {
  readonly id: string;
  readonly queue: ScoringQueue;
  readonly totals: Map<number, number>;
  state: 'open' | 'frozen' | 'kept for Back' | 'gone';
}

interface Timer {
  readonly page: BrowserPage;
  readonly run: () => void;
  readonly due: number;
}

export class SimulatedBrowser {
  readonly pages: BrowserPage[] = [];
  knowsOpenPages = true;
  /** Students with a tap in doubt whose totals are shown as the server sent them. */
  readonly doubted = new Set<number>();
  readonly #world: TapWorld;
  #timers: Timer[] = [];
  #elapsed = 0;

  constructor(world: TapWorld) {
    this.#world = world;
  }

  open(): BrowserPage {
    const world = this.#world;
    const id = `page ${this.pages.length + 1}`;
    const totals = new Map<number, number>();
    const schedule = (run: () => void, delayMs: number) => {
      this.#timers.push({ page, run, due: this.#elapsed + delayMs });
    };
    /** Delivers an answer; a frozen page receives it when it runs again. */
    const answered = async <T>(answer: Promise<T>): Promise<T> => {
      const value = await answer;
      return page.state === 'open' ? value : new Promise((resolve) => schedule(() => resolve(value), 0));
    };
    const queue = new ScoringQueue({
      outbox: new TapOutbox(1, this.#storageOfPage(id)),
      page: id,
      openPages: async () =>
        this.knowsOpenPages
          ? // A frozen page still holds its lock.
            new Set(this.pages.filter(({ state }) => ['open', 'frozen'].includes(state)).map((one) => one.id))
          : null,
      send: (tap) => answered(world.send(tap)),
      undo: (tap) => answered(world.undo(tap)),
      onSaved: (one) => {
        addPoints(totals, {
          ...one,
          studentIds: new Set([...one.studentIds].filter((id) => totals.has(id))),
        });
      },
      now: world.now,
      schedule,
      newKey: world.newKey,
    });
    const page: BrowserPage = { id, queue, totals, state: 'open' };
    this.pages.push(page);
    const seenKeys = new Set<string>();
    const watch = () => {
      for (const tap of queue.taps.filter(({ key }) => !seenKeys.has(key))) {
        seenKeys.add(tap.key);
        // Another page had it saved before: it shows with the next fetched totals.
        for (const id of countedRecipientIds(tap)) totals.delete(id);
      }
      const doubtfulTaps = queue.taps.filter((tap) => mayGiveUp(tap) || tap.doubt === 'slight');
      for (const id of doubtfulTaps.flatMap(({ studentIds }) => studentIds)) this.doubted.add(id);
    };
    watch();
    queue.subscribe(watch);
    return page;
  }

  /** Closes a page with `pagehide`; the browser may keep it for the Back button. */
  closePage(page: BrowserPage, next: 'gone' | 'kept for Back'): void {
    page.queue.removeHeartbeat();
    page.state = next;
  }

  resumePage(page: BrowserPage): void {
    page.state = 'open';
    page.queue.retryNow();
  }

  async pass(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    const asked = this.#open().map((page) => {
      const answer = new Map(this.#world.totals);
      const { revision } = page.queue;
      return { page, answer, revision };
    });
    await this.#runUntil(until);
    this.#advanceTime(until);
    for (const { page, answer, revision } of asked.filter(({ page }) => page.state === 'open')) {
      const unclear = page.queue.unclearStudentsSince(revision);
      for (const id of [1, 2, 3]) if (!unclear.has(id)) page.totals.set(id, answer.get(id) ?? 0);
    }
    for (const page of this.#open()) void page.queue.refresh();
    await this.#runUntil(until);
  }

  async #runUntil(until: number): Promise<void> {
    for (;;) {
      await this.#settle();
      const next = this.#timers
        .filter(({ page, due }) => due <= until && page.state === 'open')
        .sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#advanceTime(Math.max(next.due, this.#elapsed));
      next.run();
    }
  }

  #open(): readonly BrowserPage[] {
    return this.pages.filter(({ state }) => state === 'open');
  }

  async #settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  }

  #advanceTime(to: number): void {
    this.#world.time += to - this.#elapsed;
    this.#world.serverTime += to - this.#elapsed;
    this.#elapsed = to;
  }

  /** Returns the storage of one page. Its writes notify the other pages. */
  #storageOfPage(id: string) {
    const { storage } = this.#world;
    const notifyOthers = () => {
      for (const page of this.pages) {
        if (page.id === id || page.state === 'gone') continue;
        this.#timers.push({ page, run: () => void page.queue.refresh(), due: this.#elapsed });
      }
    };
    return {
      get length() {
        return storage.length;
      },
      key: storage.key,
      getItem: storage.getItem,
      setItem: (key: string, value: string) => {
        const isNew = storage.getItem(key) !== value;
        storage.setItem(key, value);
        if (isNew) notifyOthers();
      },
      removeItem: (key: string) => {
        const isThere = storage.getItem(key) !== null;
        storage.removeItem(key);
        if (isThere) notifyOthers();
      },
    };
  }
}
