/** A landscape page of A4 without its margins, and without heading and desk, in millimetres. */
const width = 277;
const height = 155;
const aisle = 7;
const gap = 2;

interface PlanShape {
  /** Seats side by side over all groups. */
  readonly across: number;
  readonly aisles: number;
  /** Rows of the deepest group. */
  readonly deep: number;
}

/** Latin letters are half as wide as high; a Chinese character is as wide as high. */
function emsOf(word: string): number {
  return [...word].reduce((sum, letter) => sum + (letter > '\u2e80' ? 1 : 0.58), 0);
}

/** How large names can be printed so that the longest word still fits its seat, on two lines at most. */
export function nameSizeMm(names: readonly string[], { across, aisles, deep }: PlanShape): number {
  const seatWidth = (width - aisles * aisle) / Math.max(1, across) - gap - 2;
  const seatHeight = height / Math.max(1, deep) - gap - 1;
  const longest = names.reduce(
    (most, name) => name.split(/\s+/).reduce((sofar, word) => Math.max(sofar, emsOf(word)), most),
    2,
  );
  const lines = names.some((name) => /\S\s+\S/.test(name)) ? 2 : 1;
  // Three parts of the width of a very long word may go to a second line; it breaks anywhere then.
  const size = Math.min(seatWidth / Math.min(longest, 9), seatHeight / (lines * 1.2), 14);
  return Math.max(0.8, Math.floor(size * 10) / 10);
}
