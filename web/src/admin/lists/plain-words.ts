import { narrow } from '../../i18n/letters.ts';

/** One digit stands beside the next only because a mark between them is left out: "7-12" is not "71-2". */
const betweenDigits = /(?<=[\d一二三四五六七八九十])[\s_\-.,，:：*（）()]+(?=[\d一二三四五六七八九十])/g;

/** Blanks, marks, case, width and zeros before a number make no other word. */
export const plain = (text: string): string => bare(narrow(text));

/** As `plain`, but of wide letters and digits as they are. */
export const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(betweenDigits, '|')
    .replace(/(?<!\d)0+(?=\d)/g, '')
    .replace(/[\s_\-.,，:：*（）()]/g, '');
