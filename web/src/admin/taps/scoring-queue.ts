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
  /**
   * `unsure`: nobody knows whether it was saved, and it is so old that the server may have forgotten its key; only
   * a person can decide whether it is sent again.
   */
  readonly state: 'sending' | 'waiting' | 'unsure' | 'done' | 'refused' | 'undoing' | 'undone';
  /** Somebody took it back before the server had answered; kept over a reload like the rest. */
  readonly takenBack: boolean;
  /** The records that it wrote; known once it is done. */
  readonly logIds: readonly number[];
  /** Those of its students whom the server refused. */
  readonly refusedIds: readonly number[];
  /** How many of its records could not be taken back when the others were. */
  readonly stuckCount: number;
  /** How often in a row the server failed at this tap, as opposed to the network. */
  readonly failures: number;
  /** What the server answered when it refused something of it. */
  readonly problem: Problem | null;
}

/** Why the server refused something. */
export interface Problem {
  /** As of HTTP. */
  readonly status: number;
  /** In English, for integrators. */
  readonly message: string;
}

/** What became of an attempt to send something. */
export type Attempt<T> =
  | { readonly outcome: 'answered'; readonly answer: T }
  /** For good: the server understood and said no. */
  | { readonly outcome: 'refused'; readonly problem: Problem }
  /**
   * Nobody knows whether it arrived, or the server asks to try again: the same key makes that safe. `ofTap`: the
   * server failed or never answered, which another tap may be spared.
   */
  | { readonly outcome: 'unknown'; readonly retryAfterMs: number | null; readonly ofTap: boolean };

type Unknown = Extract<Attempt<never>, { outcome: 'unknown' }>;

/** What the queue needs from the world. */
export interface QueuePorts {
  readonly send: (tap: Tap) => Promise<Attempt<ScoresWritten>>;
  readonly undo: (tap: Tap) => Promise<Attempt<Pick<ScoresWritten, 'students'>>>;
  /** Told of the totals that the server answered with; null where they may be of long ago. */
  readonly settle: (students: ScoresWritten['students'] | null) => void;
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
  readonly newKey: () => string;
  /** Keeps taps that are not settled over a reload of the page. */
  readonly store: { read: () => readonly Tap[]; write: (taps: readonly Tap[]) => void };
}

const backoffMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** So many taps can still be undone. */
const keptMax = 50;
/** Servers remember keys for a day or longer; a tap is repeated unasked well within it. */
export const repeatedWithinMs = 20 * 3_600_000;
/** After so many failures in a row a tap may be given up. */
const givenUpAfter = 4;

/** Whether the server has still to hear or answer a tap. */
export const isUnsettled = ({ state }: Tap): boolean =>
  state === 'sending' || state === 'waiting' || state === 'undoing';
const isKept = (tap: Tap) => isUnsettled(tap) || tap.state === 'unsure';

function pendingChanges(taps: readonly Tap[]): ReadonlyMap<number, number> {
  const changes = new Map<number, number>();
  for (const { state, takenBack, change, studentIds, refusedIds } of taps) {
    const onItsWay = (state === 'sending' || state === 'waiting') && !takenBack;
    const signed = onItsWay ? change : state === 'undoing' ? -change : 0;
    if (signed === 0) continue;
    for (const id of studentIds) {
      // Who never got the points does not lose them.
      if (state === 'undoing' && refusedIds.includes(id)) continue;
      changes.set(id, (changes.get(id) ?? 0) + signed);
    }
  }
  return changes;
}

/** What an entry of the answer says; its codes are statuses with a number behind. */
function problemOf(entry: ScoresWritten['details'][number] | undefined): Problem | null {
  return entry ? { status: Math.floor(entry.code / 100), message: entry.reason ?? '' } : null;
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
  /** Keys that may have reached the server before. */
  readonly #sent = new Set<string>();
  /** How often in a row the network failed. */
  #networkFailures = 0;
  /** What waits before its next attempt: a tap by its key, or null for all of them, with what tells its timer. */
  readonly #resting = new Map<string | null, object>();

  constructor(ports: QueuePorts) {
    this.#ports = ports;
    this.#taps = ports.store.read();
    // They may have been sent by the page before.
    for (const { key } of this.#taps) this.#sent.add(key);
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
      refusedIds: [],
      stuckCount: 0,
      failures: 0,
      problem: null,
    };
    this.#set([made, ...this.#taps].filter((kept, index) => index < keptMax || isKept(kept)));
    this.#next();
    return made;
  }

  /** Takes a tap back. One that was not sent yet is sent first and taken back then. */
  undo(key: string): void {
    const tap = this.#taps.find((candidate) => candidate.key === key);
    if (!tap || !['sending', 'waiting', 'done'].includes(tap.state)) return;
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

  /** How many taps the server has still to hear or answer. */
  get unsettledCount(): number {
    return this.#taps.filter(isUnsettled).length;
  }

  /** Tries again at once what waits for its next attempt, for example when the network is back. */
  retryNow(): void {
    this.#resting.clear();
    this.#next();
  }

  /** Takes a refused tap off the list. */
  dismiss(key: string): void {
    this.#set(this.#taps.filter((tap) => tap.key !== key || tap.state !== 'refused'));
  }

  /** Whether a person may end the attempts at a tap: it is too old, or the server failed at it again and again. */
  mayGiveUp(tap: Tap): boolean {
    return tap.state === 'unsure' || (isUnsettled(tap) && tap.failures >= givenUpAfter);
  }

  /** Ends the attempts at a tap. Nobody knows whether it counts: the records tell. */
  giveUp(key: string): void {
    const tap = this.#taps.find((candidate) => candidate.key === key);
    if (!tap || !this.mayGiveUp(tap)) return;
    if (tap.state === 'undoing') this.#change(key, { state: 'done', takenBack: false, failures: 0 });
    else this.#set(this.#taps.filter((kept) => kept.key !== key));
    this.#next();
  }

  /** Sends a tap that is `unsure` after all: a person has seen that it does not count yet. */
  sendAfterAll(key: string): void {
    if (!this.#taps.some((tap) => tap.key === key && tap.state === 'unsure')) return;
    this.#change(key, { state: 'sending', at: this.#ports.now(), failures: 0 });
    this.#next();
  }

  /** Sends what is oldest, as long as there is something; what the server failed at comes after the others. */
  #next(): void {
    if (this.#busy || this.#resting.has(null)) return;
    this.#setOldAside();
    const tap = this.#taps
      .filter((one) => isUnsettled(one) && !this.#resting.has(one.key))
      .toReversed()
      .sort((one, other) => one.failures - other.failures)[0];
    if (!tap) return;
    this.#busy = true;
    void (tap.state === 'undoing' ? this.#takeBack(tap) : this.#send(tap));
  }

  /** A key that the server has forgotten would count again. */
  #setOldAside(): void {
    const oldest = this.#ports.now() - repeatedWithinMs;
    const isOld = ({ state, at }: Tap) => (state === 'sending' || state === 'waiting') && at < oldest;
    if (!this.#taps.some(isOld)) return;
    this.#set(this.#taps.map((tap) => (isOld(tap) ? { ...tap, state: 'unsure' } : tap)));
  }

  async #send(tap: Tap): Promise<void> {
    // An answer that is repeated holds the totals of the first time.
    const isRepeated = this.#sent.has(tap.key);
    this.#sent.add(tap.key);
    const attempt = await this.#ports.send(tap);
    if (attempt.outcome === 'unknown') {
      this.#change(tap.key, { state: 'waiting' });
      this.#retry(tap, attempt);
      return;
    }
    if (attempt.outcome === 'answered') {
      const { details, students } = attempt.answer;
      const refused = details.filter(({ success }) => !success);
      const logIds = details.flatMap(({ logId }) => (logId === null ? [] : [logId]));
      const written = this.#isTakenBackNow(tap.key) ? 'undoing' : 'done';
      if (!isRepeated) this.#ports.settle(students);
      this.#change(tap.key, {
        state: logIds.length === 0 ? 'refused' : written,
        logIds,
        refusedIds: refused.flatMap(({ index }) => tap.studentIds[index] ?? []),
        failures: 0,
        problem: problemOf(refused[0]),
      });
      if (isRepeated) this.#ports.settle(null);
    } else {
      this.#change(tap.key, { state: 'refused', problem: attempt.problem });
    }
    this.#settled();
  }

  async #takeBack(tap: Tap): Promise<void> {
    const all = await this.#ports.undo(tap);
    if (all.outcome === 'unknown') return this.#retry(tap, all);
    if (all.outcome === 'answered') {
      this.#ports.settle(all.answer.students);
      this.#change(tap.key, { state: 'undone', stuckCount: 0, failures: 0, problem: null });
      return this.#settled();
    }
    // One record that is gone refuses all of them: the others are taken back without it.
    let stuckCount = tap.logIds.length;
    for (const logId of tap.logIds.length === 1 ? [] : tap.logIds) {
      const one = await this.#ports.undo({ ...tap, logIds: [logId] });
      if (one.outcome === 'unknown') return this.#retry(tap, one);
      if (one.outcome === 'refused') continue;
      this.#ports.settle(one.answer.students);
      stuckCount--;
    }
    const isStuck = stuckCount === tap.logIds.length;
    this.#change(tap.key, {
      state: isStuck ? 'done' : 'undone',
      takenBack: !isStuck && tap.takenBack,
      stuckCount,
      failures: 0,
      problem: all.problem,
    });
    this.#settled();
  }

  #settled(): void {
    this.#busy = false;
    this.#networkFailures = 0;
    this.#next();
  }

  #retry(tap: Tap, { retryAfterMs, ofTap }: Unknown): void {
    const failures = ofTap ? tap.failures : this.#networkFailures++;
    if (ofTap) this.#change(tap.key, { failures: failures + 1 });
    const delayMs = retryAfterMs ?? (backoffMs[Math.min(failures, backoffMs.length - 1)] as number);
    const who = ofTap ? tap.key : null;
    const rest = {};
    this.#resting.set(who, rest);
    this.#busy = false;
    this.#ports.later(() => {
      if (this.#resting.get(who) !== rest) return;
      this.#resting.delete(who);
      this.#next();
    }, delayMs);
    this.#next();
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
