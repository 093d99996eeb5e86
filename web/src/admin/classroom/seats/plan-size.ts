/** A landscape page of A4 without its margins, and without heading and desk, in millimetres. */
const width = 277;
const height = 155;
/** In a wide hall the names need the room more than the aisles do. */
const wideFrom = 20;

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

/** How a plan is printed, in millimetres. */
export interface PlanSize {
  readonly name: number;
  /** Names stand upright, where seats are narrow and high. */
  readonly turned: boolean;
  readonly gap: number;
  readonly aisle: number;
}

/** A student number beside the name that it belongs to, see PrintedPlan.module.css. */
const numberSize = 0.6;

/**
 * How large names can be printed so that the longest word still fits its seat, on two lines at most.
 *
 * @param numbers the student numbers that stand below some of the names, smaller
 */
export function planSize(
  names: readonly string[],
  numbers: readonly string[],
  { across, aisles, deep }: PlanShape,
): PlanSize {
  const [gap, aisle] = across > wideFrom ? [0.8, 3] : [2, 7];
  const seatWidth = (width - aisles * aisle) / Math.max(1, across) - gap - 2;
  const seatHeight = height / Math.max(1, deep) - gap - 1;
  const longest = names.reduce(
    (most, name) => name.split(/\s+/).reduce((sofar, word) => Math.max(sofar, emsOf(word)), most),
    numbers.reduce((most, number) => Math.max(most, emsOf(number) * numberSize), 2),
  );
  const lines = numbers.length > 0 || names.some((name) => /\S\s+\S/.test(name)) ? 2 : 1;
  const fitting = (along: number, beside: number) =>
    // Three parts of the width of a very long word may go to a second line; it breaks anywhere then.
    Math.min(along / Math.min(longest, 9), beside / (lines * 1.2), 14);
  const [level, upright] = [fitting(seatWidth, seatHeight), fitting(seatHeight, seatWidth)];
  // What is read without turning the head is worth some size.
  const turned = level < 2.5 && upright > level * 1.3;
  const name = Math.max(0.8, Math.floor((turned ? upright : level) * 10) / 10);
  return { name, turned, gap, aisle };
}
