import { PlaceGuard } from './place-guard.ts';

/** Elements that are pressed as a whole, at any of their parts. */
const whole = 'a, button, input, label, select, summary, textarea, [contenteditable], [role], [tabindex]';

const movedEvent = 'classledger:moved';
const openedEvent = 'classledger:opened';
const lookMs = 100;

/**
 * Keeps a tap from hitting something that has just appeared or moved under the finger, on all pages: sheets, dialogs,
 * menus, removed rows, sorted lists. Such a press does nothing. Other presses, the keyboard, screen readers and
 * scrolling are not affected.
 */
export function guardPlaces(): void {
  const guard = new PlaceGuard<Element>((x, y) => wholeOf(document.elementFromPoint(x, y)), goTogether);
  let last = { id: 0, byMouse: false };
  let swallows = false;
  let looking: ReturnType<typeof setInterval> | undefined;
  const look = () => {
    const now = performance.now();
    guard.look(now);
    if (!guard.isWatching(now)) clearInterval(looking);
  };
  const press = ({ target, clientX: x, clientY: y }: MouseEvent, again: boolean | null) => {
    const thing = wholeOf(target);
    if (!thing) return;
    swallows = guard.press({ id: last.id, x, y, at: performance.now(), again, thing });
    clearInterval(looking);
    looking = setInterval(look, lookMs);
  };
  const onPointer = (event: PointerEvent) => {
    if (!event.isPrimary) return;
    last = { id: event.pointerId, byMouse: event.pointerType === 'mouse' };
    swallows = false;
    if (!last.byMouse) press(event, null);
    if (swallows) event.stopImmediatePropagation();
  };
  // Does not prevent the default: the finger may be about to scroll.
  const onTouch = (event: TouchEvent) => {
    if (swallows) event.stopImmediatePropagation();
  };
  const refuse = (event: MouseEvent) => {
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const onMouseDown = (event: MouseEvent) => {
    if (last.byMouse) press(event, event.detail > 1);
    if (swallows) refuse(event);
  };
  const onClick = (event: MouseEvent) => {
    const clicked = wholeOf(event.target);
    // The keyboard also clicks, without a press.
    if (!clicked || event.detail === 0) return;
    // Older browsers send no pointer id with a click.
    const id = event instanceof PointerEvent ? event.pointerId : last.id;
    if (guard.click(id, clicked, performance.now())) refuse(event);
  };
  const early = { capture: true } as const;
  window.addEventListener('pointerdown', onPointer, early);
  window.addEventListener('touchstart', onTouch, { ...early, passive: true });
  window.addEventListener('mousedown', onMouseDown, early);
  window.addEventListener('click', onClick, early);
  window.addEventListener('dblclick', onClick, early);
  window.addEventListener('pointercancel', () => guard.forget(), early);
  for (const [kind, fingersOnly] of [
    [movedEvent, false],
    [openedEvent, true],
  ] as const) {
    window.addEventListener(kind, ({ target }) => {
      if (!(target instanceof Element)) return;
      guard.moved({ within: (thing) => target.contains(thing), at: performance.now(), fingersOnly });
    });
  }
}

/** Announces that things inside an element have just moved by themselves. */
export function sayMoved(element: Element): void {
  element.dispatchEvent(new CustomEvent(movedEvent, { bubbles: true }));
}

/**
 * Announces that an element appeared or moved because someone pressed something elsewhere. A finger may be on its way
 * to the old place; a mouse user looks at the pointer.
 */
export function sayOpened(element: Element): void {
  element.dispatchEvent(new CustomEvent(openedEvent, { bubbles: true }));
}

/** True for parts of one thing, and for a label and its field. */
function goTogether(pressed: Element, clicked: Element): boolean {
  const label = pressed.closest('label');
  return (
    pressed.contains(clicked) || clicked.contains(pressed) || (label !== null && label.control === clicked)
  );
}

function wholeOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? (target.closest(whole) ?? target) : null;
}
