import { type Attempt, backoffMs, surprise, type Unknown } from './attempt.ts';
import {
  calm,
  isKept,
  isOnItsWay,
  isTooOld,
  isUncertain,
  isUnheard,
  isUnsettled,
  mayGiveUp,
  maySendAfterAll,
  type NewTap,
  pendingChanges,
  problemOf,
  type Saved,
  savedBetween,
  type Tap,
  type TapChange,
  takersOf,
  unanswered,
  type Written,
  worse,
} from './tap.ts';
import type { TapOutbox } from './tap-outbox.ts';

/** What the queue needs from the world. */
export interface QueuePorts {
  readonly outbox: TapOutbox;
  /** Which page this is. */
  readonly page: string;
  /** The pages that are open in this browser; null where it cannot tell. */
  readonly openPages: () => Promise<ReadonlySet<string> | null>;
  readonly send: (tap: Tap) => Promise<Attempt<Written>>;
  readonly undo: (tap: Tap) => Promise<Attempt<unknown>>;
  /** Told what is to be added to the totals that are known. */
  readonly saved: (saved: Saved) => void;
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
  readonly newKey: () => string;
}

/** So many taps can still be undone. */
const keptMax = 50;
type Listener = (changes: readonly TapChange[]) => void;

/**
 * The taps of one person, as every page of theirs in this browser shows them. A tap shows at once, is sent in the
 * background, one after the other, and is sent again with the same key until the server has answered, by the page
 * where it was made or, when that is gone, by any other. So a point is given exactly once, whatever happens in between.
 *
 * The outbox alone has the truth: each change begins with what stands there, as another page may have been faster.
 */
export class ScoringQueue {
  readonly #ports: QueuePorts;
  readonly #listeners = new Set<Listener>();
  #taps: readonly Tap[] = [];
  #pending: ReadonlyMap<number, number> = new Map();
  #pendingOfTeams: ReadonlyMap<number, number> = new Map();
  /** Rises with every tap that changes. */
  #moment = 0;
  /** The moment at which a tap of a student last changed. */
  readonly #movedAt = new Map<number, number>();
  /** Whether an attempt of this page is under way. */
  #isTrying = false;
  /** How often in a row the network failed. */
  #networkFailures = 0;
  /** What waits before its next attempt: a tap by its key, or null for all of them. Each wait is an object of its own. */
  readonly #resting = new Map<string | null, object>();

  constructor(ports: QueuePorts) {
    this.#ports = ports;
    void this.look();
  }

  /** Newest first. A new array after every change. */
  get taps(): readonly Tap[] {
    return this.#taps;
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** How many taps the server has still to hear or answer. */
  get unsettledCount(): number {
    return this.#taps.filter(isUnsettled).length;
  }

  /** What the taps that the server has not answered yet change in a student's total. */
  pendingChange(studentId: number): number {
    return this.#pending.get(studentId) ?? 0;
  }

  /** The same in the points of a team itself. */
  pendingTeamChange(teamId: number): number {
    return this.#pendingOfTeams.get(teamId) ?? 0;
  }

  /** When totals are asked for: see {@link unclearSince}. */
  get moment(): number {
    return this.#moment;
  }

  /**
   * The students of whom totals that were asked for at a moment may hold a tap or not, no one can tell: it was on its
   * way meanwhile. Those of all others are what the server says.
   */
  unclearSince(moment: number): ReadonlySet<number> {
    const uncertain = this.#taps.filter(isUncertain).flatMap(({ studentIds }) => studentIds);
    const moved = [...this.#movedAt].flatMap(([id, at]) => (at > moment ? [id] : []));
    return new Set([...uncertain, ...moved]);
  }

  /** Gives points; shows in `taps` before it returns. */
  give(asked: NewTap): Tap {
    const { outbox, newKey, now, page } = this.#ports;
    const tap: Tap = { ...unanswered, ...asked, key: newKey(), at: now(), page };
    this.#read();
    this.#put(tap);
    for (const old of this.#taps.slice(keptMax - 1)) if (!isKept(old)) outbox.remove(old.key);
    this.#show();
    this.#next();
    return tap;
  }

  /**
   * Takes a tap back. One that the server has not heard of is never sent; one of which no one knows is sent again
   * first, for the server to say which records it has written.
   */
  undo(key: string): void {
    this.#change(key, (tap) => {
      if (tap.state === 'done') return { state: 'undoing', page: this.#ports.page };
      if (!isOnItsWay(tap)) return null;
      return { takenBack: true, ...(isUnheard(tap) && { state: 'undone' }) };
    });
  }

  /** Takes a refused tap off the list. */
  dismiss(key: string): void {
    this.#change(key, ({ state }) => (state === 'refused' ? 'remove' : null));
  }

  /** Keeps what staff have said of the records of a tap since. */
  noted(key: string, note: string | null): void {
    this.#change(key, ({ state }) => (state === 'done' ? { note } : null));
  }

  /** Ends the attempts at a tap, where that is allowed. No one knows whether it counts: the records tell. */
  giveUp(key: string): void {
    this.#change(key, (tap) => {
      if (!mayGiveUp(tap)) return null;
      if (tap.state !== 'undoing') return 'remove';
      return { state: 'done', takenBack: false, ...calm };
    });
  }

  /** Sends a tap that is `unsure` after all: a person has seen that it does not count yet. */
  sendAfterAll(key: string): void {
    const { now, page } = this.#ports;
    this.#change(key, (tap) =>
      maySendAfterAll(tap) ? { state: 'sending', at: now(), failures: 0, page } : null,
    );
  }

  /** Tries again at once what waits for its next attempt, for example when the network is back. */
  retryNow(): void {
    this.#resting.clear();
    void this.look();
  }

  /** Sees what other pages have done, and goes on with what they cannot send any more. */
  async look(): Promise<void> {
    this.#read();
    const unsent = this.#taps.filter((tap) => isUnsettled(tap) && !this.#isMine(tap));
    const others = new Set(unsent.map(({ page }) => page));
    if (others.size > 0) {
      const { outbox, openPages } = this.#ports;
      const open = await openPages();
      for (const page of others) if (open?.has(page) === false) outbox.leave(page);
      this.#read();
    }
    this.#next();
  }

  /** Whether this page is to send something that the server has still to hear or answer. */
  get hasUnsent(): boolean {
    return this.#taps.some((tap) => isUnsettled(tap) && this.#isMine(tap));
  }

  /** The person signs out: reasons and notes of what is done as they wanted it go, and only what matters still waits for them. */
  forgetSettled(): void {
    this.#read();
    for (const { key, state, refusedIds, stuckIds } of this.#taps) {
      const isWhole = stuckIds.length === 0 && (state === 'undone' || refusedIds.length === 0);
      if (isWhole && (state === 'done' || state === 'undone')) this.#ports.outbox.remove(key);
    }
    this.#show();
  }

  /** This page is being left: any other one may go on with what it was to send. */
  leave(): void {
    this.#ports.outbox.leave(this.#ports.page);
  }

  #isMine({ page }: Tap): boolean {
    return page === this.#ports.page;
  }

  /** What this page is to send, or another one that is not there. */
  get #ours(): readonly Tap[] {
    const { outbox, now } = this.#ports;
    return this.#taps.filter(
      (tap) => isUnsettled(tap) && (this.#isMine(tap) || !outbox.isThere(tap.page, now())),
    );
  }

  /** Sends what is oldest, as long as there is something; what the server failed at comes after the others. */
  #next(): void {
    const { outbox, page, now } = this.#ports;
    if (this.hasUnsent) outbox.enter(page, now());
    else outbox.leave(page);
    if (this.#isTrying || this.#resting.has(null)) return;
    for (const tap of this.#ours) if (isTooOld(tap, now())) this.#put({ ...tap, state: 'unsure' });
    this.#show();
    const tap = this.#ours
      .filter(({ key }) => !this.#resting.has(key))
      .toReversed()
      .sort((one, other) => one.failures - other.failures)[0];
    if (tap) void this.#try(tap);
  }

  /** One attempt, whatever comes of it: a surprise must not hold up the others for good. */
  async #try(next: Tap): Promise<void> {
    const { outbox, page } = this.#ports;
    const tap: Tap = { ...next, doubt: next.underWay ? 'real' : next.doubt, underWay: true, page };
    this.#isTrying = true;
    if (!this.#isMine(next)) outbox.leave(next.page);
    // Before it is sent: were this page gone then, the next one would know that the server may have heard of it.
    this.#put(tap);
    this.#show();
    const unknown = await (tap.state === 'undoing' ? this.#takeBack(tap) : this.#send(tap)).catch(
      () => surprise,
    );
    if (unknown) this.#rest(tap, unknown);
    else this.#networkFailures = 0;
    this.#isTrying = false;
    this.#next();
  }

  /** @returns null where the server has said what became of the tap */
  async #send(sent: Tap): Promise<Unknown | null> {
    const attempt = await this.#ports.send(sent);
    if (attempt.outcome === 'unknown') return attempt;
    if (attempt.outcome === 'refused') {
      const { problem } = attempt;
      // Who may not do it any more is refused without a word about what an earlier attempt has done.
      const state = sent.doubt === 'real' ? 'unsure' : 'refused';
      this.#change(sent.key, (tap) =>
        this.#isMine(tap) && isOnItsWay(tap) ? { state, problem, underWay: false } : null,
      );
      return null;
    }
    const { details } = attempt.answer;
    const refused = details.filter(({ success }) => !success);
    const logIds = details.flatMap(({ logId }) => (logId === null ? [] : [logId]));
    // It may have been taken back meanwhile, and another page may have heard the same.
    this.#change(sent.key, (tap) =>
      tap.logIds.length > 0
        ? null
        : {
            state: logIds.length === 0 ? 'refused' : tap.takenBack ? 'undoing' : 'done',
            logIds,
            refusedIds: refused.flatMap(({ index }) => (tap.teamIds ?? tap.studentIds)[index] ?? []),
            ...calm,
            problem: problemOf(refused[0]),
          },
    );
    return null;
  }

  async #takeBack(asked: Tap): Promise<Unknown | null> {
    const all = await this.#ports.undo(asked);
    if (all.outcome === 'unknown') return all;
    const takers = takersOf(asked);
    const stuckIds: number[] = [];
    if (all.outcome === 'refused') {
      // One record that is gone refuses all of them: the others are taken back without it.
      for (const [index, logId] of asked.logIds.entries()) {
        const one = asked.logIds.length === 1 ? all : await this.#ports.undo({ ...asked, logIds: [logId] });
        if (one.outcome === 'unknown') return one;
        if (one.outcome === 'refused') stuckIds.push(takers[index] as number);
      }
    }
    const isStuck = stuckIds.length === asked.logIds.length;
    this.#change(asked.key, ({ state }) =>
      state === 'undoing' || state === 'done'
        ? {
            state: isStuck ? 'done' : 'undone',
            takenBack: false,
            stuckIds,
            ...calm,
            problem: all.outcome === 'refused' ? all.problem : null,
          }
        : null,
    );
    return null;
  }

  #rest(tried: Tap, { retryAfterMs, ofTap, failed, doubt: more }: Unknown): void {
    const failures = ofTap ? tried.failures : this.#networkFailures++;
    const delayMs = retryAfterMs ?? backoffMs(failures);
    this.#change(tried.key, (tap) => {
      // Another page has gone on with it while this one did not move.
      if (!this.#isMine(tap) || !isUnsettled(tap)) return null;
      const doubt = worse(tried.doubt, more);
      // Taken back meanwhile, and surely not written.
      const given = tap.takenBack && doubt === 'none' ? 'undone' : 'waiting';
      return {
        state: tap.state === 'undoing' ? 'undoing' : given,
        underWay: false,
        doubt,
        failures: tap.failures + (failed ? 1 : 0),
      };
    });
    const who = ofTap ? tried.key : null;
    const rest = {};
    this.#resting.set(who, rest);
    this.#ports.later(() => {
      // A wait that was cut short does not end a later one.
      if (this.#resting.get(who) !== rest) return;
      this.#resting.delete(who);
      void this.look();
    }, delayMs);
  }

  #change(key: string, changed: (tap: Tap) => Partial<Tap> | 'remove' | null): void {
    this.#read();
    const { outbox } = this.#ports;
    const tap = outbox.get(key);
    const change = tap && changed(tap);
    if (change === 'remove') outbox.remove(key);
    else if (change) this.#put({ ...tap, ...change });
    this.#show();
    this.#next();
  }

  /** Another page may see each entry as soon as it is written: it must not take a new tap for left alone. */
  #put(tap: Tap): void {
    const { outbox, page, now } = this.#ports;
    if (isUnsettled(tap) && this.#isMine(tap)) outbox.enter(page, now());
    outbox.put(tap);
  }

  /** Shows what other pages have changed. */
  #read(): void {
    this.#ports.outbox.read();
    this.#show();
  }

  /** Shows what stands in the outbox. */
  #show(): void {
    const { outbox } = this.#ports;
    const before = new Map(this.#taps.map((tap) => [tap.key, tap]));
    const taps = outbox.taps.toReversed();
    const changed = taps.filter((tap) => before.get(tap.key) !== tap);
    const gone = this.#taps.filter(({ key }) => !outbox.get(key));
    const changes = [...changed, ...gone].map((tap) => ({ was: before.get(tap.key), tap }));
    if (changes.length === 0) return;
    this.#taps = taps;
    this.#pending = pendingChanges(taps, 'students');
    this.#pendingOfTeams = pendingChanges(taps, 'teams');
    this.#moment++;
    for (const { was, tap } of changes) {
      // One that was only made, or waits its turn, has not reached the server.
      if (isUnheard(tap) && (!was || isUnheard(was))) continue;
      for (const id of tap.studentIds) this.#movedAt.set(id, this.#moment);
      const saved = was && savedBetween(was, tap);
      if (saved) this.#ports.saved(saved);
    }
    for (const listener of this.#listeners) listener(changes);
  }
}
