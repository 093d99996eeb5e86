export interface Press<Thing> {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  /** Milliseconds of a clock that never goes back. */
  readonly at: number;
  /** Whether the system counts this press as part of a double click; null for a finger. */
  readonly isDoubleClick: boolean | null;
  readonly thing: Thing;
}

interface LastPress<Thing> extends Press<Thing> {
  readonly currentThing: Thing | null;
  /** When `currentThing` appeared; null while it is the thing that was pressed. */
  readonly changedAt: number | null;
}

interface Move<Thing> {
  readonly contains: (thing: Thing) => boolean;
  readonly at: number;
  /** True when a press moved them: a mouse user looks where the pointer is, a finger user may not. */
  readonly fingersOnly: boolean;
}

/** In pixels: a finger rarely hits the same point twice. */
const fingerTolerancePx = 24;

/** Nobody aims at a thing that appeared less than this long ago, but a finger may tap on quickly. */
const settleMs = 1_000;

/** A person needs this long to see that something moved by itself, and to stop the hand. */
const reactionMs = 350;

/** After this long, a pressed place is no longer watched. */
const watchedMs = 10_000;

/** On a busy phone a few presses arrive before the clicks of earlier presses do. */
const storedPressesMax = 8;

/** Rejects presses on things that just moved. A new thing counts once it was there long enough to be seen. */
export class PressGuard<Thing> {
  readonly #thingAt: (x: number, y: number) => Thing | null;
  readonly #isSameControl: (pressed: Thing, clicked: Thing) => boolean;
  #lastPress: LastPress<Thing> | null = null;
  #moves: readonly Move<Thing>[] = [];
  /** By pointer id, oldest first. */
  readonly #presses = new Map<number, { readonly press: Press<Thing>; readonly isRejected: boolean }>();

  /** @param isSameControl whether a press on one thing may become a click on the other, as on a label and its field */
  constructor(
    thingAt: (x: number, y: number) => Thing | null,
    isSameControl: (pressed: Thing, clicked: Thing) => boolean,
  ) {
    this.#thingAt = thingAt;
    this.#isSameControl = isSameControl;
  }

  isWatching(now: number): boolean {
    return this.#lastPress !== null && now - this.#lastPress.at < watchedMs;
  }

  /** Checks what lies at the place of the last press. Call it a few times a second. */
  check(now: number): void {
    const lastPress = this.#lastPress;
    if (!lastPress) return;
    const currentThing = this.#thingAt(lastPress.x, lastPress.y);
    if (currentThing === lastPress.currentThing) return;
    // Only the newest thing counts: a dialog follows its overlay.
    this.#lastPress = {
      ...lastPress,
      currentThing,
      changedAt: currentThing === lastPress.thing ? null : now,
    };
  }

  /** Records a press. @returns whether the press must do nothing */
  press(press: Press<Thing>): boolean {
    const isRejected = this.#isRejected(press);
    this.#presses.delete(press.id);
    this.#presses.set(press.id, { press, isRejected });
    const [oldest] = this.#presses.keys();
    if (this.#presses.size > storedPressesMax && oldest !== undefined) this.#presses.delete(oldest);
    return isRejected;
  }

  /** Returns whether the click must do nothing. A click with an unknown id, as from a screen reader, is allowed. */
  click(id: number, clicked: Thing, at: number): boolean {
    const known = this.#presses.get(id);
    if (!known) return false;
    const { press, isRejected } = known;
    return (
      isRejected ||
      !this.#isSameControl(press.thing, clicked) ||
      this.#hasJustMoved({ ...press, thing: clicked, at })
    );
  }

  /** Forgets the last place, because the finger began to scroll and its person looks at the page. */
  forget(): void {
    this.#lastPress = null;
  }

  recordMove(move: Move<Thing>): void {
    this.#moves = [...this.#moves.filter(({ at }) => move.at - at < reactionMs), move];
  }

  #isRejected(press: Press<Thing>): boolean {
    if (this.#hasJustMoved(press)) return true;
    const lastPress = this.#lastPress;
    if (lastPress && isSamePlace(press, lastPress)) {
      this.check(press.at);
      const { currentThing, changedAt } = this.#lastPress ?? lastPress;
      if (changedAt !== null && press.at - Math.max(lastPress.at, changedAt) < settleMs) {
        // A finger that taps on quickly has still not looked.
        this.#lastPress = { ...lastPress, at: press.at, currentThing, changedAt };
        return true;
      }
    }
    this.#lastPress = { ...press, currentThing: press.thing, changedAt: null };
    return false;
  }

  #hasJustMoved({ thing, at, isDoubleClick }: Press<Thing>): boolean {
    return this.#moves.some(
      (move) =>
        at - move.at < reactionMs && (isDoubleClick === null || !move.fingersOnly) && move.contains(thing),
    );
  }
}

function isSamePlace(press: Press<unknown>, before: Press<unknown>): boolean {
  if (press.isDoubleClick !== null) return press.isDoubleClick;
  const distance = Math.hypot(press.x - before.x, press.y - before.y);
  return press.at - before.at < watchedMs && distance <= fingerTolerancePx;
}
