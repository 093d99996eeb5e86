export type Cell = string | number | null;

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export type SavedColumn<Row> = readonly [header: string, cell: (row: Row) => Cell];

export const tableOf = <Row>(columns: readonly SavedColumn<Row>[], rows: readonly Row[]): Table => ({
  header: columns.map(([header]) => header),
  rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
});

/** Characters that some program takes for the end of a cell. Not the comma: such programs respect quotes. */
const separator = '[;؛|\\t\\n\\v\\f\\r\\u0085\\u2028\\u2029]';

/** White space and invisible characters that a program may ignore in front of a formula. */
const blank = `(?!${separator})[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]`;

/** Matches where a program may see a formula, at the start of a cell or inside it, after any apostrophes. */
const formulas = new RegExp(`((?:^|${separator})(?:${blank})*)('*)(?=[=+\\-@＝＋－＠])`, 'gu');

/** Puts an apostrophe before a possible formula (OWASP, CSV injection); `unescapeFormula` removes it. */
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

/** Texts that need quotes, so that no program splits the cell or removes white space at its ends. */
const quotedTexts = new RegExp(`[",]|${separator}|^\\s|\\s$`, 'u');

function quoted(cell: Cell): string {
  const text = String(escapeFormula(cell) ?? '');
  return quotedTexts.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats an instant in a time zone as spreadsheets read and sort it: `2026-09-01 08:05:00`. */
export const dayAndTime = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(new Date(iso));
