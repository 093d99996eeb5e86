import { type Cell, type Table, toCsv } from './csv.ts';

export type TableFormat = 'xlsx' | 'csv';

export async function tableBlob(table: Table, format: TableFormat): Promise<Blob> {
  return format === 'csv' ? new Blob([toCsv(table)], { type: 'text/csv;charset=utf-8' }) : xlsxBlob(table);
}

async function xlsxBlob({ header, rows }: Table): Promise<Blob> {
  const { default: writeExcelFile } = await import('write-excel-file/universal');
  const head = header.map((title) => ({
    value: inXlsx(title),
    type: String,
    fontWeight: 'bold' as const,
  }));
  // Needs no escaping: programs never take a cell of type text for a formula.
  const body = rows.map((row) =>
    row.map((value) =>
      typeof value === 'number' ? { value, type: Number } : { value: inXlsx(value ?? ''), type: String },
    ),
  );
  const columns = header.map((title, index) => ({
    width: Math.min(
      40,
      Math.max(...[title, ...rows.slice(0, 200).map((row) => row[index])].map(widthOf)) + 2,
    ),
  }));
  return writeExcelFile([head, ...body], { columns, stickyRowsCount: 1 }).toBlob();
}

/** Matches characters that XML forbids or the library changes, and "_" where programs would see an escape. */
const unwritable = /(?![\t\n])\p{Cc}|\uFFFD|\p{Noncharacter_Code_Point}|_(?=x[\dA-F]{4}_)/giu;

/** Escapes text for XLSX: `_x0007_` is the bell, `_x005F_x0007_` the text "_x0007_" (ECMA-376, 22.9.2.19). */
function inXlsx(text: string): string {
  const escaped = text.replace(unwritable, inEscapes);
  // The library uses texts as keys of an object, so it misreads inherited names such as "constructor".
  return escaped in Object.prototype ? inEscapes(escaped.slice(0, 1)) + escaped.slice(1) : escaped;
}

function inEscapes(text: string): string {
  return text
    .split('')
    .map((half) => `_x${half.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .join('');
}

function widthOf(cell: Cell | undefined): number {
  return [...String(cell ?? '')].reduce((width, letter) => width + (letter > '\u2E7F' ? 2 : 1), 0);
}
