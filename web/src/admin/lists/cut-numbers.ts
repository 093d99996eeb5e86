import { narrow } from '../../i18n/letters.ts';

/** A number as Excel and WPS show long ones, write them into CSV and copy them, and as `readRows` gives them. */
const shortNumber = /^[+-]?\d(?:\.\d+)?E\+(\d{2,})$/i;

/** The power of ten of a number of which a spreadsheet shows, or has kept, some digits alone: 11 of 2.02601E+11; null for any other text. */
export function cutNumber(text: string): number | null {
  const power = shortNumber.exec(narrow(text))?.[1];
  return power === undefined ? null : Number(power);
}

/** Whether a text is such a number. */
export const isCutNumber = (text: string): boolean => cutNumber(text) !== null;
