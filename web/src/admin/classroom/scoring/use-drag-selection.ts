import { type RefObject, useEffect, useRef } from 'react';
import { announceOpened } from '../../../press-guard/guard-presses.ts';
import {
  type Box,
  boxBetween,
  edgeScrollSpeed,
  idsOverlapping,
  moveBox,
  type PlacedBox,
  type Point,
} from '../geometry.ts';
import type { ScoringBoard } from './scoring-board.ts';

const dragThresholdPx = 6;
const holdMs = 320;

/** A drag. Its boxes and start are in document coordinates, because the page may scroll. */
interface Drag {
  readonly pointerId: number;
  readonly from: Point;
  at: Point;
  drawnAt: number;
  readonly base: readonly number[];
  holdTimer: ReturnType<typeof setTimeout> | undefined;
  placed: readonly PlacedBox[] | null;
}

/** Selects cards by dragging; a finger must first hold still. @returns a function: whether a drag has just ended */
export function useDragSelection(
  area: RefObject<HTMLElement | null>,
  rectangle: RefObject<HTMLElement | null>,
  board: ScoringBoard,
): () => boolean {
  const justDragged = useRef(false);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    let drag: Drag | null = null;
    let scrolling = 0;

    const begin = (now: Drag) => {
      const by = scrollOffset();
      now.placed = cardsIn(element).map((card) => ({
        id: Number(card.dataset.student),
        box: moveBox(card.getBoundingClientRect(), by),
      }));
      // Keeps the bottom panel from opening under the finger.
      document.body.toggleAttribute('data-drag-selecting', true);
      draw(now);
      scrolling = requestAnimationFrame(scrollAtEdge);
    };
    const draw = (now: Drag) => {
      const { x, y } = scrollOffset();
      now.drawnAt = y;
      const box = boxBetween(now.from, toDocumentPoint(now.at));
      showRectangle(rectangle.current, moveBox(box, { x: -x, y: -y }));
      const present = new Set(board.present);
      const touched = idsOverlapping(box, now.placed ?? []).filter((id) => present.has(id));
      const ids = [...new Set([...now.base, ...touched])];
      if (ids.join() !== board.selection.ids.join() || board.selection.isUsed) board.select(ids);
    };
    const scrollAtEdge = () => {
      if (!drag?.placed) return;
      // Does not scroll before the finger moves, because it may rest near the edge.
      if (isDrag(drag)) window.scrollBy(0, edgeScrollSpeed(drag.at.y, 0, window.innerHeight));
      if (scrollOffset().y !== drag.drawnAt) draw(drag);
      scrolling = requestAnimationFrame(scrollAtEdge);
    };
    const stop = () => {
      clearTimeout(drag?.holdTimer);
      cancelAnimationFrame(scrolling);
      document.body.toggleAttribute('data-drag-selecting', false);
    };
    const end = () => {
      stop();
      if (drag?.placed) {
        justDragged.current = true;
        announceOpened(document.body);
        // A click later than 50 ms does not belong to this drag.
        setTimeout(() => {
          justDragged.current = false;
        }, 50);
      }
      drag = null;
      showRectangle(rectangle.current, null);
    };
    const onDown = (event: PointerEvent) => {
      if (!event.isPrimary || event.button !== 0) return;
      justDragged.current = false;
      const adds = (event.shiftKey || event.ctrlKey || event.metaKey) && !board.selection.isUsed;
      const started: Drag = {
        pointerId: event.pointerId,
        from: toDocumentPoint(event),
        at: { x: event.x, y: event.y },
        drawnAt: 0,
        base: adds ? board.selection.ids : [],
        holdTimer: undefined,
        placed: null,
      };
      if (event.pointerType !== 'mouse') started.holdTimer = setTimeout(() => begin(started), holdMs);
      drag = started;
    };
    const onMove = (event: PointerEvent) => {
      if (drag?.pointerId !== event.pointerId) return;
      drag.at = { x: event.x, y: event.y };
      if (!drag.placed) {
        if (!isDrag(drag)) return;
        if (drag.holdTimer !== undefined) {
          clearTimeout(drag.holdTimer);
          drag = null;
          return;
        }
        begin(drag);
      }
      draw(drag);
    };
    // Keeps a dragging finger from scrolling the page, and a resting one from opening the context menu.
    const onTouchMove = (event: TouchEvent) => {
      if (drag?.placed && event.cancelable) event.preventDefault();
    };
    const onMenu = (event: Event) => {
      if (drag?.holdTimer !== undefined) event.preventDefault();
    };

    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener('pointerdown', onDown, { signal });
    element.addEventListener('touchmove', onTouchMove, { passive: false, signal });
    element.addEventListener('contextmenu', onMenu, { signal });
    window.addEventListener('pointermove', onMove, { signal });
    window.addEventListener('pointerup', end, { signal });
    window.addEventListener('pointercancel', end, { signal });
    return () => {
      listening.abort();
      stop();
    };
  }, [area, rectangle, board]);
  return () => justDragged.current;
}

export const cardsIn = (area: HTMLElement) => [...area.querySelectorAll<HTMLElement>('[data-student]')];

const scrollOffset = (): Point => ({ x: window.scrollX, y: window.scrollY });
const toDocumentPoint = ({ x, y }: Point): Point => ({ x: x + window.scrollX, y: y + window.scrollY });

function isDrag({ from, at }: Drag): boolean {
  const now = toDocumentPoint(at);
  return Math.hypot(now.x - from.x, now.y - from.y) >= dragThresholdPx;
}

function showRectangle(element: HTMLElement | null, box: Box | null): void {
  if (!element) return;
  element.hidden = !box;
  if (!box) return;
  element.style.left = `${box.left}px`;
  element.style.top = `${box.top}px`;
  element.style.width = `${box.right - box.left}px`;
  element.style.height = `${box.bottom - box.top}px`;
}
