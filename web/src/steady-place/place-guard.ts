/** One finger or mouse button that goes down. */
export interface Press<Thing> {
  /** Of the pointer; the click that follows has the same. */
  readonly id: number;
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
  /** What was last seen there. */
  readonly seen: Thing | null;
  /** When that came; null while what was pressed still lies there, or lies there again. */
  readonly changedAt: number | null;
}

/** Things that changed places at one time. */
interface Move<Thing> {
  readonly within: (thing: Thing) => boolean;
  readonly at: number;
  /** They did so because someone pressed something, and a mouse goes on where its person looks. */
  readonly fingersOnly: boolean;
}

/** Pixels. Fingers come down beside where they came down before. */
const fingerWithin = 24;

/** So long no one aims at what has just come to lie there; a finger may go on drumming. */
const settleMs = 1_000;

/** So long a person takes to see that something moved by itself, and to stop the hand. */
const startledMs = 350;

/** After that a place is no longer watched. */
const watchedMs = 10_000;

/** On a busy phone a finger comes down before the clicks of those before it have arrived, but not many. */
const pressesKept = 8;

/**
 * Tells presses that are meant from those that hit what has only just come to lie under the finger. A press in the
 * place of the one before counts if the same thing still lies there, or if what lies there had time to be seen.
 */
export class PlaceGuard<Thing> {
  readonly #thingAt: (x: number, y: number) => Thing | null;
  readonly #goTogether: (pressed: Thing, clicked: Thing) => boolean;
  #place: Place<Thing> | null = null;
  #moves: readonly Move<Thing>[] = [];
  /** The latest presses, and whether they are to do nothing, by the id of the pointer. */
  readonly #presses = new Map<number, { readonly press: Press<Thing>; readonly isVoid: boolean }>();

  /**
   * @param thingAt what lies at a point of the screen now
   * @param goTogether whether a press on the one may become a click on the other, as of a label and its field
   */
  constructor(
    thingAt: (x: number, y: number) => Thing | null,
    goTogether: (pressed: Thing, clicked: Thing) => boolean,
  ) {
    this.#thingAt = thingAt;
    this.#goTogether = goTogether;
  }

  /** Whether the place that was pressed last is worth looking at again. */
  isWatching(now: number): boolean {
    return this.#place !== null && now - this.#place.at < watchedMs;
  }

  /** Looks what lies where the last press was. To be asked a few times a second. */
  look(now: number): void {
    const place = this.#place;
    if (!place) return;
    const seen = this.#thingAt(place.x, place.y);
    if (seen === place.seen) return;
    // Whatever came last counts: behind the shade of a dialog comes the dialog.
    this.#place = { ...place, seen, changedAt: seen === place.thing ? null : now };
  }

  /** @returns whether the press is to do nothing */
  press(press: Press<Thing>): boolean {
    const isVoid = this.#isVoid(press);
    this.#presses.delete(press.id);
    this.#presses.set(press.id, { press, isVoid });
    const [oldest] = this.#presses.keys();
    if (this.#presses.size > pressesKept && oldest !== undefined) this.#presses.delete(oldest);
    return isVoid;
  }

  /**
   * The click that a press has become, which may be one on something else by now.
   *
   * @param id of the pointer; one that is not known, as of a screen reader, has pressed nothing
   * @returns whether the click is to do nothing
   */
  click(id: number, clicked: Thing, at: number): boolean {
    const known = this.#presses.get(id);
    if (!known) return false;
    const { press, isVoid } = known;
    return (
      isVoid ||
      !this.#goTogether(press.thing, clicked) ||
      this.#hasJustMoved({ ...press, thing: clicked, at })
    );
  }

  /** The finger began to scroll: who does that looks at the page. */
  forget(): void {
    this.#place = null;
  }

  /** Things have just changed places, other than by sight of who presses. */
  moved(move: Move<Thing>): void {
    this.#moves = [...this.#moves.filter(({ at }) => move.at - at < startledMs), move];
  }

  #isVoid(press: Press<Thing>): boolean {
    if (this.#hasJustMoved(press)) return true;
    const place = this.#place;
    if (place && isInPlace(press, place)) {
      this.look(press.at);
      const { seen, changedAt } = this.#place ?? place;
      if (changedAt !== null && press.at - Math.max(place.at, changedAt) < settleMs) {
        // A finger that goes on drumming has still not looked.
        this.#place = { ...place, at: press.at, seen, changedAt };
        return true;
      }
    }
    this.#place = { ...press, seen: press.thing, changedAt: null };
    return false;
  }

  #hasJustMoved({ thing, at, again }: Press<Thing>): boolean {
    return this.#moves.some(
      (move) => at - move.at < startledMs && (again === null || !move.fingersOnly) && move.within(thing),
    );
  }
}

function isInPlace(press: Press<unknown>, before: Press<unknown>): boolean {
  if (press.again !== null) return press.again;
  const distance = Math.hypot(press.x - before.x, press.y - before.y);
  return press.at - before.at < watchedMs && distance <= fingerWithin;
}
