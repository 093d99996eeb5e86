import { type Attempt, backoffMs, type UnknownOutcome, unexpectedFailure } from './attempt.ts';
import {
  greaterDoubt,
  isCertainlyUnsent,
  isTooOld,
  isUnanswered,
  isUncertain,
  isUnsettled,
  mayGiveUp,
  maySendAfterAll,
  mustBeKept,
  type NewTap,
  newTapState,
  noAttempts,
  pendingChanges,
  problemOf,
  recipientIdsOf,
  type SavedPoints,
  savedPointsBetween,
  type Tap,
  type TapChange,
  type WriteResult,
} from './tap.ts';
import type { TapOutbox } from './tap-outbox.ts';

export interface QueuePorts {
  readonly outbox: TapOutbox;
  readonly page: string;
  /** Returns the ids of the open pages of this browser; null where the browser cannot list them. */
  readonly openPages: () => Promise<ReadonlySet<string> | null>;
  readonly send: (tap: Tap) => Promise<Attempt<WriteResult>>;
  readonly undo: (tap: Tap) => Promise<Attempt<unknown>>;
  readonly onSaved: (saved: SavedPoints) => void;
  readonly now: () => number;
  readonly schedule: (run: () => void, delayMs: number) => void;
  readonly newKey: () => string;
}

/** Taps in the list. Unsettled and `unsure` ones are kept beyond it. */
const listedTapsMax = 50;
type Listener = (changes: readonly TapChange[]) => void;

/**
 * Holds one person's taps for all pages of this browser; the outbox is the source of truth. The page that made a tap
 * sends it, or another page once that one is gone. Retries with the same key until the server answers.
 */
export class ScoringQueue {
  readonly #ports: QueuePorts;
  readonly #listeners = new Set<Listener>();
  #taps: readonly Tap[] = [];
  #pending: ReadonlyMap<number, number> = new Map();
  #pendingOfTeams: ReadonlyMap<number, number> = new Map();
  #revision = 0;
  /** By student, the moment when one of their taps last changed, other than while it was unsent. */
  readonly #changedAtRevision = new Map<number, number>();
  #isTrying = false;
  #networkFailures = 0;
  /** Pauses before a retry, by the tap's key; null pauses all taps. Each pause is a distinct object. */
  readonly #pauses = new Map<string | null, object>();

  constructor(ports: QueuePorts) {
    this.#ports = ports;
    void this.refresh();
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

  pendingTeamChange(teamId: number): number {
    return this.#pendingOfTeams.get(teamId) ?? 0;
  }

  /** The caller reads the revision when requesting totals: see {@link unclearStudentsSince}. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns the students whose totals, requested at a moment, may or may not include a tap under way. */
  unclearStudentsSince(revision: number): ReadonlySet<number> {
    const uncertain = this.#taps.filter(isUncertain).flatMap(({ studentIds }) => studentIds);
    const changed = [...this.#changedAtRevision].flatMap(([id, at]) => (at > revision ? [id] : []));
    return new Set([...uncertain, ...changed]);
  }

  /** Gives points. The tap shows in `taps` before this returns. */
  give(newTap: NewTap): Tap {
    const { outbox, newKey, now, page } = this.#ports;
    const tap: Tap = { ...newTapState, ...newTap, key: newKey(), at: now(), page };
    this.#read();
    this.#put(tap);
    for (const old of this.#taps.slice(listedTapsMax - 1)) if (!mustBeKept(old)) outbox.remove(old.key);
    this.#publish();
    this.#sendNext();
    return tap;
  }

  /** Takes a tap back. A tap that may have reached the server is sent first, to learn which records it wrote. */
  undo(key: string): void {
    this.#change(key, (tap) => {
      if (tap.state === 'done') return { state: 'undoing', page: this.#ports.page };
      if (!isUnanswered(tap)) return null;
      return { takenBack: true, ...(isCertainlyUnsent(tap) && { state: 'undone' }) };
    });
  }

  dismiss(key: string): void {
    this.#change(key, ({ state }) => (state === 'refused' ? 'remove' : null));
  }

  setNote(key: string, note: string | null): void {
    this.#change(key, ({ state }) => (state === 'done' ? { note } : null));
  }

  /** Ends the attempts at a tap, if allowed. Whether it counts is unknown here; the score records show it. */
  giveUp(key: string): void {
    this.#change(key, (tap) => {
      if (!mayGiveUp(tap)) return null;
      if (tap.state !== 'undoing') return 'remove';
      return { state: 'done', takenBack: false, ...noAttempts };
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
    this.#pauses.clear();
    void this.refresh();
  }

  /** Reads the changes of other pages, and takes over the taps of closed ones. */
  async refresh(): Promise<void> {
    this.#read();
    const unsent = this.#taps.filter((tap) => isUnsettled(tap) && !this.#isMine(tap));
    const others = new Set(unsent.map(({ page }) => page));
    if (others.size > 0) {
      const { outbox, openPages } = this.#ports;
      const open = await openPages();
      for (const page of others) if (open?.has(page) === false) outbox.removeHeartbeat(page);
      this.#read();
    }
    this.#sendNext();
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
    this.#publish();
  }

  /** Ends this page's heartbeat when it closes: other pages may send its taps. */
  removeHeartbeat(): void {
    this.#ports.outbox.removeHeartbeat(this.#ports.page);
  }

  #isMine({ page }: Tap): boolean {
    return page === this.#ports.page;
  }

  get #tapsToSend(): readonly Tap[] {
    const { outbox, now } = this.#ports;
    return this.#taps.filter(
      (tap) => isUnsettled(tap) && (this.#isMine(tap) || !outbox.isPageAlive(tap.page, now())),
    );
  }

  /** Sends the tap with the fewest failures, the oldest first. */
  #sendNext(): void {
    const { outbox, page, now } = this.#ports;
    if (this.hasUnsent) outbox.writeHeartbeat(page, now());
    else outbox.removeHeartbeat(page);
    if (this.#isTrying || this.#pauses.has(null)) return;
    for (const tap of this.#tapsToSend) if (isTooOld(tap, now())) this.#put({ ...tap, state: 'unsure' });
    this.#publish();
    const tap = this.#tapsToSend
      .filter(({ key }) => !this.#pauses.has(key))
      .toReversed()
      .sort((one, other) => one.failures - other.failures)[0];
    if (tap) void this.#attempt(tap);
  }

  /** Makes one attempt. An exception counts as unknown, so it does not stop the queue. */
  async #attempt(next: Tap): Promise<void> {
    const { outbox, page } = this.#ports;
    const tap: Tap = { ...next, doubt: next.underWay ? 'real' : next.doubt, underWay: true, page };
    this.#isTrying = true;
    if (!this.#isMine(next)) outbox.removeHeartbeat(next.page);
    // Stored before the request: if this page closes, the next one knows that the server may have the tap.
    this.#put(tap);
    this.#publish();
    const unknown = await (tap.state === 'undoing' ? this.#revoke(tap) : this.#send(tap)).catch(
      () => unexpectedFailure,
    );
    if (unknown) this.#pause(tap, unknown);
    else this.#networkFailures = 0;
    this.#isTrying = false;
    this.#sendNext();
  }

  /** @returns null when the server has decided about the tap */
  async #send(sent: Tap): Promise<UnknownOutcome | null> {
    const attempt = await this.#ports.send(sent);
    if (attempt.outcome === 'unknown') return attempt;
    if (attempt.outcome === 'refused') {
      const { problem } = attempt;
      // A refusal, such as of a lost permission, does not say what an earlier attempt has saved.
      const state = sent.doubt === 'real' ? 'unsure' : 'refused';
      this.#change(sent.key, (tap) =>
        this.#isMine(tap) && isUnanswered(tap) ? { state, problem, underWay: false } : null,
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
            ...noAttempts,
            problem: problemOf(refused[0]),
          },
    );
    return null;
  }

  async #revoke(asked: Tap): Promise<UnknownOutcome | null> {
    const all = await this.#ports.undo(asked);
    if (all.outcome === 'unknown') return all;
    const recipientIds = recipientIdsOf(asked);
    const stuckIds: number[] = [];
    if (all.outcome === 'refused') {
      // One missing record makes the server refuse all of them, so each is revoked alone.
      for (const [index, logId] of asked.logIds.entries()) {
        const one = asked.logIds.length === 1 ? all : await this.#ports.undo({ ...asked, logIds: [logId] });
        if (one.outcome === 'unknown') return one;
        if (one.outcome === 'refused') stuckIds.push(recipientIds[index] as number);
      }
    }
    const isStuck = stuckIds.length === asked.logIds.length;
    this.#change(asked.key, ({ state }) =>
      state === 'undoing' || state === 'done'
        ? {
            state: isStuck ? 'done' : 'undone',
            takenBack: false,
            stuckIds,
            ...noAttempts,
            problem: all.outcome === 'refused' ? all.problem : null,
          }
        : null,
    );
    return null;
  }

  #pause(tried: Tap, { retryAfterMs, isLocal, hasServerFailed, doubt: newDoubt }: UnknownOutcome): void {
    const failures = isLocal ? tried.failures : this.#networkFailures++;
    const delayMs = retryAfterMs ?? backoffMs(failures);
    this.#change(tried.key, (tap) => {
      // Another page took the tap over while this one was frozen.
      if (!this.#isMine(tap) || !isUnsettled(tap)) return null;
      const doubt = greaterDoubt(tried.doubt, newDoubt);
      // Taken back meanwhile, and certainly not written.
      const given = tap.takenBack && doubt === 'none' ? 'undone' : 'waiting';
      return {
        state: tap.state === 'undoing' ? 'undoing' : given,
        underWay: false,
        doubt,
        failures: tap.failures + (hasServerFailed ? 1 : 0),
      };
    });
    const pauseKey = isLocal ? tried.key : null;
    const pause = {};
    this.#pauses.set(pauseKey, pause);
    this.#ports.schedule(() => {
      // A pause that was cut short must not end a newer one.
      if (this.#pauses.get(pauseKey) !== pause) return;
      this.#pauses.delete(pauseKey);
      void this.refresh();
    }, delayMs);
  }

  #change(key: string, changed: (tap: Tap) => Partial<Tap> | 'remove' | null): void {
    this.#read();
    const { outbox } = this.#ports;
    const tap = outbox.get(key);
    const change = tap && changed(tap);
    if (change === 'remove') outbox.remove(key);
    else if (change) this.#put({ ...tap, ...change });
    this.#publish();
    this.#sendNext();
  }

  /** Stores a tap. The heartbeat comes first: another page sees the tap at once, and must not take it over. */
  #put(tap: Tap): void {
    const { outbox, page, now } = this.#ports;
    if (isUnsettled(tap) && this.#isMine(tap)) outbox.writeHeartbeat(page, now());
    outbox.put(tap);
  }

  #read(): void {
    this.#ports.outbox.read();
    this.#publish();
  }

  /** Publishes the differences between the outbox and `taps`. */
  #publish(): void {
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
    this.#revision++;
    for (const { was, tap } of changes) {
      // A new or waiting tap has not reached the server.
      if (isCertainlyUnsent(tap) && (!was || isCertainlyUnsent(was))) continue;
      for (const id of tap.studentIds) this.#changedAtRevision.set(id, this.#revision);
      const saved = was && savedPointsBetween(was, tap);
      if (saved) this.#ports.onSaved(saved);
    }
    for (const listener of this.#listeners) listener(changes);
  }
}
