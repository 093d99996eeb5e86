/** What a table holds: text and numbers; null for nothing. */
export type Cell = string | number | null;

/** A table to save: one header and rows of as many cells. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Where a formula begins, behind the marks that it may have. */
const formula = /^'*[=+\-@\t\r＝＋－＠]/;

/**
 * Text that a spreadsheet program would take for a formula is marked as text: names and reasons come from
 * anyone (OWASP, CSV injection). Numbers stay numbers, negative ones too. Text that looks marked is marked once more,
 * so that `unmarked` gives back what it was.
 */
export function formulaSafe(cell: Cell): Cell {
  return typeof cell === 'string' && formula.test(cell) ? `'${cell}` : cell;
}

/** Text without the mark that `formulaSafe` gave it: who imports what was exported gets the same. */
export function unmarked(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}

/** CSV by RFC 4180, with the mark by which Excel knows UTF-8. */
export function toCsv({ header, rows }: Table): string {
  const line = (cells: readonly Cell[]) => cells.map(quoted).join(',');
  return `\uFEFF${[header, ...rows].map(line).join('\r\n')}\r\n`;
}

function quoted(cell: Cell): string {
  const text = String(formulaSafe(cell) ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
