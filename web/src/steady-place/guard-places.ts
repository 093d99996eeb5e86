import { PlaceGuard } from './place-guard.ts';

/** What is pressed as a whole, whichever part of it lies under the finger. */
const whole = 'a, button, input, label, select, summary, textarea, [contenteditable], [role], [tabindex]';

const movedEvent = 'classledger:moved';
const lookMs = 100;

/**
 * What appears or vanishes under a finger never takes its next tap: on every page, for sheets, dialogs, menus, rows
 * that go and lists that are sorted anew alike. A press that hits what has only just come to lie there does nothing.
 * Presses elsewhere, the keyboard and screen readers are not concerned; scrolling goes on as ever.
 */
export function guardPlaces(): void {
  const guard = new PlaceGuard<Element>((x, y) => wholeOf(document.elementFromPoint(x, y)));
  let swallows = false;
  let byMouse = false;
  let looking: ReturnType<typeof setInterval> | undefined;
  const look = () => {
    const now = performance.now();
    guard.look(now);
    if (!guard.isWatching(now)) clearInterval(looking);
  };
  const press = ({ target, clientX: x, clientY: y }: MouseEvent, again: boolean | null) => {
    const thing = wholeOf(target);
    if (!thing) return;
    swallows = guard.press({ x, y, at: performance.now(), again, thing });
    clearInterval(looking);
    looking = setInterval(look, lookMs);
  };
  const onPointer = (event: PointerEvent) => {
    if (!event.isPrimary) return;
    byMouse = event.pointerType === 'mouse';
    swallows = false;
    if (!byMouse) press(event, null);
    if (swallows) event.stopImmediatePropagation();
  };
  // Not prevented by default: the finger may be about to scroll.
  const onTouch = (event: TouchEvent) => {
    if (swallows) event.stopImmediatePropagation();
  };
  const onMouse = (event: MouseEvent) => {
    if (event.type === 'mousedown' && byMouse) press(event, event.detail > 1);
    // The keyboard clicks, too, without a press.
    if (!swallows || event.detail === 0) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const early = { capture: true } as const;
  window.addEventListener('pointerdown', onPointer, early);
  window.addEventListener('touchstart', onTouch, { ...early, passive: true });
  for (const kind of ['mousedown', 'click', 'dblclick'] as const) {
    window.addEventListener(kind, onMouse, early);
  }
  window.addEventListener('pointercancel', () => guard.forget(), early);
  window.addEventListener(movedEvent, ({ target }) => {
    if (target instanceof Element) guard.moved((thing) => target.contains(thing), performance.now());
  });
}

/** Says that things inside an element have just changed places by themselves. */
export function sayMoved(element: Element): void {
  element.dispatchEvent(new CustomEvent(movedEvent, { bubbles: true }));
}

function wholeOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? (target.closest(whole) ?? target) : null;
}
