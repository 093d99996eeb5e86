let graphemes: Intl.Segmenter | undefined;

/** Splits a text into letters as a reader sees them. */
export function lettersOf(text: string): string[] {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Returns the first `length` code points, which is how the server measures length. */
export function truncateText(length: number, text: string): string {
  return [...text].slice(0, length).join('');
}

/** Removes invisible characters, which surround text copied from chats and web pages, and white space at the ends. */
export const stripInvisible = (text: string): string => text.replaceAll(/\p{Cf}/gu, '').trim();

/** Converts full-width characters of Chinese keyboards (２０２６, Ａ). Use it for identifiers, never for names. */
export const toHalfWidth = (text: string): string => stripInvisible(text).normalize('NFKC').trim();

/** Replaces the hyphen with a true minus sign, which is as wide as the plus sign. */
export function withMinusSign(text: string): string {
  return text.replace('-', '−');
}
