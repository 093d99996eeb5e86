import type { Sheet } from '../../spreadsheets/sheet.ts';

/** So many are looked at: each is read for itself, and a list stands among the first. */
const lookedAtMax = 5;

/**
 * The first worksheet of a file that has headings, as the list of an office may stand behind a page of instructions; where none has, the
 * first that holds something.
 *
 * @param read one of them, from 0; null: the first that holds something
 */
export async function listWorksheet(
  read: (worksheet: number | null) => Promise<Sheet>,
  hasHeadings: (sheet: Sheet) => boolean,
): Promise<Sheet> {
  const first = await read(null);
  if (hasHeadings(first)) return first;
  const end = Math.min(first.worksheets.length, first.worksheet + 1 + lookedAtMax);
  for (let worksheet = first.worksheet + 1; worksheet < end; worksheet++) {
    // One that is empty or cannot be read is not the list.
    const sheet = await read(worksheet).catch(() => null);
    if (sheet && hasHeadings(sheet)) return sheet;
  }
  return first;
}
