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

export interface QueuePorts {
  readonly outbox: TapOutbox;
  readonly page: string;
  /** Returns the ids of the open pages of this browser; null where the browser cannot list them. */
  readonly openPages: () => Promise<ReadonlySet<string> | null>;
  readonly send: (tap: Tap) => Promise<Attempt<Written>>;
  readonly undo: (tap: Tap) => Promise<Attempt<unknown>>;
  readonly saved: (saved: Saved) => void;
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
  readonly newKey: () => string;
}

/** Taps in the list. Unsettled and `unsure` ones are kept beyond it. */
const keptMax = 50;
type Listener = (changes: readonly TapChange[]) => void;

/**
 * Holds the taps of one person, shared by all pages of this browser. Sends them one after the other in the background,
 * and retries with the same key until the server answers. The page that made a tap sends it; when that page is gone,
 * another one does.
 *
 * The outbox is the source of truth: each change starts from the stored tap, which another page may have changed.
 */
export class ScoringQueue {
  readonly #ports: QueuePorts;
  readonly #listeners = new Set<Listener>();
  #taps: readonly Tap[] = [];
  #pending: ReadonlyMap<number, number> = new Map();
  #pendingOfTeams: ReadonlyMap<number, number> = new Map();
  #moment = 0;
  /** By student, the moment when one of their taps last changed, other than while it was unsent. */
  readonly #movedAt = new Map<number, number>();
  #isTrying = false;
  #networkFailures = 0;
  /** Pauses before a retry, by the tap's key; null pauses all taps. Each pause is a distinct object. */
  readonly #resting = new Map<string | null, object>();

  constructor(ports: QueuePorts) {
    this.#ports = ports;
    void this.look();
  }

  /** Newest first; a new array after each change. */
  get taps(): readonly Tap[] {
    return this.#taps;
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get unsettledCount(): number {
    return this.#taps.filter(isUnsettled).length;
  }

  /** Returns the change that unsettled taps make to a student's total. */
  pendingChange(studentId: number): number {
    return this.#pending.get(studentId) ?? 0;
  }

  /** Returns the change that unsettled taps make to a team's own points. */
  pendingTeamChange(teamId: number): number {
    return this.#pendingOfTeams.get(teamId) ?? 0;
  }

  /** To be read when totals are requested: see {@link unclearSince}. */
  get moment(): number {
    return this.#moment;
  }

  /** Returns the students whose totals, requested at a moment, may or may not include a tap under way. */
  unclearSince(moment: number): ReadonlySet<number> {
    const uncertain = this.#taps.filter(isUncertain).flatMap(({ studentIds }) => studentIds);
    const moved = [...this.#movedAt].flatMap(([id, at]) => (at > moment ? [id] : []));
    return new Set([...uncertain, ...moved]);
  }

  /** Gives points. The tap shows in `taps` before this returns. */
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

  /** Takes a tap back. A tap that may have reached the server is sent first, to learn which records it wrote. */
  undo(key: string): void {
    this.#change(key, (tap) => {
      if (tap.state === 'done') return { state: 'undoing', page: this.#ports.page };
      if (!isOnItsWay(tap)) return null;
      return { takenBack: true, ...(isUnheard(tap) && { state: 'undone' }) };
    });
  }

  dismiss(key: string): void {
    this.#change(key, ({ state }) => (state === 'refused' ? 'remove' : null));
  }

  noted(key: string, note: string | null): void {
    this.#change(key, ({ state }) => (state === 'done' ? { note } : null));
  }

  /** Ends the attempts at a tap, if allowed. Whether it counts is unknown here; the score records show it. */
  giveUp(key: string): void {
    this.#change(key, (tap) => {
      if (!mayGiveUp(tap)) return null;
      if (tap.state !== 'undoing') return 'remove';
      return { state: 'done', takenBack: false, ...calm };
    });
  }

  /** Sends an `unsure` tap. The person has checked that it does not count yet. */
  sendAfterAll(key: string): void {
    const { now, page } = this.#ports;
    this.#change(key, (tap) =>
      maySendAfterAll(tap) ? { state: 'sending', at: now(), failures: 0, page } : null,
    );
  }

  /** Ends all pauses and retries at once, for example when the network is back. */
  retryNow(): void {
    this.#resting.clear();
    void this.look();
  }

  /** Reads the changes of other pages, and takes over the taps of closed ones. */
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

  get hasUnsent(): boolean {
    return this.#taps.some((tap) => isUnsettled(tap) && this.#isMine(tap));
  }

  /** Removes settled taps with their notes at sign-out. Taps with refused students or unrevoked records stay. */
  forgetSettled(): void {
    this.#read();
    for (const { key, state, refusedIds, stuckIds } of this.#taps) {
      const isWhole = stuckIds.length === 0 && (state === 'undone' || refusedIds.length === 0);
      if (isWhole && (state === 'done' || state === 'undone')) this.#ports.outbox.remove(key);
    }
    this.#show();
  }

  /** Ends this page's heartbeat when it closes: other pages may send its taps. */
  leave(): void {
    this.#ports.outbox.leave(this.#ports.page);
  }

  #isMine({ page }: Tap): boolean {
    return page === this.#ports.page;
  }

  get #ours(): readonly Tap[] {
    const { outbox, now } = this.#ports;
    return this.#taps.filter(
      (tap) => isUnsettled(tap) && (this.#isMine(tap) || !outbox.isThere(tap.page, now())),
    );
  }

  /** Sends the tap with the fewest failures, the oldest first. */
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

  /** Makes one attempt. An exception counts as unknown, so it does not stop the queue. */
  async #try(next: Tap): Promise<void> {
    const { outbox, page } = this.#ports;
    const tap: Tap = { ...next, doubt: next.underWay ? 'real' : next.doubt, underWay: true, page };
    this.#isTrying = true;
    if (!this.#isMine(next)) outbox.leave(next.page);
    // Stored before the request: if this page closes, the next one knows that the server may have the tap.
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

  /** @returns null when the server has decided about the tap */
  async #send(sent: Tap): Promise<Unknown | null> {
    const attempt = await this.#ports.send(sent);
    if (attempt.outcome === 'unknown') return attempt;
    if (attempt.outcome === 'refused') {
      const { problem } = attempt;
      // A refusal, such as of a lost permission, does not say what an earlier attempt has saved.
      const state = sent.doubt === 'real' ? 'unsure' : 'refused';
      this.#change(sent.key, (tap) =>
        this.#isMine(tap) && isOnItsWay(tap) ? { state, problem, underWay: false } : null,
      );
      return null;
    }
    const { details } = attempt.answer;
    const refused = details.filter(({ success }) => !success);
    const logIds = details.flatMap(({ logId }) => (logId === null ? [] : [logId]));
    // The person may have taken it back meanwhile, or another page may have received the same answer.
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
      // One missing record makes the server refuse all of them, so each is revoked alone.
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
      // Another page took the tap over while this one was frozen.
      if (!this.#isMine(tap) || !isUnsettled(tap)) return null;
      const doubt = worse(tried.doubt, more);
      // Taken back meanwhile, and certainly not written.
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
      // A pause that was cut short must not end a newer one.
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

  /** Stores a tap. The heartbeat comes first: another page sees the tap at once, and must not take it over. */
  #put(tap: Tap): void {
    const { outbox, page, now } = this.#ports;
    if (isUnsettled(tap) && this.#isMine(tap)) outbox.enter(page, now());
    outbox.put(tap);
  }

  #read(): void {
    this.#ports.outbox.read();
    this.#show();
  }

  /** Publishes the differences between the outbox and `taps`. */
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
      // A new or waiting tap has not reached the server.
      if (isUnheard(tap) && (!was || isUnheard(was))) continue;
      for (const id of tap.studentIds) this.#movedAt.set(id, this.#moment);
      const saved = was && savedBetween(was, tap);
      if (saved) this.#ports.saved(saved);
    }
    for (const listener of this.#listeners) listener(changes);
  }
}
