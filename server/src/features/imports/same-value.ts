const han = '\\p{Script=Han}';
const besideHan = new RegExp(`(?<=${han})\\s+(?=${han})`, 'gu');

/** Blanks, the width of letters and the kind of a middle dot are how something is written, not what. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u200B-\u200D\u2060\uFEFF]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[•・‧∙]/g, '·')
    .replace(besideHan, '')
    .trim();

/** Whether a value of a list is the one that the school has, however it is written. */
export function isSameValue(wanted: unknown, there: unknown): boolean {
  if (typeof wanted !== 'string' || typeof there !== 'string') return wanted === there;
  return wanted === there || plain(wanted) === plain(there);
}
