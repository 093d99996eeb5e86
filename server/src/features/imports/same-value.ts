const han = '\\p{Script=Han}';
const spaceBetweenHan = new RegExp(`(?<=${han})\\s+(?=${han})`, 'gu');

/** Removes differences of notation: blanks, letter width and kinds of middle dots. */
const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u200B-\u200D\u2060\uFEFF]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[•・‧∙]/g, '·')
    .replace(spaceBetweenHan, '')
    .trim();

export function isSameValue(wanted: unknown, stored: unknown): boolean {
  if (typeof wanted !== 'string' || typeof stored !== 'string') return wanted === stored;
  return wanted === stored || normalise(wanted) === normalise(stored);
}
