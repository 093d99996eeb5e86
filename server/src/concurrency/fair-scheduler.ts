import { unavailable } from '../errors/app-error.ts';
import { FairQueue } from './fair-queue.ts';

export interface SchedulerLimits {
  readonly atOnce: number;
  /** Lower than `atOnce`, so that no kind takes every place. */
  readonly atOncePerKind: number;
  /** When more pieces of a kind wait, one is rejected. */
  readonly waitingPerKind: number;
}

interface Share {
  running: number;
  readonly queue: FairQueue<Waiting>;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

/** Limits work. Kinds alternate, and origins within a kind. A full queue rejects its busiest origin's newest entry. */
export class FairScheduler<Kind extends string> {
  readonly #bounds: SchedulerLimits;
  readonly #kinds: Map<Kind, Share>;
  #running = 0;

  constructor(kinds: readonly Kind[], bounds: SchedulerLimits) {
    this.#kinds = new Map(kinds.map((kind) => [kind, { running: 0, queue: new FairQueue<Waiting>() }]));
    this.#bounds = bounds;
  }

  /** @param origin widest first, same depth for a kind @throws AppError unavailable when the queue is full */
  async run<T>(kind: Kind, origin: readonly string[], work: () => Promise<T>): Promise<T> {
    const share = this.#kinds.get(kind) as Share;
    // A free place means that none of this kind waits: work that ends starts the next.
    if (this.#hasRoom(share)) this.#begin(kind, share);
    else await this.#wait(share.queue, origin);
    try {
      return await work();
    } finally {
      share.running--;
      this.#running--;
      this.#startNext();
    }
  }

  #wait(line: FairQueue<Waiting>, origin: readonly string[]): Promise<void> {
    return new Promise<void>((start, refuse) => {
      line.add(origin, { start, refuse });
      if (line.length > this.#bounds.waitingPerKind) line.takeNewest()?.refuse(unavailable());
    });
  }

  #hasRoom({ running }: Share): boolean {
    return this.#running < this.#bounds.atOnce && running < this.#bounds.atOncePerKind;
  }

  #begin(kind: Kind, share: Share): void {
    share.running++;
    this.#running++;
    this.#kinds.delete(kind);
    this.#kinds.set(kind, share);
  }

  #startNext(): void {
    for (const [kind, share] of this.#kinds) {
      if (share.queue.length === 0 || !this.#hasRoom(share)) continue;
      const next = share.queue.takeNext();
      this.#begin(kind, share);
      next?.start();
      return;
    }
  }
}
