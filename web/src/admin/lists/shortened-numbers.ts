import { toHalfWidth } from '../../i18n/letters.ts';

/** A long number as Excel and WPS shorten it, on the screen, in copies and in CSV, and as `readRows` returns it. */
const shortNumber = /^[+-]?\d(?:\.\d+)?E\+(\d{2,})$/i;

/** Returns the power of ten of a number that a spreadsheet shortened: 11 for 2.02601E+11. Null for other text. */
export function shortenedExponent(text: string): number | null {
  const power = shortNumber.exec(toHalfWidth(text))?.[1];
  return power === undefined ? null : Number(power);
}

export const isShortenedNumber = (text: string): boolean => shortenedExponent(text) !== null;
