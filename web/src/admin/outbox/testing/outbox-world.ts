import { type Attempt, unexpectedFailure } from '../attempt.ts';
import { isMarkEntry, type MarkEntry, mayGiveUp, type PointsEntry, retryWindowMs } from '../entry.ts';
import { type BrowserStorage, EntryStore } from '../entry-store.ts';
import { markResultOf } from '../mark-entry.ts';
import { Outbox, type OutboxPorts } from '../outbox.ts';
import { countedRecipientIds, type NewPoints, type SavedPoints, type WriteResult } from '../points-entry.ts';
import { ScoringQueue } from '../scoring-queue.ts';

const failed = unexpectedFailure;
const lost = { ...failed, isLocal: false, hasServerFailed: false };
const broken = { ...failed, doubt: 'slight' } as const;
/** The server answers that nobody is signed in, or that there were too many requests. */
const turnedAway = { ...lost, doubt: 'none' } as const;
const inUse = { ...failed, hasServerFailed: false, retryAfterMs: 1_000 };

/** What the page hears if the server does not receive or carry out its request, or if the answer is lost. */
const outcomes = {
  arrives: {},
  requestLost: { request: lost },
  answerLost: { answer: lost },
  failsBefore: { request: failed },
  failsAfter: { answer: failed },
  broken: { request: broken },
  brokenAfter: { answer: broken },
  turnedAway: { request: turnedAway },
  inUse: { request: inUse },
  unreadable: { answer: { outcome: 'answered', answer: {} as never } },
} satisfies Record<string, { readonly request?: Attempt<never>; readonly answer?: Attempt<never> }>;

export type NetworkOutcome = keyof typeof outcomes;
export const networkOutcomes = Object.keys(outcomes) as NetworkOutcome[];

export interface WorldPage {
  readonly id: string;
  readonly outbox: Outbox;
  readonly queue: ScoringQueue;
  /** Totals that the page shows, for students whose totals it has fetched. */
  readonly totals: Map<number, number>;
  /** Changes that the queue asked the page to add to its totals. */
  readonly saved: SavedPoints[];
  /** Marks that the server saved; `dropped` has those that ended without being saved. */
  readonly answered: string[];
  readonly dropped: string[];
  state: 'open' | 'frozen' | 'kept for Back' | 'gone';
}

interface Timer {
  readonly page: string;
  readonly run: () => void;
  readonly due: number;
}

export const hourMs = 3_600_000;
const keyLifetimeMs = 24 * hourMs;
const studentIds = [1, 2, 3];

/** Simulates a browser with several pages, a server that counts each key once, and a network that loses messages. */
export class OutboxWorld {
  readonly storage = new SharedStorage();
  readonly pages: WorldPage[] = [];
  /** The clock of the browser. */
  time = 100 * hourMs;
  serverTime = 0;
  #elapsed = 0;
  #timers: Timer[] = [];
  #keyCount = 0;
  #lastRecord = 0;

  /** Outcomes of the next requests, in order. Requests after these arrive. */
  network: NetworkOutcome[] = [];
  readonly attemptsAt: number[] = [];
  readonly totals = new Map<number, number>();
  readonly #records = new Map<string, { ids: number[]; entry: PointsEntry; at: number }>();
  readonly #revoked = new Set<number>();
  readonly #markKeys = new Set<string>();
  refusal: string | null = null;
  /** Students whose entries make the server fail; `deleted` has students who no longer exist. */
  readonly failingStudentIds = new Set<number>();
  readonly deleted = new Set<number>();
  /** Records that no longer exist. */
  readonly gone = new Set<number>();
  /** Keys that a page repeated in time after the server forgot them, because the page's clock was set back. */
  readonly repeatedAfterExpiry = new Set<string>();
  readonly writeCounts = new Map<string, number>();
  readonly marks: string[] = [];
  /** Students with a doubtful entry, whose totals pages show as the server sent them. */
  readonly doubtfulStudentIds = new Set<number>();

  open(different: Partial<OutboxPorts> = {}, onSaved: (saved: SavedPoints) => void = () => {}): WorldPage {
    const id = `page ${this.pages.length + 1}`;
    const schedule = (run: () => void, delayMs: number) => {
      this.#timers.push({ page: id, run, due: this.#elapsed + delayMs });
    };
    /** Delivers an answer; a frozen page receives it when it runs again. */
    const delivered = async <T>(answer: Promise<T>): Promise<T> => {
      const value = await answer;
      return page.state === 'open' ? value : new Promise((resolve) => schedule(() => resolve(value), 0));
    };
    const outbox = new Outbox({
      store: new EntryStore(
        1,
        this.storage.ofPage(() => this.#notifyOthers(id)),
      ),
      page: id,
      give: (entry) => delivered(this.give(entry)),
      undo: (entry) => delivered(this.undo(entry)),
      mark: (mark) => delivered(this.mark(mark)),
      now: () => this.time,
      schedule,
      newKey: () => `key ${String(++this.#keyCount).padStart(4, '0')}`,
      ...different,
    });
    const totals = new Map<number, number>();
    const queue = new ScoringQueue(outbox, (one) => {
      page.saved.push(one);
      onSaved(one);
      const known = [...one.studentIds].filter((student) => totals.has(student));
      addTo(totals, known, one.times * one.change);
    });
    const seen = { saved: [], answered: [], dropped: [] };
    const page: WorldPage = { id, outbox, queue, totals, ...seen, state: 'open' };
    this.pages.push(page);
    outbox.subscribe((changes) => {
      for (const change of changes) {
        const { was, entry } = change;
        if (isMarkEntry(entry)) {
          const effect = markResultOf(change);
          if (effect) page[effect === 'saved' ? 'answered' : 'dropped'].push(describeMark(entry));
        } else {
          // Another page has sent the entry before, so this page must fetch the total again.
          if (!was) for (const student of countedRecipientIds(entry)) totals.delete(student);
          if (mayGiveUp(entry) || entry.doubt === 'slight')
            for (const student of entry.studentIds) this.doubtfulStudentIds.add(student);
        }
      }
    });
    outbox.refresh();
    return page;
  }

  /** Closes a page with `pagehide`; the browser may keep it for the Back button. */
  close(page: WorldPage, next: 'gone' | 'kept for Back' = 'gone'): void {
    page.outbox.releaseEntries();
    page.state = next;
  }

  resume(page: WorldPage): void {
    page.state = 'open';
    page.outbox.retryNow();
  }

  /** Opens a page after all others have crashed and their heartbeats have expired. */
  async openAfterCrash(): Promise<WorldPage> {
    for (const page of this.pages) page.state = 'gone';
    await this.pass(31_000);
    return this.open();
  }

  /** Lets time pass. Open pages fetch the totals at the beginning and check for closed pages in the end. */
  async pass(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    const fetches = this.#open().map((page) => {
      return { page, answer: new Map(this.totals), revision: page.queue.revision };
    });
    await this.#runUntil(until);
    this.#advanceTime(until);
    for (const { page, answer, revision } of fetches.filter(({ page }) => page.state === 'open')) {
      const unclear = page.queue.unclearStudentsSince(revision);
      for (const id of studentIds) if (!unclear.has(id)) page.totals.set(id, answer.get(id) ?? 0);
    }
    for (const page of this.#open()) page.outbox.refresh();
    await this.#runUntil(until);
  }

  readonly give = async (entry: PointsEntry): Promise<Attempt<WriteResult>> =>
    this.#request(() => this.#give(entry));

  readonly undo = async (entry: PointsEntry): Promise<Attempt<unknown>> =>
    this.#request(() => this.#revoke(entry));

  readonly mark = async (mark: MarkEntry): Promise<Attempt<unknown>> => this.#request(() => this.#mark(mark));

  forgetKeys(): void {
    this.#markKeys.clear();
  }

  #request<T>(carryOut: () => Attempt<T>): Attempt<T> {
    this.attemptsAt.push(this.time);
    const met: { request?: Attempt<never>; answer?: Attempt<never> } =
      outcomes[this.network.shift() ?? 'arrives'];
    const attempt = met.request ?? carryOut();
    return attempt.outcome === 'answered' ? (met.answer ?? attempt) : attempt;
  }

  #give(entry: PointsEntry): Attempt<WriteResult> {
    if (entry.studentIds.some((id) => this.failingStudentIds.has(id))) return failed;
    if (this.refusal) return refused(403, this.refusal);
    let known = this.#records.get(entry.key);
    if (!known && entry.studentIds.some((id) => this.deleted.has(id))) return refused(404, 'deleted');
    const hasExpired = known !== undefined && known.at < this.serverTime - keyLifetimeMs;
    const age = this.time - entry.at;
    if (hasExpired && age > -hourMs && age < retryWindowMs) this.repeatedAfterExpiry.add(entry.key);
    if (!known || hasExpired) {
      known = { ids: entry.studentIds.map(() => ++this.#lastRecord), entry, at: this.serverTime };
      this.#records.set(entry.key, known);
      this.writeCounts.set(entry.key, (this.writeCounts.get(entry.key) ?? 0) + 1);
      addTo(this.totals, entry.studentIds, entry.change);
    }
    const done = { success: true, code: 0, reason: null };
    return answered({ details: known.ids.map((logId, index) => ({ index, logId, ...done })) });
  }

  #revoke({ logIds, change }: PointsEntry): Attempt<unknown> {
    if (logIds.some((id) => this.gone.has(id) || this.deleted.has(this.#studentOf(id))))
      return refused(404, 'gone');
    const counting = logIds.filter((id) => !this.#revoked.has(id));
    const students = counting.map((id) => this.#studentOf(id));
    addTo(this.totals, students, -change);
    for (const id of counting) this.#revoked.add(id);
    return answered({});
  }

  #mark(mark: MarkEntry): Attempt<unknown> {
    if (mark.body.userIds.some((id) => this.failingStudentIds.has(id))) return broken;
    if (mark.body.userIds.some((id) => this.deleted.has(id))) return refused(400, 'no');
    if (!this.#markKeys.has(mark.key)) this.marks.push(describeMark(mark));
    this.#markKeys.add(mark.key);
    return answered(describeMark(mark));
  }

  #studentOf(logId: number): number {
    const known = [...this.#records.values()].find(({ ids }) => ids.includes(logId));
    return known?.entry.studentIds[known.ids.indexOf(logId)] as number;
  }

  async #runUntil(until: number): Promise<void> {
    for (;;) {
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
      const next = this.#timers
        .filter(({ page, due }) => due <= until && this.#open().some(({ id }) => id === page))
        .sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#advanceTime(Math.max(next.due, this.#elapsed));
      next.run();
    }
  }

  #open(): readonly WorldPage[] {
    return this.pages.filter(({ state }) => state === 'open');
  }

  #advanceTime(to: number): void {
    this.time += to - this.#elapsed;
    this.serverTime += to - this.#elapsed;
    this.#elapsed = to;
  }

  #notifyOthers(id: string): void {
    for (const page of this.pages) {
      if (page.id === id || page.state === 'gone') continue;
      this.#timers.push({ page: page.id, run: () => page.outbox.refresh(), due: this.#elapsed });
    }
  }
}

const answered = <T>(answer: T): Attempt<T> => ({ outcome: 'answered', answer });
const refused = (status: number, message: string): Attempt<never> => ({
  outcome: 'refused',
  problem: { status, message },
});

function addTo(totals: Map<number, number>, ids: readonly number[], change: number): void {
  for (const id of ids) totals.set(id, (totals.get(id) ?? 0) + change);
}

export const newPointsFor = (studentIds: number[], change: number): NewPoints => ({
  schoolDb: 'school_1',
  classId: 1,
  studentIds,
  change,
  description: '',
});

export const describeMark = ({ body }: Pick<MarkEntry, 'body'>) =>
  `${body.userIds.join()} ${'state' in body ? body.state : 'picked'}`;

const target = { schoolDb: 'school_1', classId: 1, day: '2026-09-01' };

export const attendanceEntry = (
  userIds: number[],
  state: 'absent' | 'late' | 'present' = 'absent',
  day = target.day,
) => ({ kind: 'attendance' as const, body: { ...target, day, state, userIds } });

export const pickEntry = (id: number) => {
  return { kind: 'picks' as const, body: { ...target, userIds: [id], againIds: [] } };
};

/** Simulates `localStorage`, which may be full. */
class SharedStorage {
  readonly #stored = new Map<string, string>();
  entriesMax = Number.POSITIVE_INFINITY;
  lengthMax = Number.POSITIVE_INFINITY;
  /** The limit of characters in all values. */
  charactersMax = Number.POSITIVE_INFINITY;
  /** Called after each write, because other pages see an entry at once. */
  onWritten = () => {};

  get size(): number {
    return this.#stored.size;
  }

  get characters(): number {
    return [...this.#stored.values()].join('').length;
  }

  clear(): void {
    this.#stored.clear();
  }

  /** Returns the storage as one page sees it. @param onChanged called after each change by this page */
  ofPage(onChanged = () => {}): BrowserStorage {
    const stored = this.#stored;
    return {
      get length() {
        return stored.size;
      },
      key: (index) => [...stored.keys()][index] ?? null,
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => {
        const before = stored.get(key);
        const growth = value.length - (before?.length ?? 0);
        const hasRoom =
          (before !== undefined || stored.size < this.entriesMax) &&
          (growth <= 0 || this.characters + growth <= this.charactersMax);
        if (!hasRoom || value.length > this.lengthMax) throw new DOMException('full', 'QuotaExceededError');
        stored.set(key, value);
        this.onWritten();
        if (before !== value) onChanged();
      },
      removeItem: (key) => {
        if (stored.delete(key)) onChanged();
      },
    };
  }
}
