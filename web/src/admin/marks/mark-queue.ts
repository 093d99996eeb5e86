import { type Attempt, backoffMs, surprise, type Unknown } from '../taps/attempt.ts';
import { worse } from '../taps/tap.ts';
import { dependsOn, isPause, isTooOld, isWaiting, type Mark, mayGiveUp, type Said, untried } from './mark.ts';
import { MarkStore, type Place } from './mark-store.ts';

/** What the queue needs from the world. */
export interface MarkPorts {
  readonly adminId: number;
  readonly place: Place;
  readonly send: (mark: Mark) => Promise<Attempt<unknown>>;
  /** Told before a mark leaves the queue, for nothing to be shown without it; in all pages, whichever has sent it. */
  readonly done: (mark: Mark, answer: unknown) => void;
  /** A mark counts no more, in this page or another: what the server says is to be asked for. */
  readonly gone: (mark: Mark) => void;
  /** Lets one page of this browser send at a time. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
  readonly newKey: () => string;
}

/**
 * The marks of one person that the server has not heard yet, as all pages of this browser know them: they outlive a reload, and are
 * sent in their order, each under a key, until the server has answered. One at which the server fails rests, each time for longer,
 * with those alone that depend on it. What becomes of a mark stands in the storage, so all pages show the same.
 */
export class MarkQueue {
  readonly #ports: MarkPorts;
  readonly #store: MarkStore;
  readonly #listeners = new Set<() => void>();
  #marks: readonly Mark[] = [];
  #isSending = false;
  /** How often in a row the network failed, and until when all marks wait for it. */
  #networkFailures = 0;
  #restsUntil = 0;
  #wait = {};

  constructor(ports: MarkPorts) {
    this.#ports = ports;
    this.#store = new MarkStore(ports.adminId, ports.place);
    this.look();
  }

  /** The oldest first; the same array as long as nothing changes, and the same marks. */
  get marks(): readonly Mark[] {
    return this.#marks;
  }

  /** How many marks the server has still to hear or answer. */
  get unsentCount(): number {
    return this.#marks.filter(isWaiting).length;
  }

  /** Whether a reload would forget something that is not sent: the storage had no room for it. */
  get wouldBeForgotten(): boolean {
    return this.#marks.some((mark) => isWaiting(mark) && !this.#store.isStored(mark.key));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Keeps what is said now; shows in `marks` before it returns. */
  add(said: Said): void {
    const { now, newKey } = this.#ports;
    // Behind those that are there, of other pages too, also where the clock was set back.
    this.#store.read();
    const at = Math.max(now(), (this.#store.marks.at(-1)?.at ?? 0) + 1);
    this.#store.put({ operation: said.operation, body: said.body, ...untried, key: newKey(), at } as Mark);
    this.look();
  }

  /** Sees what other pages have said, and sends what there is to send by now. */
  look(): void {
    this.#show();
    void this.#send();
  }

  /** Tries at once what waits for its next attempt, for example when the network is back. */
  retryNow(): void {
    for (const { key, restsUntil } of this.#marks) if (restsUntil > 0) this.#change(key, { restsUntil: 0 });
    this.connected();
  }

  /** The server answers; it may go on failing at a mark. */
  connected(): void {
    this.#restsUntil = 0;
    this.look();
  }

  /** Sends at once what a person asks for. What no one knows of is said anew: under its old key it might not count. */
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

  /** Ends the attempts at a mark where that is allowed, and takes one that was refused off the list. */
  giveUp(key: string): void {
    this.#store.read();
    const mark = this.#store.get(key);
    if (!mark || !(mayGiveUp(mark) || mark.state === 'refused')) return;
    this.#store.remove(key);
    this.look();
    this.#ports.gone(mark);
  }

  /**
   * Another page has changed an entry of the storage.
   *
   * @param key null: all of it was cleared
   */
  otherChanged(key: string | null, was: string | null, is: string | null): void {
    if (key !== null) {
      const [before, after] = [this.#store.understand(key, was), this.#store.understand(key, is)];
      // Both before the mark goes from here: nothing is shown without it.
      if (after.ending) this.#ports.done(after.ending.mark, after.ending.answer);
      // Given up, or refused.
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

  /** What was tried so long ago that the server may have forgotten it is not repeated unasked. */
  #doubtOld(): void {
    const now = this.#ports.now();
    for (const mark of this.#marks) {
      if (isTooOld(mark, now)) this.#change(mark.key, { state: 'unsure', underWay: false });
    }
  }

  /** The oldest mark that may be sent now: none before it that it depends on has still to be. */
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

  /** Looks again when the first pause is over, of whatever waits for one. */
  #waitForNext(): void {
    const wait = {};
    this.#wait = wait;
    if (this.#isSending) return;
    const now = this.#ports.now();
    const waiting = this.#marks.filter(isWaiting);
    const ends = waiting.map(({ restsUntil }) => Math.max(this.#restsUntil, restsUntil));
    // What is only behind another one has no pause of its own.
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
    // Before it is sent: were this page gone then, the next one would know that the server may have heard it.
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
      // Who may not do it any more is refused without a word about what an earlier attempt has done.
      const state = mark.doubt === 'real' ? 'unsure' : 'refused';
      this.#change(mark.key, { state, underWay: false, problem: attempt.problem });
      this.#ports.gone(mark);
    }
  }

  /** One student who has left the class refuses all of them: each is said again without the others. */
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
    // Nothing where a person has given it up meanwhile, or another page has heard the answer.
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
