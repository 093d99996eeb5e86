/** Spreadsheet programs keep this many digits of a number and replace the others with zeros. */
const digitsKept = 15;

export function numberText(value: number): string {
  if (Math.abs(value) < 10 ** digitsKept) return String(Number(value.toPrecision(digitsKept)));
  return String(Number(value.toPrecision(6)).toExponential()).toUpperCase();
}

/** Returns all digits of a number that would be shown with an exponent; null if it has over 15 significant digits. */
export function allDigits(value: number): string | null {
  const kept = value.toExponential(digitsKept - 1);
  if (!(value >= 10 ** digitsKept) || Number(kept) !== value) return null;
  const [digits = '', power] = kept.split('e+');
  return digits.replace('.', '').padEnd(Number(power) + 1, '0');
}

/** Pads digits with zeros: 7 with 3 digits becomes 007. Returns other text unchanged. */
export function padDigits(text: string, digits: number): string {
  return /^\d+$/.test(text) ? text.padStart(digits, '0') : text;
}

/** Formats a time as its UTC day: `2026-09-01`. */
export const dayText = (at: Date): string =>
  Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);

/** Only zeros; the rest of the format may be for negative numbers, text, or spacing. */
const digitsAlone = /^(00+)(?:[;_].*)?$/;
/** A format with leading zeros, such as 000 or "S"0000, but not 0.00. */
const someDigits = /^(?:.*[^0#.,?E+-])?00/;

/** Returns how many digits a number format pads to; 0 for none. */
export const padLengthOf = (format: string): number => digitsAlone.exec(format)?.[1]?.length ?? 0;

export const hasLeadingZeros = (format: string): boolean =>
  someDigits.test(format) && !digitsAlone.test(format);
