import type { ScoresWritten } from '@classledger/contract';

/** One tap: the same points for one or several students. */
export interface Tap {
  /** Idempotency key: however often the tap is sent, it counts once. */
  readonly key: string;
  readonly schoolDb: string;
  readonly classId: number;
  readonly studentIds: readonly number[];
  readonly change: number;
  readonly description: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: 'sending' | 'waiting' | 'done' | 'refused' | 'undoing' | 'undone';
  /** Somebody took it back before the server had answered; kept over a reload like the rest. */
  readonly takenBack: boolean;
  /** The records that it wrote; known once it is done. */
  readonly logIds: readonly number[];
  /** How many of its students were refused. */
  readonly refusedCount: number;
  /** What the server said when it refused something of it. */
  readonly message: string | null;
}

/** What became of an attempt to send something. */
export type Attempt<T> =
  | { readonly outcome: 'answered'; readonly answer: T }
  /** For good: the server understood and said no. */
  | { readonly outcome: 'refused'; readonly message: string }
  /** Nobody knows whether it arrived, or the server asks to try again: the same key makes that safe. */
  | { readonly outcome: 'unknown'; readonly retryAfterMs: number | null };

/** What the queue needs from the world. */
export interface QueuePorts {
  readonly send: (tap: Tap) => Promise<Attempt<ScoresWritten>>;
  readonly undo: (tap: Tap) => Promise<Attempt<Pick<ScoresWritten, 'students'>>>;
  /** Told of the totals that the server answered with. */
  readonly settle: (students: ScoresWritten['students']) => void;
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
  readonly newKey: () => string;
  /** Keeps taps that are not settled over a reload of the page. */
  readonly store: { read: () => readonly Tap[]; write: (taps: readonly Tap[]) => void };
}

const backoffMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** So many taps can still be undone. */
const keptMax = 50;

const isUnsettled = ({ state }: Tap) => state === 'sending' || state === 'waiting' || state === 'undoing';

function pendingChanges(taps: readonly Tap[]): ReadonlyMap<number, number> {
  const changes = new Map<number, number>();
  for (const { state, takenBack, change, studentIds } of taps) {
    const onItsWay = (state === 'sending' || state === 'waiting') && !takenBack;
    const signed = onItsWay ? change : state === 'undoing' ? -change : 0;
    if (signed === 0) continue;
    for (const id of studentIds) changes.set(id, (changes.get(id) ?? 0) + signed);
  }
  return changes;
}

/**
 * The taps of a scoring page. A tap shows at once, is sent in the background, one after the other, and is sent
 * again with the same key until the server has answered, over a lost network and a reload of the page. So a point
 * is given exactly once, whatever happens in between.
 */
export class ScoringQueue {
  readonly #ports: QueuePorts;
  readonly #listeners = new Set<() => void>();
  #taps: readonly Tap[];
  #pending: ReadonlyMap<number, number> = new Map();
  /** The taps that `#pending` was counted from: many cards ask after every change. */
  #pendingOf: readonly Tap[] | null = null;
  #busy = false;
  #failures = 0;
  /** Ends the wait before the next attempt; null while there is none. */
  #wake: (() => void) | null = null;

  constructor(ports: QueuePorts) {
    this.#ports = ports;
    this.#taps = ports.store.read();
    this.#next();
  }

  /** Newest first. A new array after every change. */
  get taps(): readonly Tap[] {
    return this.#taps;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Gives points; shows in `taps` before it returns. */
  give(tap: Pick<Tap, 'schoolDb' | 'classId' | 'studentIds' | 'change' | 'description'>): Tap {
    const made: Tap = {
      ...tap,
      key: this.#ports.newKey(),
      at: this.#ports.now(),
      state: 'sending',
      takenBack: false,
      logIds: [],
      refusedCount: 0,
      message: null,
    };
    this.#set([made, ...this.#taps].filter((kept, index) => index < keptMax || isUnsettled(kept)));
    this.#next();
    return made;
  }

  /** Takes a tap back. One that was not sent yet is sent first and taken back then. */
  undo(key: string): void {
    const tap = this.#taps.find((candidate) => candidate.key === key);
    if (!tap || tap.state === 'undone' || tap.state === 'undoing' || tap.state === 'refused') return;
    if (tap.state === 'done') this.#change(key, { state: 'undoing' });
    else this.#change(key, { takenBack: true });
    this.#next();
  }

  /** Whether a tap shows as taken back already. */
  isTakenBack(tap: Tap): boolean {
    return tap.state === 'undoing' || tap.state === 'undone' || tap.takenBack;
  }

  /** What the taps that the server has not answered yet change in a student's total. */
  pendingChange(studentId: number): number {
    if (this.#pendingOf !== this.#taps) {
      this.#pending = pendingChanges(this.#taps);
      this.#pendingOf = this.#taps;
    }
    return this.#pending.get(studentId) ?? 0;
  }

  /** Whether the server has still to hear or answer something. */
  get unsettled(): boolean {
    return this.#taps.some(isUnsettled);
  }

  /** Tries again at once what waits for its next attempt, for example when the network is back. */
  retryNow(): void {
    this.#wake?.();
  }

  /** Takes a refused tap off the list. */
  dismiss(key: string): void {
    this.#set(this.#taps.filter((tap) => tap.key !== key || tap.state !== 'refused'));
  }

  #unsettled(): readonly Tap[] {
    return this.#taps.filter(isUnsettled);
  }

  /** Sends what is oldest, as long as there is something. */
  #next(): void {
    if (this.#busy) return;
    const tap = this.#unsettled().at(-1);
    if (!tap) return;
    this.#busy = true;
    void (tap.state === 'undoing' ? this.#takeBack(tap) : this.#send(tap));
  }

  async #send(tap: Tap): Promise<void> {
    const attempt = await this.#ports.send(tap);
    if (attempt.outcome === 'unknown') {
      this.#change(tap.key, { state: 'waiting' });
      this.#retry(attempt.retryAfterMs);
      return;
    }
    if (attempt.outcome === 'answered') {
      const { details, failedCount, students } = attempt.answer;
      const logIds = details.flatMap(({ logId }) => (logId === null ? [] : [logId]));
      const written = this.#isTakenBackNow(tap.key) ? 'undoing' : 'done';
      this.#ports.settle(students);
      this.#change(tap.key, {
        state: logIds.length === 0 ? 'refused' : written,
        logIds,
        refusedCount: failedCount,
        message: details.find(({ success }) => !success)?.reason ?? null,
      });
    } else {
      this.#change(tap.key, { state: 'refused', message: attempt.message });
    }
    this.#settled();
  }

  async #takeBack(tap: Tap): Promise<void> {
    const attempt = await this.#ports.undo(tap);
    if (attempt.outcome === 'unknown') {
      this.#retry(attempt.retryAfterMs);
      return;
    }
    if (attempt.outcome === 'answered') {
      this.#ports.settle(attempt.answer.students);
      this.#change(tap.key, { state: 'undone' });
    } else {
      this.#change(tap.key, { state: 'done', takenBack: false, message: attempt.message });
    }
    this.#settled();
  }

  #settled(): void {
    this.#busy = false;
    this.#failures = 0;
    this.#next();
  }

  #retry(retryAfterMs: number | null): void {
    const delayMs = retryAfterMs ?? (backoffMs[Math.min(this.#failures, backoffMs.length - 1)] as number);
    this.#failures++;
    const wake = () => {
      if (this.#wake !== wake) return;
      this.#wake = null;
      this.#busy = false;
      this.#next();
    };
    this.#wake = wake;
    this.#ports.later(wake, delayMs);
  }

  /** The tap as it is now: it may have been taken back while it was on its way. */
  #isTakenBackNow(key: string): boolean {
    return this.#taps.some((tap) => tap.key === key && tap.takenBack);
  }

  #change(key: string, change: Partial<Tap>): void {
    this.#set(this.#taps.map((tap) => (tap.key === key ? { ...tap, ...change } : tap)));
  }

  #set(taps: readonly Tap[]): void {
    this.#taps = taps;
    this.#ports.store.write(taps);
    for (const listener of this.#listeners) listener();
  }
}
