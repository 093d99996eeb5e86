import { toHalfWidth } from '../../i18n/letters.ts';

/** Keeps digits apart where a separator is removed: "7-12" is not "71-2". */
const betweenDigits = /(?<=[\d一二三四五六七八九十])[\s_\-.,，:：*（）()]+(?=[\d一二三四五六七八九十])/g;

/** Returns a text without differences in blanks, punctuation, case, width and leading zeros. */
export const normalizeText = (text: string): string => normalizeKeepingWidth(toHalfWidth(text));

/** Like `normalizeText`, but keeps wide letters and digits. */
export const normalizeKeepingWidth = (text: string): string =>
  text
    .toLowerCase()
    .replace(betweenDigits, '|')
    .replace(/(?<!\d)0+(?=\d)/g, '')
    .replace(/[\s_\-.,，:：*（）()]/g, '');
