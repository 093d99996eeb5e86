let graphemes: Intl.Segmenter | undefined;

/** Splits a text into letters as readers see them. Firefox before 125 gets single characters. */
export function lettersOf(text: string): string[] {
  if (!('Segmenter' in Intl)) return [...text];
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Returns at most the first `length` characters, counted as the server counts them; does not split a character. */
export function cutTo(length: number, text: string): string {
  return [...text].slice(0, length).join('');
}

/** Removes invisible characters, which copied text from chats and web pages may have around it. */
export const stripInvisible = (text: string): string => text.replaceAll(/\p{Cf}/gu, '').trim();

/** Converts full-width ２０２６ and Ａ of input methods. Use it for identifiers, never for people's names. */
export const toHalfWidth = (text: string): string => stripInvisible(text).normalize('NFKC').trim();
