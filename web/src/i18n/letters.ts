let graphemes: Intl.Segmenter | undefined;

/**
 * What readers take for the letters of a text: an accent, a variant or a joined picture belongs to its letter. Firefox
 * before 125 cannot tell; there it is each character.
 */
export function lettersOf(text: string): string[] {
  if (!('Segmenter' in Intl)) return [...text];
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** The beginning of a text, at most so many characters as the server counts them; none is cut in half. */
export function cutTo(length: number, text: string): string {
  return [...text].slice(0, length).join('');
}

/** Without the characters that no one sees: chats and web pages put them around what is copied there. */
export const visible = (text: string): string => text.replaceAll(/\p{Cf}/gu, '').trim();

/**
 * Text in the letters and digits that keyboards write: input methods for Chinese write ２０２６ and Ａ too. For what
 * identifies something, never for people's names.
 */
export const narrow = (text: string): string => visible(text).normalize('NFKC').trim();
