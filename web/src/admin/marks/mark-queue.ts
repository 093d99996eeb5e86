import { type Attempt, backoffMs, surprise, type Unknown } from '../taps/attempt.ts';
import { worse } from '../taps/tap.ts';
import { dependsOn, isPause, isTooOld, isWaiting, type Mark, mayGiveUp, type Said, untried } from './mark.ts';
import { MarkStore, type Place } from './mark-store.ts';

export interface MarkPorts {
  readonly adminId: number;
  readonly place: Place;
  readonly send: (mark: Mark) => Promise<Attempt<unknown>>;
  /** Runs in each page before the mark leaves the queue, so no view misses the change in between. */
  readonly done: (mark: Mark, answer: unknown) => void;
  /** Runs when a mark no longer counts: the page fetches the server's state. */
  readonly gone: (mark: Mark) => void;
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
  readonly newKey: () => string;
}

/**
 * Holds the unsent marks of one person, shared by all pages of this browser and kept across reloads. Sends them in
 * order and retries with the same key until the server answers. After a server failure only the mark and its dependants
 * pause.
 */
export class MarkQueue {
  readonly #ports: MarkPorts;
  readonly #store: MarkStore;
  readonly #listeners = new Set<() => void>();
  #marks: readonly Mark[] = [];
  #isSending = false;
  /** Network failures in a row, and the end of the pause of all marks. */
  #networkFailures = 0;
  #restsUntil = 0;
  #wait = {};

  constructor(ports: MarkPorts) {
    this.#ports = ports;
    this.#store = new MarkStore(ports.adminId, ports.place);
    this.look();
  }

  /** Oldest first. The array and its marks stay the same objects while nothing changes. */
  get marks(): readonly Mark[] {
    return this.#marks;
  }

  get unsentCount(): number {
    return this.#marks.filter(isWaiting).length;
  }

  /** Whether a reload would lose an unsent mark, because the storage was full. */
  get wouldBeForgotten(): boolean {
    return this.#marks.some((mark) => isWaiting(mark) && !this.#store.isStored(mark.key));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds a mark. It shows in `marks` before this returns. */
  add(said: Said): void {
    const { now, newKey } = this.#ports;
    // Later than each stored mark, those of other pages included, even if the clock was set back.
    this.#store.read();
    const at = Math.max(now(), (this.#store.marks.at(-1)?.at ?? 0) + 1);
    this.#store.put({ operation: said.operation, body: said.body, ...untried, key: newKey(), at } as Mark);
    this.look();
  }

  /** Reads the changes of other pages and sends the marks that are due. */
  look(): void {
    this.#show();
    void this.#send();
  }

  /** Ends all pauses and retries at once, for example when the network is back. */
  retryNow(): void {
    for (const { key, restsUntil } of this.#marks) if (restsUntil > 0) this.#change(key, { restsUntil: 0 });
    this.connected();
  }

  /** Ends the network pause when the server is reachable. Pauses of failed marks go on. */
  connected(): void {
    this.#restsUntil = 0;
    this.look();
  }

  /** Sends a mark at a person's request. An `unsure` one gets a new key: under its old key it might not count. */
  sendAgain(key: string): void {
    this.#store.read();
    const mark = this.#store.get(key);
    if (mark?.state === 'unsure') {
      this.add(mark);
      this.#store.remove(key);
      this.look();
    } else if (mark) {
      this.#change(key, { restsUntil: 0 });
      this.connected();
    }
  }

  /** Removes a mark that was refused, or whose attempts a person may end. */
  giveUp(key: string): void {
    this.#store.read();
    const mark = this.#store.get(key);
    if (!mark || !(mayGiveUp(mark) || mark.state === 'refused')) return;
    this.#store.remove(key);
    this.look();
    this.#ports.gone(mark);
  }

  /** Handles a storage event of another page. A null key means that the whole storage was cleared. */
  otherChanged(key: string | null, was: string | null, is: string | null): void {
    if (key !== null) {
      const [before, after] = [this.#store.understand(key, was), this.#store.understand(key, is)];
      // Runs before the mark leaves this page, so no view misses the change in between.
      if (after.ending) this.#ports.done(after.ending.mark, after.ending.answer);
      else if (before.mark && before.mark.state !== after.mark?.state) this.#ports.gone(before.mark);
    }
    this.look();
  }

  async #send(): Promise<void> {
    if (this.#isSending || !this.#next()) {
      this.#waitForNext();
      return;
    }
    this.#isSending = true;
    try {
      await this.#ports.alone(() => this.#sendAll());
    } catch {
      this.#restsUntil = this.#ports.now() + backoffMs(this.#networkFailures++);
    }
    this.#isSending = false;
    this.#waitForNext();
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      this.#show();
      this.#doubtOld();
      const next = this.#next();
      if (!next) return;
      await this.#try(next);
    }
  }

  /** Marks old attempts as `unsure`, because the server may have forgotten their keys. */
  #doubtOld(): void {
    const now = this.#ports.now();
    for (const mark of this.#marks) {
      if (isTooOld(mark, now)) this.#change(mark.key, { state: 'unsure', underWay: false });
    }
  }

  #next(): Mark | undefined {
    const now = this.#ports.now();
    if (isPause(this.#restsUntil, now)) return undefined;
    const before: Mark[] = [];
    for (const mark of this.#marks) {
      if (mark.state === 'refused') continue;
      const isHeld = before.some((one) => dependsOn(mark, one));
      if (isWaiting(mark) && !isPause(mark.restsUntil, now) && !isHeld) return mark;
      before.push(mark);
    }
    return undefined;
  }

  #waitForNext(): void {
    const wait = {};
    this.#wait = wait;
    if (this.#isSending) return;
    const now = this.#ports.now();
    const waiting = this.#marks.filter(isWaiting);
    const ends = waiting.map(({ restsUntil }) => Math.max(this.#restsUntil, restsUntil));
    const pauses = ends.filter((end) => isPause(end, now));
    if (this.#next()) void this.#send();
    else if (pauses.length > 0) {
      this.#ports.later(
        () => {
          if (this.#wait === wait) this.look();
        },
        Math.min(...pauses) - now,
      );
    }
  }

  async #try(next: Mark): Promise<void> {
    const mark: Mark = { ...next, doubt: next.underWay ? 'real' : next.doubt, underWay: true };
    // Stored before the request: if this page closes, the next one knows that the server may have the mark.
    this.#store.put(mark);
    this.#show();
    const attempt = await this.#ports.send(mark).catch(() => surprise);
    if (attempt.outcome === 'unknown') {
      this.#rest(mark, attempt);
      return;
    }
    this.#networkFailures = 0;
    if (attempt.outcome === 'answered') {
      try {
        this.#ports.done(mark, attempt.answer);
      } finally {
        this.#store.end(mark, attempt.answer);
        this.#show();
      }
    } else if (mark.operation === 'markAttendance' && mark.body.userIds.length > 1) {
      this.#sayEach(mark);
    } else {
      // A refusal, such as of a lost permission, does not say what an earlier attempt has saved.
      const state = mark.doubt === 'real' ? 'unsure' : 'refused';
      this.#change(mark.key, { state, underWay: false, problem: attempt.problem });
      this.#ports.gone(mark);
    }
  }

  /** Replaces a refused mark by one per student: one student who left the class makes the server refuse all. */
  #sayEach(mark: Extract<Mark, { operation: 'markAttendance' }>): void {
    this.#store.read();
    if (!this.#store.get(mark.key)) return;
    for (const id of mark.body.userIds) {
      const body = { ...mark.body, userIds: [id] };
      this.#store.put({ ...mark, ...untried, key: this.#ports.newKey(), body });
    }
    this.#store.remove(mark.key);
    this.#show();
  }

  #rest(tried: Mark, { retryAfterMs, ofTap, failed, doubt: more }: Unknown): void {
    const now = this.#ports.now();
    if (!ofTap) this.#restsUntil = now + (retryAfterMs ?? backoffMs(this.#networkFailures++));
    // Changes nothing if a person gave the mark up, or another page received the answer.
    this.#change(tried.key, ({ failures }) => ({
      underWay: false,
      doubt: worse(tried.doubt, more),
      failures: failures + (failed ? 1 : 0),
      restsUntil: ofTap ? now + (retryAfterMs ?? backoffMs(failures)) : 0,
    }));
  }

  #change(key: string, change: Partial<Mark> | ((mark: Mark) => Partial<Mark>)): void {
    this.#store.read();
    const mark = this.#store.get(key);
    if (mark) this.#store.put({ ...mark, ...(typeof change === 'function' ? change(mark) : change) } as Mark);
    this.#show();
  }

  #show(): void {
    this.#store.read();
    const marks = this.#store.marks;
    const isSame = marks.length === this.#marks.length && marks.every((mark, at) => mark === this.#marks[at]);
    if (isSame) return;
    this.#marks = marks;
    for (const listener of this.#listeners) listener();
  }
}
