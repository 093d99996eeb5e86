import type { Seat } from '@classledger/contract';

export type Point = Pick<DOMPointReadOnly, 'x' | 'y'>;
export type Box = Pick<DOMRectReadOnly, 'left' | 'top' | 'right' | 'bottom'>;

export interface PlacedBox {
  readonly id: number;
  readonly box: Box;
}

export function boxBetween(a: Point, b: Point): Box {
  return {
    left: Math.min(a.x, b.x),
    top: Math.min(a.y, b.y),
    right: Math.max(a.x, b.x),
    bottom: Math.max(a.y, b.y),
  };
}

export function moveBox({ left, top, right, bottom }: Box, by: Point): Box {
  return { left: left + by.x, top: top + by.y, right: right + by.x, bottom: bottom + by.y };
}

/** Within this distance from the top or bottom edge, dragging scrolls the page. */
const edgeWidthPx = 56;
const scrollSpeedMax = 16;

/** Returns the scroll speed in pixels per frame: faster near the edge, negative upwards. */
export function edgeScrollSpeed(at: number, start: number, end: number): number {
  const depth = Math.max(start + edgeWidthPx - at, 0) - Math.max(at - (end - edgeWidthPx), 0);
  return -Math.round(Math.max(-1, Math.min(1, depth / edgeWidthPx)) * scrollSpeedMax) || 0;
}

export function idsOverlapping(box: Box, placed: readonly PlacedBox[]): readonly number[] {
  return placed
    .filter(
      ({ box: other }) =>
        other.left < box.right && other.right > box.left && other.top < box.bottom && other.bottom > box.top,
    )
    .map(({ id }) => id);
}

const arrowKeys = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const;
type Direction = (typeof arrowKeys)[keyof typeof arrowKeys];

export function focusNearest(
  event: Pick<KeyboardEvent, 'key' | 'preventDefault'>,
  elements: readonly HTMLElement[],
  from: EventTarget,
): void {
  const direction = (arrowKeys as Readonly<Record<string, Direction>>)[event.key];
  if (!direction) return;
  event.preventDefault();
  const placed = elements.map((element, id) => ({ id, box: element.getBoundingClientRect() }));
  const next = nearestInDirection(placed, elements.indexOf(from as HTMLElement), direction);
  if (next !== null) elements[next]?.focus();
}

/** Returns the nearest element in a direction. Counts sideways distance three times. */
export function nearestInDirection(
  placed: readonly PlacedBox[],
  from: number,
  direction: Direction,
): number | null {
  const start = placed.find(({ id }) => id === from);
  if (!start) return placed[0]?.id ?? null;
  const origin = centre(start.box);
  let nearest: { id: number; distance: number } | null = null;
  for (const { id, box } of placed) {
    const there = centre(box);
    const isHorizontal = direction === 'left' || direction === 'right';
    const offset = isHorizontal ? there.x - origin.x : there.y - origin.y;
    const sideways = Math.abs(isHorizontal ? there.y - origin.y : there.x - origin.x);
    const forward = direction === 'left' || direction === 'up' ? -offset : offset;
    if (forward < 1) continue;
    const distance = forward + sideways * 3;
    // Positions may differ by fractions of a pixel; then the first element wins.
    if (!nearest || distance < nearest.distance - 1) nearest = { id, distance };
  }
  return nearest?.id ?? null;
}

function centre({ left, top, right, bottom }: Box): Point {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

const columnsMax = 8;

/** With fewer rows, the cards of a small class would fill the whole height of the screen. */
const rowsMin = 4;

export function cardGridSize(count: number): { readonly rows: number; readonly columns: number } {
  const rows = Math.max(rowsMin, Math.ceil(count / columnsMax));
  return { rows, columns: Math.max(1, Math.ceil(count / rows)) };
}

export const hanPattern = /\p{Script=Han}/u;

/** Returns how many letters a line needs to fit a name in two lines: its longest word, or half a Chinese name. */
export function lettersPerLine(name: string): number {
  const letters = [...name].length;
  if (hanPattern.test(name)) return Math.max(Math.min(4, letters), Math.ceil(letters / 2));
  return Math.max(...name.split(/[\s·-]+/).map((word) => [...word].length));
}

export interface SeatGroup {
  readonly index: number;
  readonly rows: number;
  readonly cols: number;
  readonly seats: readonly Seat[];
}

/** Groups the seats. Sorts groups from the left, and seats within a group from the front. */
export function seatGroupsOf(seats: readonly Seat[]): readonly SeatGroup[] {
  return [...Map.groupBy(seats, ({ groupIndex }) => groupIndex)]
    .sort(([a], [b]) => a - b)
    .map(([index, inGroup]) => ({
      index,
      rows: Math.max(...inGroup.map(({ row }) => row)),
      cols: Math.max(...inGroup.map(({ col }) => col)),
      seats: inGroup.toSorted((a, b) => a.row - b.row || a.col - b.col),
    }));
}
