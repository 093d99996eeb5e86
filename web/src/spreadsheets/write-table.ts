import { saveFile } from '../components/save-file.ts';
import type { Table } from './csv.ts';
import { type TableFormat, tableBlob } from './table-blob.ts';

export type { Table, TableFormat };

/** With more rows, writing XLSX would block the tab for many seconds and use most of its memory. */
export const xlsxRowsMax = 50_000;

export function formatFor(wanted: TableFormat, rowCount: number): TableFormat {
  return rowCount > xlsxRowsMax ? 'csv' : wanted;
}

export async function saveTable(name: string, table: Table, format: TableFormat): Promise<void> {
  saveFile(`${name}.${format}`, await tableBlob(table, format));
}
