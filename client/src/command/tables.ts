import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Table } from '../../../web/src/spreadsheets/csv.ts';
import { readRows } from '../../../web/src/spreadsheets/read-rows.ts';
import { UnreadableFile, type UnreadableReason } from '../../../web/src/spreadsheets/sheet.ts';
import { type TableFormat, tableBlob } from '../../../web/src/spreadsheets/table-blob.ts';
import { UsageError } from './terminal.ts';

/** The cells of a row by column, without empty cells. */
export interface Row<C extends string> {
  readonly line: number;
  readonly cells: Readonly<Partial<Record<C, string>>>;
}

/** @param headings accepted names of each column, in small letters @throws UsageError when reading fails */
export async function readTable<C extends string>(
  path: string,
  headings: Readonly<Record<C, readonly string[]>>,
  tell: (text: string) => void,
): Promise<readonly Row<C>[]> {
  const [header, ...rows] = await readFileRows(path, tell);
  const columns = (header?.cells ?? []).map((title) => findColumn(title, headings));
  const unknown = (header?.cells ?? []).filter((title, i) => title !== '' && columns[i] === undefined);
  if (unknown.length > 0) {
    const known = Object.keys(headings).join(', ');
    throw new UsageError(`${path} has columns that are not known: ${unknown.join(', ')}. Known are ${known}`);
  }
  return rows.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(
      columns.flatMap((column, i) => (column && cells[i] ? [[column, cells[i]]] : [])),
    ) as Row<C>['cells'],
  }));
}

function findColumn<C extends string>(title: string, headings: Readonly<Record<C, readonly string[]>>) {
  const plain = title.toLowerCase().replace(/[\s_-]/g, '');
  return (Object.keys(headings) as C[]).find(
    (column) => column.toLowerCase() === plain || headings[column].includes(plain),
  );
}

const unreadableMessages: Readonly<Record<UnreadableReason, string>> = {
  tooLarge: 'is larger than 10 MB',
  kind: 'is of another kind: save it as CSV or XLSX',
  pdf: 'is a PDF, which holds no rows: save the spreadsheet that it is from as CSV or XLSX',
  picture: 'is a picture',
  document: 'is a text document: save its table as CSV or XLSX',
  archive: 'is an archive: unpack it',
  webPage: 'is a web page or XML: save it as CSV or XLSX',
  otherExcel: 'is from Excel 95 or a binary workbook: save it as XLSX',
  locked: 'is protected by a password',
  broken: 'is damaged',
  text: 'is not in UTF-8, UTF-16 or GB 18030',
  empty: 'is empty',
};

async function readFileRows(path: string, tell: (text: string) => void) {
  try {
    const { rows, isGuess, paddedColumns, openQuoteLine } = await readRows(
      new File([await readFile(path)], basename(path)),
    );
    if (openQuoteLine !== undefined) {
      throw new UsageError(
        `Line ${openQuoteLine} of ${path} opens a quote that is never closed. Close it, or write "" for a quote inside a cell`,
      );
    }
    if (isGuess)
      tell(
        `${path} does not say how its text is encoded. Look whether names are right, or save it as UTF-8 with its mark.`,
      );
    if (paddedColumns.size > 0)
      tell(`${path} shows numbers with more digits than they have. They are taken as they are: 7, not 007.`);
    return rows;
  } catch (error) {
    if (error instanceof UnreadableFile) throw new UsageError(`${path} ${unreadableMessages[error.reason]}`);
    const { code } = error as { code?: string };
    if (code === 'ENOENT') throw new UsageError(`There is no file ${path}`);
    throw error;
  }
}

export function formatOf(path: string): TableFormat {
  const format = /\.(csv|xlsx)$/i.exec(path)?.[1]?.toLowerCase();
  if (!format) throw new UsageError(`${path} must end with .csv or .xlsx`);
  return format as TableFormat;
}

/** Writes a table, and marks texts that a spreadsheet would take for formulas. */
export async function writeTable(path: string, table: Table, mode = 0o666): Promise<void> {
  const content = await tableBlob(table, formatOf(path));
  await writeFile(path, new Uint8Array(await content.arrayBuffer()), { mode });
}
