import type { Attempt } from '../../taps/attempt.ts';
import type { Mark, NewMark } from '../mark.ts';
import { MarkQueue } from '../mark-queue.ts';

const lost: Attempt<never> = {
  outcome: 'unknown',
  retryAfterMs: null,
  isLocal: false,
  hasServerFailed: false,
  doubt: 'real',
};
const turnedAway: Attempt<never> = { ...lost, doubt: 'none' };
const broken: Attempt<never> = { ...lost, isLocal: true, hasServerFailed: true, doubt: 'slight' };
const inUse: Attempt<never> = { ...lost, isLocal: true, retryAfterMs: 1_000 };
const refused: Attempt<never> = { outcome: 'refused', problem: { status: 400, message: 'no' } };

export type MarkFate =
  | 'arrives'
  | 'lost'
  | 'unanswered'
  | 'broken'
  | 'brokenAfter'
  | 'inUse'
  | 'turnedAway'
  | 'refused';

interface OpenPage {
  readonly queue: MarkQueue;
  readonly answers: string[];
  isOpen: boolean;
}

/** Simulates a browser with several pages, a network, and a server that carries out each key once. */
export class MarkWorld {
  readonly storage = new SimulatedStorage();
  time = 0;
  /** One fate per request; when empty, requests arrive and are answered. */
  fates: MarkFate[] = [];
  /** The server fails at marks of these students; it refuses marks of the students in `refused`. */
  readonly poison = new Set<number>();
  readonly refused = new Set<number>();
  readonly carriedOut: string[] = [];
  readonly keys = new Set<string>();
  readonly attemptsAt: number[] = [];
  readonly dropped: string[] = [];
  readonly #pages: OpenPage[] = [];
  #timers: { readonly page: OpenPage; readonly run: () => void; readonly due: number }[] = [];
  #elapsed = 0;
  #keyCount = 0;
  /** The page that sends, then the pages that wait; a closed page leaves the list. */
  #lockQueue: { readonly page: OpenPage; readonly begin: () => void }[] = [];

  open(): MarkQueue {
    const answers: string[] = [];
    const page = { answers, isOpen: true } as unknown as { queue: MarkQueue } & OpenPage;
    const queue = new MarkQueue({
      adminId: 1,
      storage: this.storage.storageOfPage(answers),
      send: (mark) => this.#send(page, mark),
      onAnswered: (_mark, answer) => void answers.push(String(answer)),
      onDropped: (mark) => void this.dropped.push(describeMark(mark)),
      runExclusively: (work) => this.#runExclusively(page, work),
      now: () => this.time,
      schedule: (run, delayMs) => void this.#timers.push({ page, run, due: this.#elapsed + delayMs }),
      newKey: () => `key ${String(++this.#keyCount).padStart(4, '0')}`,
    });
    page.queue = queue;
    this.#pages.push(page);
    this.storage.addListener(answers, (key, was, is) => {
      const run = () => queue.handleStorageEvent(key, was, is);
      this.#timers.push({ page, run, due: this.#elapsed });
    });
    return queue;
  }

  /** Crashes a page. A request that it sent may still arrive. */
  close(queue: MarkQueue): void {
    const page = this.#pages.find((one) => one.queue === queue) as OpenPage;
    page.isOpen = false;
    this.storage.removeListener(page.answers);
    const [first] = this.#lockQueue;
    this.#lockQueue = this.#lockQueue.filter((turn) => turn.page !== page);
    if (first?.page === page) this.#lockQueue[0]?.begin();
  }

  answersOf(queue: MarkQueue): readonly string[] {
    return this.#pages.find((page) => page.queue === queue)?.answers ?? [];
  }

  async pass(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    for (;;) {
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
      const next = this.#timers
        .filter(({ page, due }) => due <= until && page.isOpen)
        .sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#advanceTime(Math.max(next.due, this.#elapsed));
      next.run();
    }
    this.#advanceTime(until);
  }

  #advanceTime(to: number): void {
    this.time += to - this.#elapsed;
    this.#elapsed = to;
  }

  async #send(page: OpenPage, mark: Mark): Promise<Attempt<unknown>> {
    this.attemptsAt.push(this.time);
    const attempt = this.#answer(mark);
    await null;
    return page.isOpen ? attempt : new Promise(() => {});
  }

  #answer(mark: Mark): Attempt<unknown> {
    const ids = [...mark.body.userIds];
    const fate = this.fates.shift() ?? 'arrives';
    if (fate === 'lost') return lost;
    if (fate === 'turnedAway') return turnedAway;
    if (fate === 'inUse') return inUse;
    if (fate === 'broken' || ids.some((id) => this.poison.has(id))) return broken;
    if (fate === 'refused' || ids.some((id) => this.refused.has(id))) return refused;
    if (!this.keys.has(mark.key)) this.carriedOut.push(describeMark(mark));
    this.keys.add(mark.key);
    if (fate === 'unanswered') return lost;
    return fate === 'brokenAfter' ? broken : { outcome: 'answered', answer: describeMark(mark) };
  }

  async #runExclusively(page: OpenPage, work: () => Promise<void>): Promise<void> {
    await new Promise<void>((begin) => {
      this.#lockQueue.push({ page, begin });
      if (this.#lockQueue.length === 1) begin();
    });
    try {
      await work();
    } finally {
      if (this.#lockQueue[0]?.page === page) {
        this.#lockQueue.shift();
        this.#lockQueue[0]?.begin();
      }
    }
  }
}

type StorageListener = (key: string, was: string | null, is: string | null) => void;

/** Simulates `localStorage` that several pages share, with storage events. */
class SimulatedStorage {
  readonly #kept = new Map<string, string>();
  readonly #listeners = new Map<unknown, StorageListener>();
  lengthMax = Number.POSITIVE_INFINITY;

  get length(): number {
    return this.#kept.size;
  }

  addListener(page: unknown, heard: StorageListener): void {
    this.#listeners.set(page, heard);
  }

  removeListener(page: unknown): void {
    this.#listeners.delete(page);
  }

  storageOfPage(page: unknown): Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> {
    const kept = this.#kept;
    const getItem = (key: string) => kept.get(key) ?? null;
    const notifyOthers: StorageListener = (key, was, is) => {
      if (was === is) return;
      for (const [other, heard] of this.#listeners) if (other !== page) heard(key, was, is);
    };
    return {
      get length() {
        return kept.size;
      },
      key: (index) => [...kept.keys()][index] ?? null,
      getItem,
      setItem: (key, value) => {
        if (value.length > this.lengthMax) throw new DOMException('full', 'QuotaExceededError');
        const was = getItem(key);
        kept.set(key, value);
        notifyOthers(key, was, value);
      },
      removeItem: (key) => {
        const was = getItem(key);
        kept.delete(key);
        notifyOthers(key, was, null);
      },
    };
  }
}

export const describeMark = ({ body }: NewMark) =>
  `${body.userIds.join()} ${'state' in body ? body.state : 'picked'}`;

const target = { schoolDb: 'school_1', classId: 1, day: '2026-09-01' };

export const absence = (id: number, state: 'absent' | 'late' | 'present' = 'absent') => ({
  operation: 'markAttendance' as const,
  body: { ...target, state, userIds: [id] },
});

export const pick = (id: number) => ({
  operation: 'markPicks' as const,
  body: { ...target, userIds: [id], againIds: [] },
});
