export type Cell = string | number | null;

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Ends a cell or row in some program. No comma: programs that separate by commas honour quotes. */
const separator = '[;؛|\\t\\n\\v\\f\\r\\u0085\\u2028\\u2029]';

/** Blanks and invisible characters that a program may drop in front of a formula. */
const blank = `(?!${separator})[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]`;

/** Matches where a formula would begin, at the start of a cell or inside it, after any marks. */
const formulas = new RegExp(`((?:^|${separator})(?:${blank})*)('*)(?=[=+\\-@＝＋－＠])`, 'gu');

/** Marks text directly before a possible formula (OWASP, CSV injection); `unescapeFormula` restores the text. */
export function escapeFormula(cell: Cell): Cell {
  return typeof cell === 'string' ? cell.replace(formulas, "$1'$2") : cell;
}

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
