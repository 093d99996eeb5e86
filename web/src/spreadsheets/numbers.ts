/** Spreadsheet programs keep this many digits of a number and make the others zeros. */
const digitsKept = 15;

/** A number as spreadsheets show it: those with more digits than are kept as 3.70102E+17. */
export function numberText(value: number): string {
  if (Math.abs(value) < 10 ** digitsKept) return String(Number(value.toPrecision(digitsKept)));
  return String(Number(value.toPrecision(6)).toExponential()).toUpperCase();
}

/**
 * All digits of a number that is too long to be shown, zeros where a spreadsheet keeps none; null for shorter ones, and where other
 * programs have written more digits than spreadsheets keep.
 */
export function keptDigits(value: number): string | null {
  const kept = value.toExponential(digitsKept - 1);
  if (!(value >= 10 ** digitsKept) || Number(kept) !== value) return null;
  const [digits = '', power] = kept.split('e+');
  return digits.replace('.', '').padEnd(Number(power) + 1, '0');
}

/** A number filled up with zeros, where it is one that can be: 7 with 3 digits is 007. */
export function filledUp(text: string, digits: number): string {
  return /^\d+$/.test(text) ? text.padStart(digits, '0') : text;
}

/** The day of a moment: `2026-09-01`. */
export const dayText = (at: Date): string =>
  Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);

/** Zeros alone; what may follow is for negative numbers, text, or the width of a character. */
const digitsAlone = /^(00+)(?:[;_].*)?$/;
/** A format such as 000, not 0.00 alone. */
const someDigits = /^(?:.*[^0#.,?E+-])?00/;

/** How many digits a format of numbers fills up to; 0: none. */
export const digitsOf = (format: string): number => digitsAlone.exec(format)?.[1]?.length ?? 0;

/** Whether a format shows zeros besides other characters, such as "S"0000. */
export const mayPad = (format: string): boolean => someDigits.test(format) && !digitsAlone.test(format);
