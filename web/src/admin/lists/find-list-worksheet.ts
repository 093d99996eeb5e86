import type { Sheet } from '../../spreadsheets/sheet.ts';

/** Each worksheet is read on its own, and a list is among the first. */
const checkedWorksheetsMax = 5;

/** Reads the first worksheet with headings, or `read(null)`, the first filled one: instructions may precede a list. */
export async function findListWorksheet(
  read: (worksheet: number | null) => Promise<Sheet>,
  hasHeadings: (sheet: Sheet) => boolean,
): Promise<Sheet> {
  const first = await read(null);
  if (hasHeadings(first)) return first;
  const end = Math.min(first.worksheets.length, first.worksheet + 1 + checkedWorksheetsMax);
  for (let worksheet = first.worksheet + 1; worksheet < end; worksheet++) {
    // An empty or unreadable worksheet is not the list.
    const sheet = await read(worksheet).catch(() => null);
    if (sheet && hasHeadings(sheet)) return sheet;
  }
  return first;
}
