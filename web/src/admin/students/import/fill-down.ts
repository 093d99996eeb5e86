import { toHalfWidth } from '../../../i18n/letters.ts';
import type { MergedCells, SheetRow } from '../../../spreadsheets/sheet.ts';
import type { StudentMapping } from './student-columns.ts';

interface FilledText {
  readonly text: string;
  /** True when the file merges the cells; false when an empty cell only seems to continue the one above. */
  readonly isMerged: boolean;
}

const fields = ['gradeName', 'className'] as const;
type Field = (typeof fields)[number];
type FillsOfRow = Readonly<Partial<Record<Field, FilledText>>>;

/** Texts for empty grade and class cells, by line of the file. */
export type FillDownTexts = ReadonlyMap<number, FillsOfRow>;

/** Finds empty cells that continue the grade or class above: merged ones, or all if each class is named only once. */
export function findFillDownTexts(
  rows: readonly SheetRow[],
  mapping: StudentMapping,
  merges: readonly MergedCells[],
): FillDownTexts {
  const fills = new Map<number, FillsOfRow>();
  const textOf = ({ line, cells }: SheetRow, field: Field) =>
    cells[mapping[field] ?? -1] || (fills.get(line)?.[field]?.text ?? '');
  const isStudent = ({ cells }: SheetRow) =>
    [mapping.username, mapping.actualName].some((column) => (cells[column ?? -1] ?? '') !== '');
  for (const field of fields) {
    const column = mapping[field];
    if (column === null) continue;
    const fill = (texts: ReadonlyMap<number, string>, isMerged: boolean) => {
      for (const [line, text] of texts) fills.set(line, { ...fills.get(line), [field]: { text, isMerged } });
    };
    fill(mergedTexts(rows, column, merges), true);
    const listed = rows.map((row) => ({
      line: row.line,
      isStudent: isStudent(row),
      text: textOf(row, field),
      // Adds the grade, because classes of two grades may have the same name.
      grade: field === 'className' ? textOf(row, 'gradeName') : '',
    }));
    fill(blockTexts(listed), false);
  }
  return fills;
}

function mergedTexts(
  rows: readonly SheetRow[],
  column: number,
  merges: readonly MergedCells[],
): Map<number, string> {
  const found = new Map<number, string>();
  const byLine = new Map(rows.map((row) => [row.line, row]));
  const last = rows.at(-1)?.line ?? 0;
  for (const { from, to } of merges.filter((merge) => merge.column === column)) {
    const text = byLine.get(from)?.cells[column] ?? '';
    if (text === '') continue;
    for (let line = from + 1; line <= Math.min(to, last); line++) {
      if (byLine.get(line)?.cells[column] === '') found.set(line, text);
    }
  }
  return found;
}

interface ListedText {
  readonly line: number;
  readonly isStudent: boolean;
  readonly text: string;
  readonly grade: string;
}

function blockTexts(rows: readonly ListedText[]): Map<number, string> {
  const found = new Map<number, string>();
  const seen = new Set<string>();
  let above: ListedText | null = null;
  let lastLine = 0;
  for (const [index, row] of rows.entries()) {
    const { line, isStudent, text, grade } = row;
    if (!isStudent || line > lastLine + 1 || (above && grade !== '' && grade !== above.grade)) above = null;
    lastLine = line;
    if (!isStudent) continue;
    if (text === '') {
      // Fills nothing if the first student has no class: then the list does not name each class once.
      if (index === 0) return new Map();
      if (above) found.set(line, above.text);
      continue;
    }
    const key = `${toHalfWidth(grade)} ${toHalfWidth(text)}`;
    // Fills nothing if a class is named twice: then an empty cell lacks its class.
    if (seen.has(key)) return new Map();
    seen.add(key);
    above = row;
  }
  return found;
}
