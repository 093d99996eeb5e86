/** Spreadsheet programs keep this many digits of a number and replace the rest with zeros. */
const digitsKept = 15;

export function numberText(value: number): string {
  if (Math.abs(value) < 10 ** digitsKept) return String(Number(value.toPrecision(digitsKept)));
  return String(Number(value.toPrecision(6)).toExponential()).toUpperCase();
}

/** Returns all digits of a number from 10^15; null for a smaller one, or for more than 15 significant digits. */
export function exactDigits(value: number): string | null {
  const kept = value.toExponential(digitsKept - 1);
  if (!(value >= 10 ** digitsKept) || Number(kept) !== value) return null;
  const [digits = '', power] = kept.split('e+');
  return digits.replace('.', '').padEnd(Number(power) + 1, '0');
}

/** Formats the day of a time in UTC: `2026-09-01`. */
export const dayText = (at: Date): string =>
  Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);
