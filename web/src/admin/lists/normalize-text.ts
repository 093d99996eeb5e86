import { toHalfWidth } from '../../i18n/letters.ts';

/** Separators between digits. They become "|", so that "7-12" and "71-2" stay different. */
const betweenDigits = /(?<=[\d一二三四五六七八九十])[\s_\-.,，:：*（）()]+(?=[\d一二三四五六七八九十])/g;

/** Returns a text without differences in blanks, punctuation, case, width and leading zeros. */
export const normalizeText = (text: string): string => normalizeKeepingWidth(toHalfWidth(text));

/** Like `normalizeText`, but keeps full-width letters and digits. */
export const normalizeKeepingWidth = (text: string): string =>
  text
    .toLowerCase()
    .replace(betweenDigits, '|')
    .replace(/(?<!\d)0+(?=\d)/g, '')
    .replace(/[\s_\-.,，:：*（）()]/g, '');

/** Letters of Chinese names, and the dot between their parts: 阿依古丽·买买提. */
const chineseLetter = '[\\p{Script=Han}·•・]';
const insideChinese = new RegExp(`(?<=${chineseLetter})\\s+(?=${chineseLetter})`, 'gu');

/** Removes blanks inside Chinese names: 张 三 becomes 张三. Blanks beside other letters stay, as in "Anna Maria". */
export const removeNameBlanks = (name: string): string => name.replace(insideChinese, '');

/** A long number as Excel and WPS shorten it, on the screen, in copies and in CSV, and as `readRows` returns it. */
const shortNumber = /^[+-]?\d(?:\.\d+)?E\+(\d{2,})$/i;

/** Returns the power of ten of a number that a spreadsheet shortened: 11 for 2.02601E+11. Null for other text. */
export function shortenedExponent(text: string): number | null {
  const power = shortNumber.exec(toHalfWidth(text))?.[1];
  return power === undefined ? null : Number(power);
}

export const isShortenedNumber = (text: string): boolean => shortenedExponent(text) !== null;
