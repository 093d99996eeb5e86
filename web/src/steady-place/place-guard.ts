export interface Press<Thing> {
  /** The pointer's id; the click that follows has the same one. */
  readonly id: number;
  readonly x: number;
  readonly y: number;
  /** Milliseconds of a clock that never goes back. */
  readonly at: number;
  /**
   * Whether the operating system counts this press as part of a double click; null for a finger, which `PlaceGuard`
   * measures itself.
   */
  readonly again: boolean | null;
  /** The button, card or field under the press; otherwise the innermost element. */
  readonly thing: Thing;
}

interface Place<Thing> extends Press<Thing> {
  readonly seen: Thing | null;
  /** When `seen` appeared; null while it is the thing that was pressed. */
  readonly changedAt: number | null;
}

interface Move<Thing> {
  readonly within: (thing: Thing) => boolean;
  readonly at: number;
  /** True when a press moved them: a mouse user looks where the pointer is, a finger user may not. */
  readonly fingersOnly: boolean;
}

/** In pixels: a finger rarely hits the same point twice. */
const fingerWithin = 24;

/** Nobody aims at a thing that appeared less than this long ago, but a finger may tap on quickly. */
const settleMs = 1_000;

/** A person needs this long to see that something moved by itself, and to stop the hand. */
const startledMs = 350;

/** After this long, a pressed place is no longer watched. */
const watchedMs = 10_000;

/** On a busy phone a few presses arrive before the clicks of earlier presses do. */
const pressesKept = 8;

/**
 * Rejects presses on something that has only just moved under the finger. A press in the last place counts if the same
 * thing is still there. A new thing counts once it was there long enough to be seen.
 */
export class PlaceGuard<Thing> {
  readonly #thingAt: (x: number, y: number) => Thing | null;
  readonly #goTogether: (pressed: Thing, clicked: Thing) => boolean;
  #place: Place<Thing> | null = null;
  #moves: readonly Move<Thing>[] = [];
  /** By pointer id, oldest first. */
  readonly #presses = new Map<number, { readonly press: Press<Thing>; readonly isVoid: boolean }>();

  /**
   * @param thingAt returns what lies at a point of the screen now
   * @param goTogether whether a press on one thing may become a click on the other, such as a label and its field
   */
  constructor(
    thingAt: (x: number, y: number) => Thing | null,
    goTogether: (pressed: Thing, clicked: Thing) => boolean,
  ) {
    this.#thingAt = thingAt;
    this.#goTogether = goTogether;
  }

  isWatching(now: number): boolean {
    return this.#place !== null && now - this.#place.at < watchedMs;
  }

  /** Checks what lies at the place of the last press. Call it a few times a second. */
  look(now: number): void {
    const place = this.#place;
    if (!place) return;
    const seen = this.#thingAt(place.x, place.y);
    if (seen === place.seen) return;
    // Only the newest thing counts: a dialog follows its overlay.
    this.#place = { ...place, seen, changedAt: seen === place.thing ? null : now };
  }

  /** Records a press. @returns whether the press must do nothing */
  press(press: Press<Thing>): boolean {
    const isVoid = this.#isVoid(press);
    this.#presses.delete(press.id);
    this.#presses.set(press.id, { press, isVoid });
    const [oldest] = this.#presses.keys();
    if (this.#presses.size > pressesKept && oldest !== undefined) this.#presses.delete(oldest);
    return isVoid;
  }

  /**
   * Checks a click; the thing clicked may differ from the thing pressed.
   *
   * @param id the pointer's id; a click with an unknown id, as from a screen reader, is always allowed
   * @returns whether the click must do nothing
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

  /** Forgets the last place, because the finger began to scroll and its person looks at the page. */
  forget(): void {
    this.#place = null;
  }

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
        // A finger that taps on quickly has still not looked.
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
