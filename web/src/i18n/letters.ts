const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** What readers take for the letters of a text: an accent, a variant or a joined picture belongs to its letter. */
export function lettersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** The beginning of a text, at most so many characters as the server counts them; none is cut in half. */
export function cutTo(length: number, text: string): string {
  return [...text].slice(0, length).join('');
}
