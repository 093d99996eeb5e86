/** Millimetres of a landscape A4 sheet without margins, heading and desk. */
const width = 277;
const height = 155;
/** With more seats side by side, gaps and aisles are narrower, to leave space for names. */
const wideSeatsMin = 20;

/** Estimates a width in em: a Chinese character is square, a Latin letter about half as wide. */
function textWidthEm(word: string): number {
  return [...word].reduce((sum, letter) => sum + (letter > '\u2e80' ? 1 : 0.58), 0);
}

/** Size of the student number relative to the name. PrintedPlan.module.css has the same factor. */
const numberSize = 0.6;

/** Returns the largest sizes, in millimetres, at which each name fits its seat in at most two lines. */
export function printedPlanSize(
  names: readonly string[],
  numbers: readonly string[],
  { across, aisles, deep }: { readonly across: number; readonly aisles: number; readonly deep: number },
) {
  const [gap, aisle] = across > wideSeatsMin ? [0.8, 3] : [2, 7];
  const seatWidth = (width - aisles * aisle) / Math.max(1, across) - gap - 2;
  const seatHeight = height / Math.max(1, deep) - gap - 1;
  const longest = names.reduce(
    (most, name) => name.split(/\s+/).reduce((sofar, word) => Math.max(sofar, textWidthEm(word)), most),
    numbers.reduce((most, number) => Math.max(most, textWidthEm(number) * numberSize), 2),
  );
  const lines = numbers.length > 0 || names.some((name) => /\S\s+\S/.test(name)) ? 2 : 1;
  const fontSizeFor = (lengthMm: number, heightMm: number) =>
    // Assumes at most 9 em, because longer words break across lines.
    Math.min(lengthMm / Math.min(longest, 9), heightMm / (lines * 1.2), 14);
  const [level, upright] = [fontSizeFor(seatWidth, seatHeight), fontSizeFor(seatHeight, seatWidth)];
  // Where seats are narrow and high, lets names run upwards, but only if they become much larger.
  const turned = level < 2.5 && upright > level * 1.3;
  const name = Math.max(0.8, Math.floor((turned ? upright : level) * 10) / 10);
  return { name, turned, gap, aisle };
}
