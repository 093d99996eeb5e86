import { unavailable } from './app-error.ts';
import { FairLine } from './fair-line.ts';

/** How much of the work runs and waits. */
export interface TurnBounds {
  /** Pieces of work that run at once. */
  readonly atOnce: number;
  /** Of one kind: fewer than of all, so that no kind keeps every place. */
  readonly atOncePerKind: number;
  /** Pieces of one kind that wait; those beyond it are refused. */
  readonly waitingPerKind: number;
}

/** The work of one kind. */
interface Share {
  running: number;
  readonly line: FairLine<Waiting>;
}

/** A piece of work that waits. */
interface Waiting {
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * Lets a bounded amount of work run at once and shares it out fairly: the kinds of work take turns, those of one kind
 * take turns, and so on, so that many pieces of one origin hold up the others by one piece and not by all. Whoever would
 * make a kind wait beyond its bound is refused, and in their place the newest of the origin that has most waiting.
 */
export class FairTurns<Kind extends string> {
  readonly #bounds: TurnBounds;
  /** In the order of their turns. */
  readonly #kinds: Map<Kind, Share>;
  #running = 0;

  constructor(kinds: readonly Kind[], bounds: TurnBounds) {
    this.#kinds = new Map(kinds.map((kind) => [kind, { running: 0, line: new FairLine<Waiting>() }]));
    this.#bounds = bounds;
  }

  /**
   * Runs a piece of work when its turn has come.
   *
   * @param origin whom it is for, from the widest to the narrowest, in as many steps as the others of its kind
   * @throws AppError unavailable: too much of this kind waits; the work has not begun
   */
  async run<T>(kind: Kind, origin: readonly string[], work: () => Promise<T>): Promise<T> {
    const share = this.#kinds.get(kind) as Share;
    // Where there is room, no one of this kind waits: whoever ends hands the place over.
    if (this.#hasRoom(share)) this.#begin(kind, share);
    else await this.#wait(share.line, origin);
    try {
      return await work();
    } finally {
      share.running--;
      this.#running--;
      this.#startNext();
    }
  }

  #wait(line: FairLine<Waiting>, origin: readonly string[]): Promise<void> {
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
    // The others come first the next time.
    this.#kinds.delete(kind);
    this.#kinds.set(kind, share);
  }

  #startNext(): void {
    for (const [kind, share] of this.#kinds) {
      if (share.line.length === 0 || !this.#hasRoom(share)) continue;
      const next = share.line.takeNext();
      this.#begin(kind, share);
      next?.start();
      return;
    }
  }
}
