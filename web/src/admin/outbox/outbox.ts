import { backoffMs, type UnknownOutcome, unexpectedFailure } from './attempt.ts';
import {
  type Entry,
  type EntryChange,
  type EntryUpdate,
  greaterDoubt,
  isCertainlyUnsent,
  isMarkEntry,
  isPauseRunning,
  isPointsEntry,
  isUnanswered,
  isUnsettled,
  type MarkEntry,
  mayGiveUp,
  mayKeyHaveExpired,
  maySendAgain,
  mustBeKept,
  type NewEntry,
  newDelivery,
  noAttempts,
} from './entry.ts';
import type { EntryStore } from './entry-store.ts';
import { type MarkPorts, mustWaitFor, sendMark } from './mark-entry.ts';
import { type PointsPorts, sendPoints } from './points-entry.ts';

export interface OutboxPorts extends PointsPorts, MarkPorts {
  readonly store: EntryStore;
  readonly page: string;
  readonly schedule: (run: () => void, delayMs: number) => void;
}

type Listener = (changes: readonly EntryChange[]) => void;

/**
 * Sends the points, absences and picks of one person. All pages of the browser share these entries in the store. The
 * page that made an entry sends it, or another page if that one is closed. Retries with the same key until an answer.
 */
export class Outbox {
  readonly #ports: OutboxPorts;
  readonly #listeners = new Set<Listener>();
  #entries: readonly Entry[] = [];
  #marks: readonly MarkEntry[] = [];
  #isSending = false;
  /** Network failures in a row. They pause all entries until `#pausedUntil`. */
  #networkFailures = 0;
  #pausedUntil = 0;
  #scheduledTimer = {};

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  /** Oldest first; a new array after each change. An unchanged entry stays the same object. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Absences and picks. Stays the same array when only points change. */
  get marks(): readonly MarkEntry[] {
    return this.#marks;
  }

  get unsettledCount(): number {
    return this.#entries.filter(isUnsettled).length;
  }

  /** True while this page has entries to send. It then asks the user before it closes. */
  get hasUnsent(): boolean {
    return this.#entries.some((entry) => isUnsettled(entry) && this.#isMine(entry));
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add<E extends NewEntry>(entry: E): E & typeof newDelivery & Pick<Entry, 'key' | 'at' | 'page'> {
    const { newKey, page, store } = this.#ports;
    store.read();
    const added = { ...entry, ...newDelivery, key: newKey(), at: this.#timeOf(entry), page };
    this.#put(added);
    this.#publish();
    this.#sendNext();
    return added;
  }

  /** Replaces the stored entry by the result of `changed`. Does nothing if another page has removed the entry. */
  change(key: string, changed: EntryUpdate): void {
    const { store } = this.#ports;
    store.read();
    const entry = store.get(key);
    const next = entry && changed(entry);
    if (next) {
      for (const one of next) this.#put(one);
      if (!next.some((one) => one.key === key)) store.remove(key);
    }
    this.#publish();
    this.#sendNext();
  }

  /** Undoes points. If the server may have them, sends them again first, to learn the ids of their records. */
  undo(key: string): void {
    const { page } = this.#ports;
    this.change(key, (entry) => {
      if (entry.state === 'done') return [{ ...entry, state: 'undoing', page }];
      if (!isUnanswered(entry)) return null;
      return [{ ...entry, takenBack: true, ...(isCertainlyUnsent(entry) && { state: 'undone' }) }];
    });
  }

  /** Removes a refused entry, or stops the retries of one. Then only the point records show whether it counts. */
  giveUp(key: string): void {
    this.change(key, (entry) => {
      if (entry.state !== 'refused' && !mayGiveUp(entry)) return null;
      return entry.state === 'undoing' ? [{ ...entry, ...noAttempts, state: 'done', takenBack: false }] : [];
    });
  }

  /** Sends an entry again on the user's request. The user has checked that an `unsure` one does not count yet. */
  sendAgain(key: string): void {
    const { newKey, now, page } = this.#ports;
    this.#pausedUntil = 0;
    this.change(key, (entry) => {
      if (isUnsettled(entry)) return [{ ...entry, notBefore: 0 }];
      if (!maySendAgain(entry) || this.isAwaited(entry)) return null;
      if (isPointsEntry(entry)) return [{ ...entry, state: 'sending', at: now(), failures: 0, page }];
      // A new key, because for the old one the server may repeat a stored answer and change nothing.
      return [{ ...entry, ...newDelivery, key: newKey(), at: this.#timeOf(entry), page }];
    });
  }

  /** Returns whether a later mark of the same students waits for the entry, which must then not be sent anew. */
  isAwaited(entry: Entry): boolean {
    const { entries } = this.#ports.store;
    return entries.some((other) => entry.at < other.at && mustBeKept(other) && mustWaitFor(other, entry));
  }

  /** Ends all pauses and retries at once, for example when the network is back. */
  retryNow(): void {
    const { store } = this.#ports;
    store.read();
    for (const entry of store.entries) {
      if (this.#isOwnToSend(entry) && entry.notBefore > 0) this.#put({ ...entry, notBefore: 0 });
    }
    this.resumeSending();
  }

  /** Ends the pause after network failures. Entries at which the server failed stay paused. */
  resumeSending(): void {
    this.#pausedUntil = 0;
    this.refresh();
  }

  /** Reads the changes of other pages, and sends entries whose pause is over. */
  refresh(): void {
    this.#ports.store.read();
    this.#publish();
    this.#sendNext();
  }

  /** Removes answered entries at sign-out, except points that were refused or not undone for some recipients. */
  removeSettled(): void {
    const { store } = this.#ports;
    store.read();
    for (const entry of store.entries) {
      const isPartial =
        isPointsEntry(entry) &&
        (entry.stuckIds.length > 0 || (entry.state === 'done' && entry.refusedIds.length > 0));
      if ((entry.state === 'done' || entry.state === 'undone') && !isPartial) store.remove(entry.key);
    }
    this.#publish();
  }

  /** Lets other pages send this page's entries when it closes. Removes saved marks, which they can fetch again. */
  releaseEntries(): void {
    const { store, page } = this.#ports;
    store.read();
    for (const entry of store.entries) if (isSavedMark(entry)) store.remove(entry.key);
    store.removeHeartbeat(page);
  }

  #isMine({ page }: Entry): boolean {
    return page === this.#ports.page;
  }

  /** Returns the time of a new entry. It is later than entries to send before, even if the clock was set back. */
  #timeOf(entry: NewEntry): number {
    const before = this.#ports.store.entries.filter(
      (other) => mustBeKept(other) && mustWaitFor(entry, other),
    );
    return Math.max(this.#ports.now(), ...before.map(({ at }) => at + 1));
  }

  /** Sends the next entry: fewest failures first, then points, then the oldest. Otherwise waits for a pause to end. */
  #sendNext(): void {
    const { store, page, now } = this.#ports;
    if (this.hasUnsent) store.writeHeartbeat(page, now());
    else store.removeHeartbeat(page);
    if (this.#isSending) return;
    if (!isPauseRunning(this.#pausedUntil, now())) {
      this.#endOldEntries();
      const [next] = this.#dueEntries.toSorted(
        (one, other) =>
          one.failures - other.failures || Number(isMarkEntry(one)) - Number(isMarkEntry(other)),
      );
      if (next) {
        void this.#attempt(next);
        return;
      }
    }
    this.#sleep();
  }

  get #dueEntries(): readonly Entry[] {
    return this.#entries.filter(
      (entry) =>
        this.#isOwnToSend(entry) &&
        !isPauseRunning(entry.notBefore, this.#ports.now()) &&
        !this.#mustWait(entry),
    );
  }

  #isOwnToSend(entry: Entry): boolean {
    const { store, now } = this.#ports;
    return isUnsettled(entry) && (this.#isMine(entry) || !store.isPageAlive(entry.page, now()));
  }

  #mustWait(entry: Entry): boolean {
    return this.#entries.some(
      (other) => other.at < entry.at && mustBeKept(other) && mustWaitFor(entry, other),
    );
  }

  /** Makes entries `unsure` if the server may have forgotten their keys. Removes saved marks that pages have read. */
  #endOldEntries(): void {
    const { store, now } = this.#ports;
    for (const entry of this.#entries) {
      if (this.#isOwnToSend(entry) && mayKeyHaveExpired(entry, now()))
        store.put({ ...entry, state: 'unsure' });
      if (isSavedMark(entry) && !isPauseRunning(entry.notBefore, now())) store.remove(entry.key);
    }
    this.#publish();
  }

  #sleep(): void {
    const { schedule, now } = this.#ports;
    const timer = {};
    this.#scheduledTimer = timer;
    const ends = this.#entries
      .filter((entry) => isUnsettled(entry) || isSavedMark(entry))
      .map(({ notBefore }) => Math.max(notBefore, this.#pausedUntil))
      .filter((end) => isPauseRunning(end, now()));
    if (ends.length === 0) return;
    const run = () => {
      if (this.#scheduledTimer === timer) this.refresh();
    };
    schedule(run, Math.min(...ends) - now());
  }

  /** Sends an entry once. An exception counts as an unknown outcome, so that the outbox goes on. */
  async #attempt(next: Entry): Promise<void> {
    const { store, page } = this.#ports;
    const entry: Entry = { ...next, doubt: next.underWay ? 'real' : next.doubt, underWay: true, page };
    this.#isSending = true;
    if (!this.#isMine(next)) store.removeHeartbeat(next.page);
    // Stored before the request, so that after a crash another page knows that the server may have the entry.
    this.#put(entry);
    this.#publish();
    try {
      const sent = isPointsEntry(entry) ? sendPoints(entry, this.#ports) : sendMark(entry, this.#ports);
      const result = await sent.catch(() => unexpectedFailure);
      if (typeof result === 'function') this.#networkFailures = 0;
      store.read();
      // The user gave the entry up meanwhile. The server may have saved it, so pages must fetch their data again.
      if (!store.get(entry.key)) this.#notify([{ was: entry, entry, isGone: true }]);
      this.change(entry.key, typeof result === 'function' ? result : this.#pause(entry, result));
    } finally {
      this.#isSending = false;
      this.#sendNext();
    }
  }

  #pause(
    tried: Entry,
    { retryAfterMs, isLocal, hasServerFailed, doubt: newDoubt }: UnknownOutcome,
  ): EntryUpdate {
    const failures = isLocal ? tried.failures : this.#networkFailures++;
    const end = this.#ports.now() + (retryAfterMs ?? backoffMs(failures));
    if (!isLocal) this.#pausedUntil = end;
    return (entry) => {
      // Does nothing if another page took the entry over while this page was frozen.
      if (!this.#isMine(entry) || !isUnsettled(entry)) return null;
      const doubt = greaterDoubt(tried.doubt, newDoubt);
      // An entry that the user undid meanwhile is finished if the server has certainly not saved it.
      const given = entry.takenBack && doubt === 'none' ? 'undone' : 'waiting';
      return [
        {
          ...entry,
          state: entry.state === 'undoing' ? 'undoing' : given,
          underWay: false,
          doubt,
          failures: entry.failures + (hasServerFailed ? 1 : 0),
          notBefore: isLocal ? end : 0,
        },
      ];
    };
  }

  /** Stores an entry. Writes the heartbeat first, or another page would take the entry over as soon as it sees it. */
  #put(entry: Entry): void {
    const { store, page, now } = this.#ports;
    if (isUnsettled(entry) && this.#isMine(entry)) store.writeHeartbeat(page, now());
    store.put(entry);
  }

  #publish(): void {
    const { store } = this.#ports;
    const entries = store.entries;
    const before = new Map(this.#entries.map((entry) => [entry.key, entry]));
    const changed = entries.filter((entry) => before.get(entry.key) !== entry);
    const gone = this.#entries.filter(({ key }) => !store.get(key));
    if (changed.length + gone.length === 0) return;
    this.#entries = entries;
    const changes = [
      ...changed.map((entry) => ({ was: before.get(entry.key), entry, isGone: false })),
      ...gone.map((entry) => ({ was: entry, entry, isGone: true })),
    ];
    if (changes.some(({ entry }) => isMarkEntry(entry))) this.#marks = entries.filter(isMarkEntry);
    this.#notify(changes);
  }

  #notify(changes: readonly EntryChange[]): void {
    for (const listener of this.#listeners) listener(changes);
  }
}

const isSavedMark = (entry: Entry) => isMarkEntry(entry) && entry.state === 'done';
