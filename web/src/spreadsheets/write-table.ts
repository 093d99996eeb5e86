import { type Cell, type Table, toCsv } from './csv.ts';

export type { Table };
export type TableFormat = 'xlsx' | 'csv';

/** More rows as XLSX would stop the tab for many seconds and take most of its memory. */
export const xlsxRowsMax = 50_000;

/** The format in which a table of so many rows can be saved: CSV where it is too long for the wanted one. */
export function formatFor(wanted: TableFormat, rowCount: number): TableFormat {
  return rowCount > xlsxRowsMax ? 'csv' : wanted;
}

/** Lets the browser save a table as a file. */
export async function saveTable(name: string, table: Table, format: TableFormat): Promise<void> {
  saveBlob(`${name}.${format}`, format === 'csv' ? csvBlob(table) : await xlsxBlob(table));
}

const csvBlob = (table: Table) => new Blob([toCsv(table)], { type: 'text/csv;charset=utf-8' });

async function xlsxBlob({ header, rows }: Table): Promise<Blob> {
  const { default: writeExcelFile } = await import('write-excel-file/universal');
  const head = header.map((value) => ({ value, type: String, fontWeight: 'bold' as const }));
  // Typed as text, a cell is never a formula; it needs no mark.
  const body = rows.map((row) =>
    row.map((value) =>
      typeof value === 'number' ? { value, type: Number } : { value: value ?? '', type: String },
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

/** In characters of a spreadsheet column; Chinese ones are twice as wide. */
function widthOf(cell: Cell | undefined): number {
  return [...String(cell ?? '')].reduce((width, letter) => width + (letter > '\u2E7F' ? 2 : 1), 0);
}

function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[\\/:*?"<>|]/g, '-');
  link.click();
  // The download has begun by then in every browser.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
