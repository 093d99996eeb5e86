/** What a table holds: text and numbers; null for nothing. */
export type Cell = string | number | null;

/** A table to save: one header and rows of as many cells. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * Where a cell ends, or a row, for a program that does not read the file as it is written: one of another locale separates
 * by semicolons, and then knows no quotes around a cell that is not the first. A comma is none: whoever separates by commas
 * knows the quotes.
 */
const separator = '[;؛|\\t\\n\\v\\f\\r\\u0085\\u2028\\u2029]';

/** What a program may leave out in front of a formula: blanks, and what is not seen. */
const blank = `(?!${separator})[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]`;

/** Where a formula would begin, at the start of a cell or in the middle, behind the marks that it may have. */
const formulas = new RegExp(`((?:^|${separator})(?:${blank})*)('*)(?=[=+\\-@＝＋－＠])`, 'gu');

/**
 * Text that a spreadsheet program would take for a formula is marked as text: names and reasons come from
 * anyone (OWASP, CSV injection). The mark stands right in front of the formula, so nothing that is cut off before it leaves
 * the formula bare. Numbers stay numbers, negative ones too. Text that looks marked is marked once more, so that `unmarked`
 * gives back what it was.
 */
export function formulaSafe(cell: Cell): Cell {
  return typeof cell === 'string' ? cell.replace(formulas, "$1'$2") : cell;
}

/** Text without the marks that `formulaSafe` gave it: who imports what was exported gets the same. */
export function unmarked(text: string): string {
  return text.replace(formulas, (_, before: string, marks: string) => before + marks.slice(1));
}

/** CSV by RFC 4180, with the mark by which Excel knows UTF-8. */
export function toCsv({ header, rows }: Table): string {
  const line = (cells: readonly Cell[]) => cells.map(quoted).join(',');
  return `\uFEFF${[header, ...rows].map(line).join('\r\n')}\r\n`;
}

/** Quotes keep a cell whole for programs that take several separators, and keep the blanks at its ends. */
const quotedTexts = new RegExp(`[",]|${separator}|^\\s|\\s$`, 'u');

function quoted(cell: Cell): string {
  const text = String(formulaSafe(cell) ?? '');
  return quotedTexts.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
