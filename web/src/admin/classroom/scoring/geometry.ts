export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Something on the screen that belongs to a student. */
export interface Placed {
  readonly id: number;
  readonly box: Box;
}

/** The rectangle between two corners, whichever they are. */
export function boxBetween(a: Point, b: Point): Box {
  return {
    left: Math.min(a.x, b.x),
    top: Math.min(a.y, b.y),
    right: Math.max(a.x, b.x),
    bottom: Math.max(a.y, b.y),
  };
}

/** A box after something was scrolled. */
export function shifted({ left, top, right, bottom }: Box, by: Point): Box {
  return { left: left + by.x, top: top + by.y, right: right + by.x, bottom: bottom + by.y };
}

/** In this breadth along the edges a drag scrolls. */
const edgeBreadth = 56;
const fastest = 16;

/**
 * How fast a drag at `at` scrolls, in pixels each picture: the deeper in the edge the faster, upwards below zero.
 *
 * @param start where the visible part begins
 * @param end where it ends
 */
export function edgeSpeed(at: number, start: number, end: number): number {
  const depth = Math.max(start + edgeBreadth - at, 0) - Math.max(at - (end - edgeBreadth), 0);
  return -Math.round(Math.max(-1, Math.min(1, depth / edgeBreadth)) * fastest) || 0;
}

/** Those that a rectangle touches. */
export function touchedBy(box: Box, placed: readonly Placed[]): readonly number[] {
  return placed
    .filter(
      ({ box: other }) =>
        other.left < box.right && other.right > box.left && other.top < box.bottom && other.bottom > box.top,
    )
    .map(({ id }) => id);
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** Whoever stands next in a direction: nearest ahead, and rather straight ahead than aside. */
export function nextInDirection(
  placed: readonly Placed[],
  from: number,
  direction: Direction,
): number | null {
  const start = placed.find(({ id }) => id === from);
  if (!start) return placed[0]?.id ?? null;
  const origin = centre(start.box);
  let nearest: { id: number; distance: number } | null = null;
  for (const { id, box } of placed) {
    const there = centre(box);
    const across = direction === 'left' || direction === 'right';
    const along = across ? there.x - origin.x : there.y - origin.y;
    const aside = Math.abs(across ? there.y - origin.y : there.x - origin.x);
    const ahead = direction === 'left' || direction === 'up' ? -along : along;
    if (ahead < 1) continue;
    const distance = ahead + aside * 3;
    // Of two as near, pixels are not whole, the first.
    if (!nearest || distance < nearest.distance - 1) nearest = { id, distance };
  }
  return nearest?.id ?? null;
}

function centre({ left, top, right, bottom }: Box): Point {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** More than these beside each other would be too narrow to read beside the panel. */
const columnsMax = 8;

/** Fewer rows would stretch the cards of a small class over the whole screen. */
const rowsMin = 4;

/** Into how many rows and columns the cards of a class go, for all of them to be on the screen at once. */
export function cardGrid(count: number): { readonly rows: number; readonly columns: number } {
  const rows = Math.max(rowsMin, Math.ceil(count / columnsMax));
  return { rows, columns: Math.max(1, Math.ceil(count / rows)) };
}

export const han = /\p{Script=Han}/u;

/**
 * Returns how many letters a line of a card must hold for a name, which has two lines: its longest word, and of a long Chinese
 * name, which breaks anywhere, half. The card must be wide enough for them, or the name is written smaller.
 */
export function lineLetters(name: string): number {
  const letters = [...name].length;
  if (han.test(name)) return Math.max(Math.min(4, letters), Math.ceil(letters / 2));
  return Math.max(...name.split(/[\s·-]+/).map((word) => [...word].length));
}
