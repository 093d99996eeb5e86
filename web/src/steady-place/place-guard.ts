/** One finger or mouse button that goes down. */
export interface Press<Thing> {
  readonly x: number;
  readonly y: number;
  /** Milliseconds that only ever rise. */
  readonly at: number;
  /**
   * Whether it goes on with a double click, as the machine takes it: by its own measure of time and distance. Null for
   * a finger, which is measured here.
   */
  readonly again: boolean | null;
  /** What lies there: a button, a card, a field; otherwise the innermost element. */
  readonly thing: Thing;
}

/** A place that was pressed, and what has become of it since. */
interface Place<Thing> extends Press<Thing> {
  /** When something else was first seen there; null while the same thing lies there. */
  readonly changedAt: number | null;
}

/** Pixels. Fingers come down beside where they came down before. */
const fingerWithin = 24;

/** So long nobody aims at what has just come to lie there; a finger may go on drumming. */
const settleMs = 1_000;

/** So long a person takes to see that something moved by itself, and to stop the hand. */
const startledMs = 350;

/** After that a place is no longer watched. */
const watchedMs = 10_000;

/**
 * Tells presses that are meant from those that hit what has only just come to lie under the finger. A press in the
 * place of the one before counts if the same thing still lies there, or if what lies there had time to be seen.
 */
export class PlaceGuard<Thing> {
  readonly #thingAt: (x: number, y: number) => Thing | null;
  #place: Place<Thing> | null = null;
  #moved: { readonly within: (thing: Thing) => boolean; readonly at: number } | null = null;

  /** @param thingAt what lies at a point of the screen now */
  constructor(thingAt: (x: number, y: number) => Thing | null) {
    this.#thingAt = thingAt;
  }

  /** Whether the place that was pressed last is worth looking at again. */
  isWatching(now: number): boolean {
    return this.#place !== null && this.#place.changedAt === null && now - this.#place.at < watchedMs;
  }

  /** Looks whether the same thing still lies where the last press was. To be asked a few times a second. */
  look(now: number): void {
    const place = this.#place;
    if (!place) return;
    const same = this.#thingAt(place.x, place.y) === place.thing;
    if (same !== (place.changedAt === null)) this.#place = { ...place, changedAt: same ? null : now };
  }

  /** @returns whether the press is to do nothing */
  press(press: Press<Thing>): boolean {
    const moved = this.#moved;
    if (moved && press.at - moved.at < startledMs && moved.within(press.thing)) return true;
    const place = this.#place;
    if (place && isInPlace(press, place)) {
      this.look(press.at);
      const { changedAt = null } = this.#place ?? {};
      if (changedAt !== null && press.at - Math.max(place.at, changedAt) < settleMs) {
        // A finger that goes on drumming has still not looked.
        this.#place = { ...place, at: press.at, changedAt };
        return true;
      }
    }
    this.#place = { ...press, changedAt: null };
    return false;
  }

  /** The page was scrolled by hand: who did that looks at it. */
  forget(): void {
    this.#place = null;
  }

  /** Things moved by themselves, not because of a press: a list was sorted anew. */
  moved(within: (thing: Thing) => boolean, at: number): void {
    this.#moved = { within, at };
  }
}

function isInPlace(press: Press<unknown>, before: Press<unknown>): boolean {
  if (press.again !== null) return press.again;
  const distance = Math.hypot(press.x - before.x, press.y - before.y);
  return press.at - before.at < watchedMs && distance <= fingerWithin;
}
