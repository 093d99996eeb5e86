import type { Attempt } from '../../taps/attempt.ts';
import type { Mark, Said } from '../mark.ts';
import { MarkQueue } from '../mark-queue.ts';

const lost: Attempt<never> = {
  outcome: 'unknown',
  retryAfterMs: null,
  ofTap: false,
  failed: false,
  doubt: 'real',
};
const turnedAway: Attempt<never> = { ...lost, doubt: 'none' };
const broken: Attempt<never> = { ...lost, ofTap: true, failed: true, doubt: 'slight' };
const inUse: Attempt<never> = { ...lost, ofTap: true, retryAfterMs: 1_000 };
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
  readonly told: string[];
  isOpen: boolean;
}

/** Simulates a browser with several pages, a network, and a server that carries out each key once. */
export class MarkWorld {
  readonly storage = new TellingStorage();
  time = 0;
  /** One fate per request; when empty, requests arrive and are answered. */
  fates: MarkFate[] = [];
  /** The server fails at marks of these students; it refuses marks of the students in `refused`. */
  readonly poison = new Set<number>();
  readonly refused = new Set<number>();
  readonly heard: string[] = [];
  readonly keys = new Set<string>();
  readonly attemptsAt: number[] = [];
  readonly askedAgain: string[] = [];
  readonly #pages: OpenPage[] = [];
  #timers: { readonly page: OpenPage; readonly run: () => void; readonly due: number }[] = [];
  #elapsed = 0;
  #made = 0;
  /** The page that sends, then the pages that wait; a closed page leaves the list. */
  #turns: { readonly page: OpenPage; readonly begin: () => void }[] = [];

  open(): MarkQueue {
    const told: string[] = [];
    const page = { told, isOpen: true } as unknown as { queue: MarkQueue } & OpenPage;
    const queue = new MarkQueue({
      adminId: 1,
      place: this.storage.placeOf(told),
      send: (mark) => this.#send(page, mark),
      done: (_mark, answer) => void told.push(String(answer)),
      gone: (mark) => void this.askedAgain.push(saidBy(mark)),
      alone: (work) => this.#alone(page, work),
      now: () => this.time,
      later: (run, delayMs) => void this.#timers.push({ page, run, due: this.#elapsed + delayMs }),
      newKey: () => `key ${String(++this.#made).padStart(4, '0')}`,
    });
    page.queue = queue;
    this.#pages.push(page);
    this.storage.listen(told, (key, was, is) => {
      const run = () => queue.otherChanged(key, was, is);
      this.#timers.push({ page, run, due: this.#elapsed });
    });
    return queue;
  }

  /** Crashes a page. A request that it sent may still arrive. */
  close(queue: MarkQueue): void {
    const page = this.#pages.find((one) => one.queue === queue) as OpenPage;
    page.isOpen = false;
    this.storage.silence(page.told);
    const [first] = this.#turns;
    this.#turns = this.#turns.filter((turn) => turn.page !== page);
    if (first?.page === page) this.#turns[0]?.begin();
  }

  told(queue: MarkQueue): readonly string[] {
    return this.#pages.find((page) => page.queue === queue)?.told ?? [];
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
      this.#move(Math.max(next.due, this.#elapsed));
      next.run();
    }
    this.#move(until);
  }

  #move(to: number): void {
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
    if (!this.keys.has(mark.key)) this.heard.push(saidBy(mark));
    this.keys.add(mark.key);
    if (fate === 'unanswered') return lost;
    return fate === 'brokenAfter' ? broken : { outcome: 'answered', answer: saidBy(mark) };
  }

  async #alone(page: OpenPage, work: () => Promise<void>): Promise<void> {
    await new Promise<void>((begin) => {
      this.#turns.push({ page, begin });
      if (this.#turns.length === 1) begin();
    });
    try {
      await work();
    } finally {
      if (this.#turns[0]?.page === page) {
        this.#turns.shift();
        this.#turns[0]?.begin();
      }
    }
  }
}

type Heard = (key: string, was: string | null, is: string | null) => void;

/** Simulates `localStorage` that several pages share, with storage events. */
class TellingStorage {
  readonly #kept = new Map<string, string>();
  readonly #listeners = new Map<unknown, Heard>();
  lengthMax = Number.POSITIVE_INFINITY;

  get length(): number {
    return this.#kept.size;
  }

  listen(page: unknown, heard: Heard): void {
    this.#listeners.set(page, heard);
  }

  silence(page: unknown): void {
    this.#listeners.delete(page);
  }

  placeOf(page: unknown): Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> {
    const kept = this.#kept;
    const getItem = (key: string) => kept.get(key) ?? null;
    const tell: Heard = (key, was, is) => {
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
        tell(key, was, value);
      },
      removeItem: (key) => {
        const was = getItem(key);
        kept.delete(key);
        tell(key, was, null);
      },
    };
  }
}

/** Returns a short text of a mark. */
export const saidBy = ({ body }: Said) => `${body.userIds.join()} ${'state' in body ? body.state : 'picked'}`;

const of = { schoolDb: 'school_1', classId: 1, day: '2026-09-01' };

export const absence = (id: number, state: 'absent' | 'late' | 'present' = 'absent') => ({
  operation: 'markAttendance' as const,
  body: { ...of, state, userIds: [id] },
});

export const pick = (id: number) => ({
  operation: 'markPicks' as const,
  body: { ...of, userIds: [id], againIds: [] },
});
