export type Cell = string | number | null;

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * Ends a cell or row in some program. Programs of other locales separate by semicolons, and then honour quotes only
 * around the first cell. A comma is not among them: programs that separate by commas honour the quotes.
 */
const separator = '[;؛|\\t\\n\\v\\f\\r\\u0085\\u2028\\u2029]';

/** Blanks and invisible characters that a program may drop in front of a formula. */
const blank = `(?!${separator})[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]`;

/** Matches where a formula would begin, at the start of a cell or inside it, after any marks. */
const formulas = new RegExp(`((?:^|${separator})(?:${blank})*)('*)(?=[=+\\-@＝＋－＠])`, 'gu');

/**
 * Marks text that a spreadsheet program would take for a formula: names and reasons come from anyone (OWASP, CSV
 * injection). The mark stands directly before the formula, so cutting text off before it does not expose the formula.
 * Numbers stay numbers. Marked-looking text gets one more mark, so that `unmarked` restores the original.
 */
export function escapeFormula(cell: Cell): Cell {
  return typeof cell === 'string' ? cell.replace(formulas, "$1'$2") : cell;
}

/** Removes the marks of `escapeFormula`, so that importing an export gives the same text. */
export function unescapeFormula(text: string): string {
  return text.replace(formulas, (_, before: string, marks: string) => before + marks.slice(1));
}

/** Formats a table as CSV (RFC 4180), with the byte order mark by which Excel recognises UTF-8. */
export function toCsv({ header, rows }: Table): string {
  const line = (cells: readonly Cell[]) => cells.map(quoted).join(',');
  return `\uFEFF${[header, ...rows].map(line).join('\r\n')}\r\n`;
}

/** Quotes keep a cell whole for programs that accept several separators, and keep blanks at its ends. */
const quotedTexts = new RegExp(`[",]|${separator}|^\\s|\\s$`, 'u');

function quoted(cell: Cell): string {
  const text = String(escapeFormula(cell) ?? '');
  return quotedTexts.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
