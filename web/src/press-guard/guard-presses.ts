import { PressGuard } from './press-guard.ts';

const controlSelector =
  'a, button, input, label, select, summary, textarea, [contenteditable], [role], [tabindex]';

const checkIntervalMs = 100;

const guard = new PressGuard<Element>((x, y) => controlOf(document.elementFromPoint(x, y)), isSameControl);

/** Ignores presses on elements that have just moved under the finger. Never blocks keys or scrolling. */
export function guardPresses(): void {
  let last = { id: 0, byMouse: false };
  let isRejected = false;
  let checkTimer: ReturnType<typeof setInterval> | undefined;
  const checkPlace = () => {
    const now = performance.now();
    guard.check(now);
    if (!guard.isWatching(now)) clearInterval(checkTimer);
  };
  const press = ({ target, clientX: x, clientY: y }: MouseEvent, isDoubleClick: boolean | null) => {
    const thing = controlOf(target);
    if (!thing) return;
    isRejected = guard.press({ id: last.id, x, y, at: performance.now(), isDoubleClick, thing });
    clearInterval(checkTimer);
    checkTimer = setInterval(checkPlace, checkIntervalMs);
  };
  const onPointer = (event: PointerEvent) => {
    if (!event.isPrimary) return;
    last = { id: event.pointerId, byMouse: event.pointerType === 'mouse' };
    isRejected = false;
    if (!last.byMouse) press(event, null);
    if (isRejected) event.stopImmediatePropagation();
  };
  // Stops other listeners, but does not prevent the default, because the finger may be about to scroll.
  const onTouch = (event: TouchEvent) => {
    if (isRejected) event.stopImmediatePropagation();
  };
  const refuse = (event: MouseEvent) => {
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const onMouseDown = (event: MouseEvent) => {
    if (last.byMouse) press(event, event.detail > 1);
    if (isRejected) refuse(event);
  };
  const onClick = (event: MouseEvent) => {
    const clicked = controlOf(event.target);
    // Allows clicks by the keyboard, which have no press before them.
    if (!clicked || event.detail === 0) return;
    // In older browsers, a click carries no pointer id.
    const id = event instanceof PointerEvent ? event.pointerId : last.id;
    if (guard.click(id, clicked, performance.now())) refuse(event);
  };
  const captureOptions = { capture: true } as const;
  window.addEventListener('pointerdown', onPointer, captureOptions);
  window.addEventListener('touchstart', onTouch, { ...captureOptions, passive: true });
  window.addEventListener('mousedown', onMouseDown, captureOptions);
  window.addEventListener('click', onClick, captureOptions);
  window.addEventListener('dblclick', onClick, captureOptions);
  window.addEventListener('pointercancel', () => guard.forget(), captureOptions);
}

/** Announces that elements inside this one have just moved by themselves. */
export const announceMoved = (element: Element): void => recordMove(element, false);

/** Announces an element that a tap opened. Only fingers are blocked, because a mouse user watches the pointer. */
export const announceOpened = (element: Element): void => recordMove(element, true);

const recordMove = (element: Element, fingersOnly: boolean) =>
  guard.recordMove({ contains: (thing) => element.contains(thing), at: performance.now(), fingersOnly });

/** Returns whether both elements belong to one control, or are a label and its field. */
function isSameControl(pressed: Element, clicked: Element): boolean {
  const label = pressed.closest('label');
  return (
    pressed.contains(clicked) || clicked.contains(pressed) || (label !== null && label.control === clicked)
  );
}

function controlOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? (target.closest(controlSelector) ?? target) : null;
}
