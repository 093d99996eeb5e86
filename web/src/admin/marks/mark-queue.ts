import { type Attempt, backoffMs, type UnknownOutcome, unexpectedFailure } from '../taps/attempt.ts';
import { greaterDoubt } from '../taps/tap.ts';
import {
  dependsOn,
  isPauseRunning,
  isTooOld,
  isWaiting,
  type Mark,
  mayGiveUp,
  type NewMark,
  newMarkState,
} from './mark.ts';
import { type MarkStorage, MarkStore } from './mark-store.ts';

export interface MarkPorts {
  readonly adminId: number;
  readonly storage: MarkStorage;
  readonly send: (mark: Mark) => Promise<Attempt<unknown>>;
  /** Runs in each page before the mark leaves the queue, so no view misses the change in between. */
  readonly onAnswered: (mark: Mark, answer: unknown) => void;
  /** Runs when a mark no longer counts: the page fetches the server's state. */
  readonly onDropped: (mark: Mark) => void;
  readonly runExclusively: (work: () => Promise<void>) => Promise<void>;
  readonly now: () => number;
  readonly schedule: (run: () => void, delayMs: number) => void;
  readonly newKey: () => string;
}

/** Holds one person's unsent marks for all pages of this browser. Retries in order with the same key until answered. */
export class MarkQueue {
  readonly #ports: MarkPorts;
  readonly #store: MarkStore;
  readonly #listeners = new Set<() => void>();
  #marks: readonly Mark[] = [];
  #isSending = false;
  /** Network failures in a row, and the end of the pause of all marks. */
  #networkFailures = 0;
  #pausedUntil = 0;
  #scheduledWait = {};

  constructor(ports: MarkPorts) {
    this.#ports = ports;
    this.#store = new MarkStore(ports.adminId, ports.storage);
    this.refresh();
  }

  /** Oldest first. The array and its marks stay the same objects while nothing changes. */
  get marks(): readonly Mark[] {
    return this.#marks;
  }

  get unsentCount(): number {
    return this.#marks.filter(isWaiting).length;
  }

  /** Whether a reload would lose an unsent mark, because the storage was full. */
  get wouldLoseMarks(): boolean {
    return this.#marks.some((mark) => isWaiting(mark) && !this.#store.isStored(mark.key));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds a mark. It shows in `marks` before this returns. */
  add(mark: NewMark): void {
    const { now, newKey } = this.#ports;
    // Later than each stored mark, those of other pages included, even if the clock was set back.
    this.#store.read();
    const at = Math.max(now(), (this.#store.marks.at(-1)?.at ?? 0) + 1);
    this.#store.put({
      operation: mark.operation,
      body: mark.body,
      ...newMarkState,
      key: newKey(),
      at,
    } as Mark);
    this.refresh();
  }

  /** Reads the changes of other pages and sends the marks that are due. */
  refresh(): void {
    this.#publish();
    void this.#send();
  }

  /** Ends all pauses and retries at once, for example when the network is back. */
  retryNow(): void {
    for (const { key, restsUntil } of this.#marks) if (restsUntil > 0) this.#change(key, { restsUntil: 0 });
    this.resumeSending();
  }

  /** Ends the network pause when the server is reachable. Pauses of failed marks go on. */
  resumeSending(): void {
    this.#pausedUntil = 0;
    this.refresh();
  }

  /** Sends a mark at a person's request. An `unsure` one gets a new key: under its old key it might not count. */
  sendAgain(key: string): void {
    this.#store.read();
    const mark = this.#store.get(key);
    if (mark?.state === 'unsure') {
      this.add(mark);
      this.#store.remove(key);
      this.refresh();
    } else if (mark) {
      this.#change(key, { restsUntil: 0 });
      this.resumeSending();
    }
  }

  /** Removes a mark that was refused, or whose attempts a person may end. */
  giveUp(key: string): void {
    this.#store.read();
    const mark = this.#store.get(key);
    if (!mark || !(mayGiveUp(mark) || mark.state === 'refused')) return;
    this.#store.remove(key);
    this.refresh();
    this.#ports.onDropped(mark);
  }

  /** Handles a storage event of another page. A null key means that the whole storage was cleared. */
  handleStorageEvent(key: string | null, oldText: string | null, newText: string | null): void {
    if (key !== null) {
      const [before, after] = [this.#store.parseEntry(key, oldText), this.#store.parseEntry(key, newText)];
      // Runs before the mark leaves this page, so no view misses the change in between.
      if (after.answered) this.#ports.onAnswered(after.answered.mark, after.answered.answer);
      else if (before.mark && before.mark.state !== after.mark?.state) this.#ports.onDropped(before.mark);
    }
    this.refresh();
  }

  async #send(): Promise<void> {
    if (this.#isSending || !this.#next()) {
      this.#waitForNext();
      return;
    }
    this.#isSending = true;
    try {
      await this.#ports.runExclusively(() => this.#sendAll());
    } catch {
      this.#pausedUntil = this.#ports.now() + backoffMs(this.#networkFailures++);
    }
    this.#isSending = false;
    this.#waitForNext();
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      this.#publish();
      this.#markOldAsUnsure();
      const next = this.#next();
      if (!next) return;
      await this.#attempt(next);
    }
  }

  /** Marks old attempts as `unsure`, because the server may have forgotten their keys. */
  #markOldAsUnsure(): void {
    const now = this.#ports.now();
    for (const mark of this.#marks) {
      if (isTooOld(mark, now)) this.#change(mark.key, { state: 'unsure', underWay: false });
    }
  }

  #next(): Mark | undefined {
    const now = this.#ports.now();
    if (isPauseRunning(this.#pausedUntil, now)) return undefined;
    const before: Mark[] = [];
    for (const mark of this.#marks) {
      if (mark.state === 'refused') continue;
      const isHeld = before.some((one) => dependsOn(mark, one));
      if (isWaiting(mark) && !isPauseRunning(mark.restsUntil, now) && !isHeld) return mark;
      before.push(mark);
    }
    return undefined;
  }

  #waitForNext(): void {
    const wait = {};
    this.#scheduledWait = wait;
    if (this.#isSending) return;
    const now = this.#ports.now();
    const waiting = this.#marks.filter(isWaiting);
    const ends = waiting.map(({ restsUntil }) => Math.max(this.#pausedUntil, restsUntil));
    const pauses = ends.filter((end) => isPauseRunning(end, now));
    if (this.#next()) void this.#send();
    else if (pauses.length > 0) {
      this.#ports.schedule(
        () => {
          if (this.#scheduledWait === wait) this.refresh();
        },
        Math.min(...pauses) - now,
      );
    }
  }

  async #attempt(next: Mark): Promise<void> {
    const mark: Mark = { ...next, doubt: next.underWay ? 'real' : next.doubt, underWay: true };
    // Stored before the request: if this page closes, the next one knows that the server may have the mark.
    this.#store.put(mark);
    this.#publish();
    const attempt = await this.#ports.send(mark).catch(() => unexpectedFailure);
    if (attempt.outcome === 'unknown') {
      this.#pause(mark, attempt);
      return;
    }
    this.#networkFailures = 0;
    if (attempt.outcome === 'answered') {
      try {
        this.#ports.onAnswered(mark, attempt.answer);
      } finally {
        this.#store.removeAnswered(mark, attempt.answer);
        this.#publish();
      }
    } else if (mark.operation === 'markAttendance' && mark.body.userIds.length > 1) {
      this.#splitByStudent(mark);
    } else {
      // A refusal, such as of a lost permission, does not say what an earlier attempt has saved.
      const state = mark.doubt === 'real' ? 'unsure' : 'refused';
      this.#change(mark.key, { state, underWay: false, problem: attempt.problem });
      this.#ports.onDropped(mark);
    }
  }

  /** Replaces a refused mark by one per student: one student who left the class makes the server refuse all. */
  #splitByStudent(mark: Extract<Mark, { operation: 'markAttendance' }>): void {
    this.#store.read();
    if (!this.#store.get(mark.key)) return;
    for (const id of mark.body.userIds) {
      const body = { ...mark.body, userIds: [id] };
      this.#store.put({ ...mark, ...newMarkState, key: this.#ports.newKey(), body });
    }
    this.#store.remove(mark.key);
    this.#publish();
  }

  #pause(tried: Mark, { retryAfterMs, isLocal, hasServerFailed, doubt: newDoubt }: UnknownOutcome): void {
    const now = this.#ports.now();
    if (!isLocal) this.#pausedUntil = now + (retryAfterMs ?? backoffMs(this.#networkFailures++));
    // Changes nothing if a person gave the mark up, or another page received the answer.
    this.#change(tried.key, ({ failures }) => ({
      underWay: false,
      doubt: greaterDoubt(tried.doubt, newDoubt),
      failures: failures + (hasServerFailed ? 1 : 0),
      restsUntil: isLocal ? now + (retryAfterMs ?? backoffMs(failures)) : 0,
    }));
  }

  #change(key: string, change: Partial<Mark> | ((mark: Mark) => Partial<Mark>)): void {
    this.#store.read();
    const mark = this.#store.get(key);
    if (mark) this.#store.put({ ...mark, ...(typeof change === 'function' ? change(mark) : change) } as Mark);
    this.#publish();
  }

  #publish(): void {
    this.#store.read();
    const marks = this.#store.marks;
    const isSame = marks.length === this.#marks.length && marks.every((mark, at) => mark === this.#marks[at]);
    if (isSame) return;
    this.#marks = marks;
    for (const listener of this.#listeners) listener();
  }
}
