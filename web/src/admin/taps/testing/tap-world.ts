import type { ScoresWritten } from '@classledger/contract';
import type { Attempt } from '../attempt.ts';
import { type QueuePorts, ScoringQueue } from '../scoring-queue.ts';
import { type NewTap, repeatedWithinMs, type Saved, type Tap } from '../tap.ts';
import { TapOutbox } from '../tap-outbox.ts';

const unknown = { outcome: 'unknown', retryAfterMs: null } as const;
const lost: Attempt<never> = { ...unknown, ofTap: false, failed: false, doubt: 'real' };
const failed: Attempt<never> = { ...unknown, ofTap: true, failed: true, doubt: 'real' };
/** The server says that it failed. */
const broken: Attempt<never> = { ...failed, doubt: 'slight' };
/** The server says that no one is signed in, or that there are too many requests. */
const turnedAway: Attempt<never> = { ...unknown, ofTap: false, failed: false, doubt: 'none' };
const inUse: Attempt<never> = {
  ...unknown,
  retryAfterMs: 1_000,
  ofTap: true,
  failed: false,
  doubt: 'real',
};

/** What becomes of a request: does it arrive, and does its answer? */
export const fates = [
  'arrives',
  'lostBefore',
  'lostAfter',
  'failsBefore',
  'failsAfter',
  'broken',
  'brokenAfter',
  'turnedAway',
  'inUse',
] as const;

export type Fate = (typeof fates)[number];

const hourMs = 3_600_000;
const keyKeptMs = 24 * hourMs;

/** A storage that several pages share. */
export class SharedStorage {
  readonly #kept = new Map<string, string>();
  /** How many entries there is room for. */
  room = Number.POSITIVE_INFINITY;
  /** How often something was read or written. */
  uses = 0;
  /** Other pages see each entry as soon as it is written. */
  onWritten = () => {};

  get length(): number {
    return this.#kept.size;
  }

  readonly key = (index: number) => [...this.#used.keys()][index] ?? null;
  readonly getItem = (key: string) => this.#used.get(key) ?? null;
  readonly removeItem = (key: string) => void this.#used.delete(key);
  readonly clear = () => this.#used.clear();
  readonly setItem = (key: string, value: string) => {
    if (this.#used.size >= this.room && !this.#kept.has(key))
      throw new DOMException('full', 'QuotaExceededError');
    this.#kept.set(key, value);
    this.onWritten();
  };

  get #used(): Map<string, string> {
    this.uses++;
    return this.#kept;
  }
}

/** A server that counts a key once, reached over a network that loses what it is told to lose. */
export class World {
  readonly storage = new SharedStorage();
  readonly totals = new Map<number, number>();
  readonly #logs = new Map<string, { ids: number[]; tap: Tap; at: number }>();
  readonly #revoked = new Set<number>();
  readonly timers: { run: () => void; delayMs: number }[] = [];
  /** What the newest page was told to add to the totals that it knows. */
  readonly saved = new Map<number, number>();
  /** For each request in turn. Empty: it arrives. */
  network: Fate[] = [];
  refusal: string | null = null;
  /** The server fails at whatever is for these students. */
  readonly poison = new Set<number>();
  /** Students who are not there any more. */
  readonly deleted = new Set<number>();
  /** Records that are not there any more. */
  readonly gone = new Set<number>();
  time = 0;
  /** What the server goes by; people set the clock of a page as they like. */
  serverTime = 0;
  /** Keys that the server had forgotten though by the page's clock it could not: that had been set back unseen. */
  readonly deceived = new Set<string>();
  /** How often each key was carried out. */
  readonly carriedOut = new Map<string, number>();
  #keys = 0;
  #lastLog = 0;

  #pages = 0;

  /** Opens a page; those before are gone, without a word. */
  open(different: Partial<QueuePorts> = {}): ScoringQueue {
    const page = `page ${++this.#pages}`;
    this.timers.length = 0;
    this.saved.clear();
    const { send, undo, now, later, newKey } = this;
    const saved = (one: Saved) => addTo(this.saved, one);
    const outbox = new TapOutbox(1, this.storage);
    const openPages = async () => new Set([page]);
    return new ScoringQueue({ outbox, page, openPages, send, undo, saved, now, later, newKey, ...different });
  }

  readonly send = async (tap: Tap): Promise<Attempt<ScoresWritten>> => {
    const fate = this.network.shift() ?? 'arrives';
    if (fate === 'lostBefore') return lost;
    if (fate === 'broken') return broken;
    if (fate === 'turnedAway') return turnedAway;
    if (fate === 'inUse') return inUse;
    if (fate === 'failsBefore' || tap.studentIds.some((id) => this.poison.has(id))) return failed;
    if (this.refusal) return { outcome: 'refused', problem: { status: 403, message: this.refusal } };
    let known = this.#logs.get(tap.key);
    if (!known && tap.studentIds.some((id) => this.deleted.has(id))) {
      return { outcome: 'refused', problem: { status: 404, message: 'deleted' } };
    }
    const age = this.time - tap.at;
    if (known && age > -hourMs && age < repeatedWithinMs && known.at < this.serverTime - keyKeptMs) {
      this.deceived.add(tap.key);
    }
    if (!known || known.at < this.serverTime - keyKeptMs) {
      known = { ids: tap.studentIds.map(() => ++this.#lastLog), tap, at: this.serverTime };
      this.#logs.set(tap.key, known);
      this.carriedOut.set(tap.key, (this.carriedOut.get(tap.key) ?? 0) + 1);
      for (const id of tap.studentIds) this.totals.set(id, (this.totals.get(id) ?? 0) + tap.change);
    }
    if (fate === 'lostAfter') return lost;
    if (fate === 'failsAfter') return failed;
    if (fate === 'brokenAfter') return broken;
    const details = known.ids.map((logId, index) => ({
      index,
      success: true,
      code: 0,
      reason: null,
      userId: tap.studentIds[index] as number,
      username: null,
      scoreChange: tap.change,
      logId,
    }));
    return {
      outcome: 'answered',
      answer: {
        successCount: details.length,
        failedCount: 0,
        totalCount: details.length,
        details,
        students: [],
      },
    };
  };

  readonly undo = async (tap: Tap): Promise<Attempt<unknown>> => {
    const fate = this.network.shift() ?? 'arrives';
    if (fate === 'lostBefore') return lost;
    if (fate === 'broken' || fate === 'inUse') return broken;
    if (fate === 'turnedAway') return turnedAway;
    if (fate === 'failsBefore') return failed;
    if (tap.logIds.some((logId) => this.gone.has(logId) || this.deleted.has(this.#studentOf(logId)))) {
      return { outcome: 'refused', problem: { status: 404, message: 'gone' } };
    }
    for (const logId of tap.logIds) {
      if (this.#revoked.has(logId)) continue;
      this.#revoked.add(logId);
      const id = this.#studentOf(logId);
      this.totals.set(id, (this.totals.get(id) ?? 0) - tap.change);
    }
    if (fate === 'lostAfter') return lost;
    if (fate === 'brokenAfter') return broken;
    return fate === 'failsAfter' ? failed : { outcome: 'answered', answer: {} };
  };

  #studentOf(logId: number): number {
    const known = [...this.#logs.values()].find(({ ids }) => ids.includes(logId));
    return known?.tap.studentIds[known.ids.indexOf(logId)] as number;
  }

  readonly now = () => this.time;
  readonly later = (run: () => void, delayMs: number) => {
    this.timers.push({ run, delayMs });
  };
  readonly newKey = () => `key ${++this.#keys}`;

  /** Lets everything happen that can, timers at once. */
  async run(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      await new Promise(setImmediate);
      const timer = this.timers.shift();
      timer?.run();
      quiet = timer ? 0 : quiet + 1;
    }
  }
}

/** Adds to totals what was saved. */
export function addTo(totals: Map<number, number>, { studentIds, change, times }: Saved): void {
  for (const id of studentIds) totals.set(id, (totals.get(id) ?? 0) + times * change);
}

/** Points for some students. */
export const tapOf = (studentIds: number[], change: number): NewTap => ({
  schoolDb: 'school_1',
  classId: 1,
  studentIds,
  change,
  description: '',
});
