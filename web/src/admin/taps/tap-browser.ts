import { ScoringQueue } from './scoring-queue.ts';
import { TapAdoption } from './tap-adoption.ts';
import { TapStore } from './tap-store.ts';
import type { World } from './tap-world.ts';

/** A page of the app: its queue, and what may happen to it. */
export interface BrowserPage {
  readonly id: string;
  readonly queue: ScoringQueue;
  readonly adoption: TapAdoption;
  state: 'open' | 'frozen' | 'kept for Back' | 'gone';
}

interface Timer {
  readonly page: BrowserPage | null;
  readonly run: () => void;
  readonly due: number;
}

/** A storage that several pages share. */
export class SharedStorage {
  readonly #kept = new Map<string, string>();
  isFull = false;

  get length(): number {
    return this.#kept.size;
  }

  readonly key = (index: number) => [...this.#kept.keys()][index] ?? null;
  readonly getItem = (key: string) => this.#kept.get(key) ?? null;
  readonly removeItem = (key: string) => void this.#kept.delete(key);
  readonly setItem = (key: string, value: string) => {
    if (this.isFull) throw new DOMException('full', 'QuotaExceededError');
    this.#kept.set(key, value);
  };
}

/** A browser with several pages of one administrator, in a time that the test moves. */
export class Browser {
  readonly storage = new SharedStorage();
  readonly pages: BrowserPage[] = [];
  /** Whether it can tell which pages are open. */
  knowsOpenPages = true;
  readonly #world: World;
  #timers: Timer[] = [];
  #elapsed = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * @param former the page that stood in the same tab before, or in the tab that this one is a copy of
   * @param isReload the former page was loaded anew
   */
  open(former: BrowserPage | null = null, isReload = false): BrowserPage {
    const world = this.#world;
    const id = `page ${this.pages.length + 1}`;
    const store = new TapStore(1, id, this.storage, world.now);
    const later = (run: () => void, delayMs: number) => {
      this.#timers.push({ page, run, due: this.#elapsed + delayMs });
    };
    /** What the network answers reaches a page that still runs, and a frozen one when it runs again. */
    const answered = async <T>(answer: Promise<T>): Promise<T> => {
      const value = await answer;
      return page.state === 'open' ? value : new Promise((resolve) => later(() => resolve(value), 0));
    };
    const queue = new ScoringQueue({
      send: (tap) => answered(world.send(tap)),
      undo: (tap) => answered(world.undo(tap)),
      settle: () => {},
      settleLate: () => {},
      now: world.now,
      later,
      newKey: world.newKey,
      keep: (taps) => {
        store.write(taps);
        this.#tellOthers(page);
      },
    });
    const adoption = new TapAdoption({
      queue,
      store,
      formerPage: former?.id ?? null,
      formerIsGone: isReload,
      openPages: async () =>
        this.knowsOpenPages
          ? // A frozen page still holds what shows that it is open.
            new Set(
              this.pages.filter(({ state }) => state === 'open' || state === 'frozen').map((one) => one.id),
            )
          : null,
      now: world.now,
      elapsed: () => this.#elapsed,
      later,
    });
    const page: BrowserPage = { id, queue, adoption, state: 'open' };
    this.pages.push(page);
    this.#leaving.set(page, () => store.leave());
    adoption.begin();
    return page;
  }

  readonly #leaving = new Map<BrowserPage, () => void>();

  /** The page is left and says so; the browser may keep it for the Back button. */
  leave(page: BrowserPage, next: 'gone' | 'kept for Back'): void {
    this.#leaving.get(page)?.();
    page.state = next;
    this.#tellOthers(page);
  }

  /** The page goes on after it was frozen or kept. */
  wake(page: BrowserPage): void {
    const before = page.state;
    page.state = 'open';
    if (before === 'kept for Back') page.adoption.comeBack();
    page.adoption.letGo();
    page.queue.retryNow();
    void page.adoption.check();
  }

  /** Lets time pass, and everything happen that is due in it. */
  async pass(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    for (;;) {
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
      const next = this.#timers
        .filter(({ page, due }) => due <= until && (page === null || page.state === 'open'))
        .sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#move(Math.max(next.due, this.#elapsed));
      next.run();
    }
    this.#move(until);
    for (const page of this.pages) if (page.state === 'open') void page.adoption.check();
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  }

  #move(to: number): void {
    this.#world.time += to - this.#elapsed;
    this.#world.serverTime += to - this.#elapsed;
    this.#elapsed = to;
  }

  #tellOthers(page: BrowserPage): void {
    for (const other of this.pages) {
      if (other === page || other.state === 'gone') continue;
      const run = () => {
        other.adoption.letGo();
        void other.adoption.check();
      };
      this.#timers.push({ page: other, run, due: this.#elapsed });
    }
  }
}
