import { saveFile } from '../components/save-file.ts';
import type { Table } from './csv.ts';
import { type TableFormat, tableBlob } from './table-blob.ts';

export type { Table, TableFormat };

/** More rows as XLSX would stop the tab for many seconds and take most of its memory. */
export const xlsxRowsMax = 50_000;

/** The format in which a table of so many rows can be saved: CSV where it is too long for the wanted one. */
export function formatFor(wanted: TableFormat, rowCount: number): TableFormat {
  return rowCount > xlsxRowsMax ? 'csv' : wanted;
}

/** Lets the browser save a table as a file. */
export async function saveTable(name: string, table: Table, format: TableFormat): Promise<void> {
  saveFile(`${name}.${format}`, await tableBlob(table, format));
}
