import type { InputOf } from '../../api/operation-types.ts';
import { type Attempt, backoffMs } from '../taps/attempt.ts';

interface MarkOf<I extends 'markAttendance' | 'markPicks'> {
  /** Idempotency key: however often the mark is sent, it counts once. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly operation: I;
  readonly body: InputOf<I>['body'] & { readonly day: string };
}

/** What was said of students of a class on a day: who was not there, or who was picked. */
export type Mark = MarkOf<'markAttendance'> | MarkOf<'markPicks'>;

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** What the queue needs from the world. */
export interface MarkPorts {
  readonly adminId: number;
  readonly place: Place;
  readonly send: (mark: Mark) => Promise<Attempt<unknown>>;
  /** Told before a mark leaves the queue, for nothing to be shown without it. */
  readonly done: (mark: Mark, answer: unknown) => void;
  readonly refused: (mark: Mark) => void;
  /** Lets one page of this browser send at a time. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
  readonly newKey: () => string;
}

/** Under what the marks of all administrators stand in the storage. */
export const marksPrefix = 'classledger.mark.';

/**
 * The marks of one person that the server has not heard yet, as all pages of this browser know them: they outlive a reload, and are
 * sent in their order, each under a key, until the server has answered.
 */
export class MarkQueue {
  readonly #ports: MarkPorts;
  readonly #prefix: string;
  readonly #listeners = new Set<() => void>();
  /** Those for which the storage had no room: only a reload forgets them. */
  readonly #homeless = new Map<string, Mark>();
  #marks: readonly Mark[] = [];
  #isSending = false;
  #failures = 0;
  #wait = {};

  constructor(ports: MarkPorts) {
    this.#ports = ports;
    this.#prefix = `${marksPrefix}${ports.adminId}.`;
    this.look();
  }

  /** The oldest first; the same array as long as nothing changes. */
  get marks(): readonly Mark[] {
    return this.#marks;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Keeps what is said now; shows in `marks` before it returns. */
  add(said: Pick<Mark, 'operation' | 'body'>): void {
    const { now, newKey, place } = this.#ports;
    // Behind those that are there, also where the clock was set back.
    const at = Math.max(now(), (this.#marks.at(-1)?.at ?? 0) + 1);
    const mark = { ...said, key: newKey(), at } as Mark;
    try {
      place.setItem(this.#prefix + mark.key, JSON.stringify(mark));
    } catch {
      this.#homeless.set(mark.key, mark);
    }
    this.#read();
    void this.#send();
  }

  /** Sees what other pages have said, and sends what there is to send. */
  look(): void {
    this.#wait = {};
    this.#read();
    void this.#send();
  }

  async #send(): Promise<void> {
    if (this.#isSending || this.#marks.length === 0) return;
    this.#isSending = true;
    let delayMs: number | null = null;
    try {
      await this.#ports.alone(async () => {
        delayMs = await this.#sendAll();
      });
    } finally {
      this.#isSending = false;
    }
    if (delayMs === null) {
      // One may have come while the last one was on its way.
      if (this.#marks.length > 0) void this.#send();
      return;
    }
    const wait = {};
    this.#wait = wait;
    this.#ports.later(() => {
      if (this.#wait === wait) this.look();
    }, delayMs);
  }

  /** @returns after how long what is left may be tried again; null where nothing is */
  async #sendAll(): Promise<number | null> {
    const { send, done, refused } = this.#ports;
    // The marks of a class keep their order; the server may fail at those of one, and take those of another.
    const resting = new Set<number>();
    let delayMs: number | null = null;
    for (;;) {
      this.#read();
      const mark = this.#marks.find(({ body }) => !resting.has(body.classId));
      if (!mark) return delayMs;
      const attempt = await send(mark);
      if (attempt.outcome === 'unknown') {
        delayMs = Math.max(delayMs ?? 0, attempt.retryAfterMs ?? backoffMs(this.#failures++));
        if (!attempt.ofTap) return delayMs;
        resting.add(mark.body.classId);
        continue;
      }
      this.#failures = 0;
      if (attempt.outcome === 'answered') done(mark, attempt.answer);
      this.#remove(mark);
      if (attempt.outcome === 'refused') refused(mark);
    }
  }

  #remove({ key }: Mark): void {
    this.#ports.place.removeItem(this.#prefix + key);
    this.#homeless.delete(key);
    this.#read();
  }

  #read(): void {
    const { place } = this.#ports;
    const names = Array.from({ length: place.length }, (_, index) => place.key(index) ?? '');
    const stored = names
      .filter((name) => name.startsWith(this.#prefix))
      .flatMap((name) => parsed(place.getItem(name)) ?? []);
    const marks = [...stored, ...this.#homeless.values()].sort(
      (one, other) => one.at - other.at || one.key.localeCompare(other.key),
    );
    const isSame =
      marks.length === this.#marks.length && marks.every(({ key }, at) => key === this.#marks[at]?.key);
    if (isSame) return;
    this.#marks = marks;
    for (const listener of this.#listeners) listener();
  }
}

function parsed(text: string | null): Mark | null {
  try {
    const mark: Mark | null = JSON.parse(text ?? 'null');
    return mark && typeof mark.key === 'string' && typeof mark.body.classId === 'number' ? mark : null;
  } catch {
    return null;
  }
}
