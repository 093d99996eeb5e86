export interface Press<Thing> {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  /** In milliseconds, from a clock that never goes back. */
  readonly at: number;
  /** Whether the system counts this mouse press as part of a double click; null for a finger. */
  readonly isDoubleClick: boolean | null;
  readonly thing: Thing;
}

interface LastPress<Thing> extends Press<Thing> {
  readonly currentThing: Thing | null;
  /** When `currentThing` replaced the pressed thing; null while the pressed thing is still there. */
  readonly changedAt: number | null;
}

interface Move<Thing> {
  readonly contains: (thing: Thing) => boolean;
  readonly at: number;
  /** True when a tap moved the things. Only fingers are then blocked, because a mouse user watches the pointer. */
  readonly fingersOnly: boolean;
}

/** Presses of a finger within this distance count as the same place. */
const fingerTolerancePx = 24;

/** A press on a thing that replaced the pressed one is rejected for this long; the finger meant the old thing. */
const replacedMs = 1_000;

/** Time that a person needs to see that something moved, and to stop the hand. */
const reactionMs = 350;

/** How long the place of the last press is checked for new things. */
const watchedMs = 10_000;

/** On a busy phone, several presses may arrive before the click of the first. */
const storedPressesMax = 8;

/** Rejects presses on things that moved or appeared too recently for the person to have seen them. */
export class PressGuard<Thing> {
  readonly #thingAt: (x: number, y: number) => Thing | null;
  readonly #isSameControl: (pressed: Thing, clicked: Thing) => boolean;
  #lastPress: LastPress<Thing> | null = null;
  #moves: readonly Move<Thing>[] = [];
  /** Recent presses by pointer id, oldest first. */
  readonly #presses = new Map<number, { readonly press: Press<Thing>; readonly isRejected: boolean }>();

  /** @param isSameControl returns whether a press on one may become a click on the other, such as label and field */
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

  /** Notes which thing is now at the place of the last press. Call this several times a second. */
  check(now: number): void {
    const lastPress = this.#lastPress;
    if (!lastPress) return;
    const currentThing = this.#thingAt(lastPress.x, lastPress.y);
    if (currentThing === lastPress.currentThing) return;
    // Starts the time anew for each thing: a dialog's overlay appears first, then the dialog.
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

  /** Returns whether the click must do nothing. Allows clicks with an unknown id, such as from a screen reader. */
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

  /** Forgets the last press when the finger starts to scroll, because its user then watches the page. */
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
      if (changedAt !== null && press.at - Math.max(lastPress.at, changedAt) < replacedMs) {
        // Blocks for longer, because a finger that taps so quickly has not yet seen the new thing.
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
