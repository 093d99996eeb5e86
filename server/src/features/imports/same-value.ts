const han = '\\p{Script=Han}';
const besideHan = new RegExp(`(?<=${han})\\s+(?=${han})`, 'gu');

/** Removes differences of notation only: blanks, letter width and kinds of middle dots. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u200B-\u200D\u2060\uFEFF]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[•・‧∙]/g, '·')
    .replace(besideHan, '')
    .trim();

/** Returns whether a value from a list equals the stored one, apart from notation. */
export function isSameValue(wanted: unknown, there: unknown): boolean {
  if (typeof wanted !== 'string' || typeof there !== 'string') return wanted === there;
  return wanted === there || plain(wanted) === plain(there);
}
