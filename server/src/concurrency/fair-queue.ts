import { unavailable } from '../errors/app-error.ts';
import { RoundRobin } from './round-robin.ts';

export interface FairQueueRules {
  /** Pieces of work that run at once. */
  readonly concurrency: number;
  /** Pieces of one key that run at once, apart from urgent ones. Unlimited by default. */
  readonly perKey?: number;
  /** Places that only urgent work takes. */
  readonly reservedForUrgent?: number;
  /** Pieces of one key that wait at once; urgent ones are counted apart. Unlimited by default. */
  readonly waitingPerKey?: number;
  /** Unlimited by default. */
  readonly waitMs?: number;
  /** Which piece to refuse when too many of a key wait: the new one, or the newest of the busiest origin. */
  readonly whenFull?: 'refuse newcomer' | 'refuse newest of busiest';
  /** Returns the error for refused work: too much waits, or no place was free in time. */
  readonly refusal?: (why: QueueRefusal) => Error;
}

export type QueueRefusal = 'full' | 'late';

/** The key, such as a school, then narrower origins, such as a caller. The key `''` has no limit `perKey`. */
export type QueueOrigin = readonly [key: string, ...narrower: string[]];

/** Frees a place. The owner calls it once. */
export type Release = () => void;

interface Waiting {
  readonly admit: () => void;
  readonly refuse: (why: QueueRefusal) => void;
}

/** Limits work that runs at once. Serves keys, and the narrower origins of a key, in rotation. Urgent work goes first. */
export class FairQueue {
  readonly #rules: Required<FairQueueRules>;
  readonly #urgent = new RoundRobin<Waiting>();
  readonly #normal = new RoundRobin<Waiting>();
  readonly #runningByKey = new Map<string, number>();
  #running = 0;
  #runningNormal = 0;

  constructor(rules: FairQueueRules) {
    this.#rules = {
      perKey: Number.POSITIVE_INFINITY,
      reservedForUrgent: 0,
      waitingPerKey: Number.POSITIVE_INFINITY,
      waitMs: Number.POSITIVE_INFINITY,
      whenFull: 'refuse newcomer',
      refusal: () => unavailable(),
      ...rules,
    };
  }

  get waiting(): number {
    return this.#urgent.length + this.#normal.length;
  }

  /** Runs work when a place is free. @throws the error of the work, or the refusal */
  async run<T>(origin: QueueOrigin, work: () => Promise<T>, { urgent = false } = {}): Promise<T> {
    const release = this.tryAcquire(origin, urgent) ?? (await this.acquire(origin, urgent));
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Takes a free place, or returns null. Overtakes no waiting work, because `release` admits that work at once. */
  tryAcquire([key]: QueueOrigin, urgent: boolean): Release | null {
    if (!this.#hasRoom(key, urgent)) return null;
    this.#occupy(key, urgent);
    return () => this.#release(key, urgent);
  }

  /** Waits for a place. @throws the refusal */
  async acquire(origin: QueueOrigin, urgent: boolean): Promise<Release> {
    return this.tryAcquire(origin, urgent) ?? this.#wait(origin, urgent);
  }

  #hasRoom(key: string, urgent: boolean): boolean {
    const { concurrency, reservedForUrgent, perKey } = this.#rules;
    if (this.#running >= concurrency) return false;
    if (urgent) return true;
    if (this.#runningNormal >= concurrency - reservedForUrgent) return false;
    return key === '' || (this.#runningByKey.get(key) ?? 0) < perKey;
  }

  #occupy(key: string, urgent: boolean): void {
    this.#running++;
    if (urgent) return;
    this.#runningNormal++;
    this.#runningByKey.set(key, (this.#runningByKey.get(key) ?? 0) + 1);
  }

  #release(key: string, urgent: boolean): void {
    this.#running--;
    if (!urgent) {
      this.#runningNormal--;
      const left = (this.#runningByKey.get(key) ?? 1) - 1;
      // Keeps a few keys with 0, because a map that becomes empty again and again is slow.
      if (left > 0 || this.#runningByKey.size <= this.#rules.concurrency) this.#runningByKey.set(key, left);
      else this.#runningByKey.delete(key);
    }
    for (let next = this.#takeNext(); next; next = this.#takeNext()) next.admit();
  }

  #takeNext(): Waiting | null {
    return (
      this.#urgent.takeNext((key) => this.#hasRoom(key, true)) ??
      this.#normal.takeNext((key) => this.#hasRoom(key, false))
    );
  }

  #wait(origin: QueueOrigin, urgent: boolean): Promise<Release> {
    const [key] = origin;
    const queue = urgent ? this.#urgent : this.#normal;
    const { waitingPerKey, waitMs, whenFull, refusal } = this.#rules;
    return new Promise<Release>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const entry: Waiting = {
        admit: () => {
          clearTimeout(timer);
          this.#occupy(key, urgent);
          resolve(() => this.#release(key, urgent));
        },
        refuse: (why) => {
          clearTimeout(timer);
          reject(refusal(why));
        },
      };
      const isFull = queue.lengthOf(key) >= waitingPerKey;
      if (isFull && whenFull === 'refuse newcomer') return entry.refuse('full');
      queue.add(origin, entry);
      if (waitMs !== Number.POSITIVE_INFINITY) {
        timer = setTimeout(() => {
          queue.remove(origin, entry);
          entry.refuse('late');
        }, waitMs).unref();
      }
      if (isFull) queue.takeNewestOf(key)?.refuse('full');
    });
  }
}
