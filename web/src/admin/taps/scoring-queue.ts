import type { ScoresWritten } from '@classledger/contract';
import {
  changesOf,
  type Doubt,
  isDoubtful,
  isTakenBack,
  isUnsettled,
  mayBeGivenUp,
  ofOtherPage,
  type Problem,
  pendingChanges,
  problemOf,
  type Tap,
  withoutOldest,
  worse,
} from './tap.ts';

/** What became of an attempt to send something. */
export type Attempt<T> =
  | { readonly outcome: 'answered'; readonly answer: T }
  /** For good: the server understood and said no. */
  | { readonly outcome: 'refused'; readonly problem: Problem }
  /** Nobody knows whether it arrived, or the server asks to try again: the same key makes that safe. */
  | Unknown;

interface Unknown {
  readonly outcome: 'unknown';
  readonly retryAfterMs: number | null;
  /** It is about this tap alone: others need not wait. */
  readonly ofTap: boolean;
  /** The server failed at it or never answered, so that the attempts may be ended after some more. */
  readonly failed: boolean;
  /** Whether it may have been done all the same. */
  readonly doubt: Doubt;
}

/** What the queue needs from the world. */
export interface QueuePorts {
  readonly send: (tap: Tap) => Promise<Attempt<ScoresWritten>>;
  readonly undo: (tap: Tap) => Promise<Attempt<Pick<ScoresWritten, 'students'>>>;
  /** Told of the totals that the server answered with. */
  readonly settle: (students: ScoresWritten['students']) => void;
  /**
   * Told of a tap that counts by an answer of long ago, whose totals are not those of now.
   *
   * @param missing what the totals that are shown lack by it, by student
   */
  readonly settleLate: (missing: ReadonlyMap<number, number>) => void;
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
  readonly newKey: () => string;
  /** Keeps the taps of this page, for whichever page comes after it. */
  readonly keep: (taps: readonly Tap[]) => void;
}

const backoffMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** Servers remember keys for a day or longer; a tap is repeated unasked well within it. */
export const repeatedWithinMs = 20 * 3_600_000;
/** A tap from further ahead was made before the clock was set back: nobody knows how old it is. */
const clockSkewMs = 3_600_000;
/** What happens where nothing should: an answer that the pages do not understand. */
const surprise: Unknown = {
  outcome: 'unknown',
  retryAfterMs: null,
  ofTap: true,
  failed: true,
  doubt: 'real',
};

/**
 * The taps of a scoring page. A tap shows at once, is sent in the background, one after the other, and is sent
 * again with the same key until the server has answered, over a lost network and a reload of the page. So a point
 * is given exactly once, whatever happens in between.
 */
export class ScoringQueue {
  readonly #ports: QueuePorts;
  readonly #listeners = new Set<() => void>();
  #taps: readonly Tap[] = [];
  #pending: ReadonlyMap<number, number> = new Map();
  /** The taps that `#pending` was counted from: many cards ask after every change. */
  #pendingOf: readonly Tap[] | null = null;
  /** The tap that is being sent or taken back, by its key. */
  #underWay: string | null = null;
  /** How often in a row the network failed. */
  #networkFailures = 0;
  /** What waits before its next attempt: a tap by its key, or null for all of them, with what tells its timer. */
  readonly #resting = new Map<string | null, object>();

  constructor(ports: QueuePorts) {
    this.#ports = ports;
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
      doubt: 'none',
      problem: null,
    };
    this.#set(withoutOldest([made, ...this.#taps]));
    this.#next();
    return made;
  }

  /**
   * Takes a tap back. One that the server has not heard of is never sent; one of which nobody knows is sent again
   * first, for the server to say which records it has written.
   */
  undo(key: string): void {
    const tap = this.#find(key);
    if (!tap || !['sending', 'waiting', 'done'].includes(tap.state)) return;
    if (tap.state === 'done') this.#change(key, { state: 'undoing', doubt: 'none' });
    else this.#change(key, { takenBack: true, ...(this.#isUnheard(tap) && { state: 'undone' }) });
    this.#next();
  }

  /**
   * Goes on with the taps of another page of the same person, which is gone: it may have sent them or not. Where
   * both have a tap, it is taken back when either page was asked to.
   */
  adopt(others: readonly Tap[]): void {
    const own = new Set(this.#taps.map(({ key }) => key));
    const fresh = others.filter(({ key }) => !own.has(key)).map(ofOtherPage);
    if (fresh.length > 0) {
      this.#set(withoutOldest([...this.#taps, ...fresh].toSorted((a, b) => b.at - a.at)));
    }
    for (const tap of others) if (own.has(tap.key) && isTakenBack(tap)) this.undo(tap.key);
    this.#next();
  }

  /**
   * Lets go of all taps but these: another page goes on with the others.
   *
   * @param keys null where it cannot be told what another page has done: all that is unsettled is in doubt then
   */
  keepOnly(keys: ReadonlySet<string> | null): void {
    const kept = keys
      ? this.#taps.filter(({ key }) => keys.has(key))
      : this.#taps.map((tap) => (tap.doubt === 'real' ? tap : ofOtherPage(tap)));
    if (kept.length !== this.#taps.length || kept.some((tap, index) => tap !== this.#taps[index]))
      this.#set(kept);
  }

  /** Whether a tap shows as taken back already. */
  isTakenBack(tap: Tap): boolean {
    return isTakenBack(tap);
  }

  /** What the taps that the server has not answered yet change in a student's total. */
  pendingChange(studentId: number): number {
    if (this.#pendingOf !== this.#taps) {
      this.#pending = pendingChanges(this.#taps);
      this.#pendingOf = this.#taps;
    }
    return this.#pending.get(studentId) ?? 0;
  }

  /**
   * Whether totals that the server answers now may hold a tap or not, nobody can tell. When that has gone on for
   * long, they are believed as they are, and the tap is no longer counted on top of them.
   */
  isUncertain(tap: Tap): boolean {
    return isUnsettled(tap) && (tap.doubt === 'real' || this.#underWay === tap.key) && !isDoubtful(tap);
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
    return mayBeGivenUp(tap);
  }

  /** Ends the attempts at a tap. Nobody knows whether it counts: the records tell. */
  giveUp(key: string): void {
    const tap = this.#find(key);
    if (!tap || !this.mayGiveUp(tap)) return;
    if (tap.state === 'undoing') this.#change(key, { state: 'done', takenBack: false, failures: 0 });
    else this.#set(this.#taps.filter((kept) => kept.key !== key));
    this.#next();
  }

  /** Whether a tap can be sent after all; one that was taken back would only be taken back again. */
  maySendAfterAll({ state, takenBack }: Tap): boolean {
    return state === 'unsure' && !takenBack;
  }

  /** Sends a tap that is `unsure` after all: a person has seen that it does not count yet. */
  sendAfterAll(key: string): void {
    const tap = this.#find(key);
    if (!tap || !this.maySendAfterAll(tap)) return;
    this.#change(key, { state: 'sending', at: this.#ports.now(), failures: 0 });
    this.#next();
  }

  /** Sends what is oldest, as long as there is something; what the server failed at comes after the others. */
  #next(): void {
    if (this.#underWay !== null || this.#resting.has(null)) return;
    this.#setOldAside();
    const tap = this.#taps
      .filter((one) => isUnsettled(one) && !this.#resting.has(one.key))
      .toReversed()
      .sort((one, other) => one.failures - other.failures)[0];
    if (!tap) return;
    this.#underWay = tap.key;
    void this.#try(tap);
  }

  /** A key that the server has forgotten would count again. What it never heard of can be sent at any age. */
  #setOldAside(): void {
    const now = this.#ports.now();
    const isOld = ({ state, at, doubt }: Tap) =>
      (state === 'sending' || state === 'waiting') &&
      doubt !== 'none' &&
      (at < now - repeatedWithinMs || at > now + clockSkewMs);
    if (!this.#taps.some(isOld)) return;
    this.#set(this.#taps.map((tap) => (isOld(tap) ? { ...tap, state: 'unsure' } : tap)));
  }

  /** One attempt, whatever comes of it: a surprise must not hold up the others for good. */
  async #try(tap: Tap): Promise<void> {
    const unknown = await (tap.state === 'undoing' ? this.#takeBack(tap) : this.#send(tap)).catch(
      () => surprise,
    );
    this.#underWay = null;
    if (unknown) this.#rest(tap.key, unknown);
    else this.#networkFailures = 0;
    this.#next();
  }

  /** @returns null where the server has said what became of the tap */
  async #send(tap: Tap): Promise<Unknown | null> {
    const attempt = await this.#ports.send(tap);
    if (attempt.outcome === 'unknown') return attempt;
    if (attempt.outcome === 'refused') {
      // Who may not do it any more is refused without a word about what an earlier attempt has done.
      const state = tap.doubt === 'real' ? 'unsure' : 'refused';
      this.#change(tap.key, { state, problem: attempt.problem });
      return null;
    }
    const { details, students } = attempt.answer;
    const refused = details.filter(({ success }) => !success);
    const refusedIds = refused.flatMap(({ index }) => tap.studentIds[index] ?? []);
    const logIds = details.flatMap(({ logId }) => (logId === null ? [] : [logId]));
    // It may have been taken back while it was on its way.
    const written = this.#find(tap.key)?.takenBack ? 'undoing' : 'done';
    const changes = changesOf({ ...tap, refusedIds }, tap.change);
    // An answer that is repeated holds the totals of the first time.
    const late = tap.doubt === 'none' ? this.#settle(tap, students, changes) : changes;
    this.#change(tap.key, {
      state: logIds.length === 0 ? 'refused' : written,
      logIds,
      refusedIds,
      failures: 0,
      doubt: 'none',
      problem: problemOf(refused[0]),
    });
    if (tap.doubt !== 'none' || late.size > 0) this.#ports.settleLate(isDoubtful(tap) ? new Map() : late);
    return null;
  }

  /**
   * Tells the totals that were answered, but for students of whom another tap may be in them or not: as that one is
   * shown on top, they would count it twice.
   *
   * @returns what the totals of those students lack
   */
  #settle(
    { key }: Tap,
    students: ScoresWritten['students'],
    changes: ReadonlyMap<number, number>,
  ): ReadonlyMap<number, number> {
    const others = this.#taps.filter((tap) => tap.key !== key && this.isUncertain(tap));
    const unclear = new Set(others.flatMap(({ studentIds }) => studentIds));
    this.#ports.settle(students.filter(({ id }) => !unclear.has(id)));
    const answered = new Set(students.map(({ id }) => id));
    return new Map([...changes].filter(([id]) => unclear.has(id) && answered.has(id)));
  }

  async #takeBack(tap: Tap): Promise<Unknown | null> {
    const all = await this.#ports.undo(tap);
    if (all.outcome === 'unknown') return all;
    if (all.outcome === 'answered') {
      const late = this.#settle(tap, all.answer.students, changesOf(tap, -tap.change));
      this.#change(tap.key, { state: 'undone', stuckCount: 0, failures: 0, doubt: 'none', problem: null });
      if (late.size > 0) this.#ports.settleLate(late);
      return null;
    }
    // One record that is gone refuses all of them: the others are taken back without it.
    let stuckCount = tap.logIds.length;
    const students: ScoresWritten['students'] = [];
    for (const logId of tap.logIds.length === 1 ? [] : tap.logIds) {
      const one = await this.#ports.undo({ ...tap, logIds: [logId] });
      if (one.outcome === 'unknown') return one;
      if (one.outcome === 'refused') continue;
      students.push(...one.answer.students);
      stuckCount--;
    }
    // Not before the end: as long as it is being taken back, the points are taken off what is shown.
    if (students.length > 0) this.#ports.settle(students);
    const isStuck = stuckCount === tap.logIds.length;
    this.#change(tap.key, {
      state: isStuck ? 'done' : 'undone',
      takenBack: !isStuck && tap.takenBack,
      stuckCount,
      failures: 0,
      doubt: 'none',
      problem: all.problem,
    });
    return null;
  }

  #rest(key: string, { retryAfterMs, ofTap, failed, doubt: more }: Unknown): void {
    const tap = this.#find(key);
    // Another page goes on with it.
    if (!tap) return;
    const doubt = worse(tap.doubt, more);
    const isGiving = tap.state !== 'undoing';
    this.#change(key, {
      doubt,
      failures: tap.failures + (failed ? 1 : 0),
      // Taken back meanwhile, and surely not written.
      ...(isGiving && { state: tap.takenBack && doubt === 'none' ? 'undone' : 'waiting' }),
    });
    const failures = ofTap ? tap.failures : this.#networkFailures++;
    const delayMs = retryAfterMs ?? (backoffMs[Math.min(failures, backoffMs.length - 1)] as number);
    const who = ofTap ? key : null;
    const rest = {};
    this.#resting.set(who, rest);
    this.#ports.later(() => {
      if (this.#resting.get(who) !== rest) return;
      this.#resting.delete(who);
      this.#next();
    }, delayMs);
  }

  #find(key: string): Tap | undefined {
    return this.#taps.find((tap) => tap.key === key);
  }

  /** Whether the server surely has nothing of a tap that waits to be given. */
  #isUnheard(tap: Tap): boolean {
    return tap.doubt === 'none' && this.#underWay !== tap.key;
  }

  #change(key: string, change: Partial<Tap>): void {
    this.#set(this.#taps.map((tap) => (tap.key === key ? { ...tap, ...change } : tap)));
  }

  #set(taps: readonly Tap[]): void {
    this.#taps = taps;
    this.#ports.keep(taps);
    for (const listener of this.#listeners) listener();
  }
}
