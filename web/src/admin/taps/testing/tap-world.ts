import type { ScoresWritten } from '@classledger/contract';
import type { Attempt } from '../attempt.ts';
import { type QueuePorts, ScoringQueue } from '../scoring-queue.ts';
import { type NewTap, retryWindowMs, type SavedPoints, type Tap } from '../tap.ts';
import { TapOutbox } from '../tap-outbox.ts';

const unknown = { outcome: 'unknown', retryAfterMs: null } as const;
const lost: Attempt<never> = { ...unknown, isLocal: false, hasServerFailed: false, doubt: 'real' };
const failed: Attempt<never> = { ...unknown, isLocal: true, hasServerFailed: true, doubt: 'real' };
const broken: Attempt<never> = { ...failed, doubt: 'slight' };
/** The server says that nobody is signed in, or that there are too many requests. */
const turnedAway: Attempt<never> = { ...unknown, isLocal: false, hasServerFailed: false, doubt: 'none' };
const inUse: Attempt<never> = {
  ...unknown,
  retryAfterMs: 1_000,
  isLocal: true,
  hasServerFailed: false,
  doubt: 'real',
};

/** Says whether a request arrives, and whether its answer does. */
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

export type TapFate = (typeof fates)[number];

const hourMs = 3_600_000;
const keyLifetimeMs = 24 * hourMs;

export class SharedStorage {
  readonly #kept = new Map<string, string>();
  entriesMax = Number.POSITIVE_INFINITY;
  accessCount = 0;
  /** Runs after each write, as other pages see entries at once. */
  onWritten = () => {};

  get length(): number {
    return this.#kept.size;
  }

  readonly key = (index: number) => [...this.#used.keys()][index] ?? null;
  readonly getItem = (key: string) => this.#used.get(key) ?? null;
  readonly removeItem = (key: string) => void this.#used.delete(key);
  readonly clear = () => this.#used.clear();
  readonly setItem = (key: string, value: string) => {
    if (this.#used.size >= this.entriesMax && !this.#kept.has(key))
      throw new DOMException('full', 'QuotaExceededError');
    this.#kept.set(key, value);
    this.onWritten();
  };

  get #used(): Map<string, string> {
    this.accessCount++;
    return this.#kept;
  }
}

/** Simulates a server that counts a key once, behind a network that loses chosen messages. */
export class TapWorld {
  readonly storage = new SharedStorage();
  readonly totals = new Map<number, number>();
  readonly #logs = new Map<string, { ids: number[]; tap: Tap; at: number }>();
  readonly #revoked = new Set<number>();
  readonly timers: { run: () => void; delayMs: number }[] = [];
  /** Changes that the newest page was asked to add to its totals. */
  readonly saved = new Map<number, number>();
  network: TapFate[] = [];
  refusal: string | null = null;
  readonly poison = new Set<number>();
  readonly deleted = new Set<number>();
  readonly gone = new Set<number>();
  time = 0;
  /** The server's clock; tests may set the page's clock differently. */
  serverTime = 0;
  /** Keys that the server forgot within the time in which pages retry, because the page's clock was set back. */
  readonly repeatedAfterExpiry = new Set<string>();
  readonly carriedOut = new Map<string, number>();
  #keys = 0;
  #lastLog = 0;

  #pages = 0;

  /** Opens a page; earlier pages crash. */
  open(different: Partial<QueuePorts> = {}): ScoringQueue {
    const page = `page ${++this.#pages}`;
    this.timers.length = 0;
    this.saved.clear();
    const { send, undo, now, schedule, newKey } = this;
    const onSaved = (one: SavedPoints) => addPoints(this.saved, one);
    const outbox = new TapOutbox(1, this.storage);
    const openPages = async () => new Set([page]);
    return new ScoringQueue({
      outbox,
      page,
      openPages,
      send,
      undo,
      onSaved,
      now,
      schedule,
      newKey,
      ...different,
    });
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
    if (known && age > -hourMs && age < retryWindowMs && known.at < this.serverTime - keyLifetimeMs) {
      this.repeatedAfterExpiry.add(tap.key);
    }
    if (!known || known.at < this.serverTime - keyLifetimeMs) {
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
  readonly schedule = (run: () => void, delayMs: number) => {
    this.timers.push({ run, delayMs });
  };
  readonly newKey = () => `key ${++this.#keys}`;

  async run(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      await new Promise(setImmediate);
      const timer = this.timers.shift();
      timer?.run();
      quiet = timer ? 0 : quiet + 1;
    }
  }
}

export function addPoints(totals: Map<number, number>, { studentIds, change, times }: SavedPoints): void {
  for (const id of studentIds) totals.set(id, (totals.get(id) ?? 0) + times * change);
}

export const tapOf = (studentIds: number[], change: number): NewTap => ({
  schoolDb: 'school_1',
  classId: 1,
  studentIds,
  change,
  description: '',
});
