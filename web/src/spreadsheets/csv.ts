/** What a table holds: text and numbers; null for nothing. */
export type Cell = string | number | null;

/** A table to save: one header and rows of as many cells. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * Text that a spreadsheet program would take for a formula is marked as text: names and reasons come from
 * anybody (OWASP, CSV injection). Numbers stay numbers, negative ones too.
 */
export function formulaSafe(cell: Cell): Cell {
  return typeof cell === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell;
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
