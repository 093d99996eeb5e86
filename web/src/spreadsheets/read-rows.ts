/** Why a file could not be read as a table. */
export class UnreadableFile extends Error {
  readonly reason: 'tooLarge' | 'kind' | 'broken' | 'empty';

  constructor(reason: UnreadableFile['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** One row of a file that is not empty. */
export interface SheetRow {
  /** Its number in the file, from 1; empty rows count. */
  readonly line: number;
  /** Trimmed. */
  readonly cells: readonly string[];
}

/** What was read of a file. */
export interface Sheet {
  readonly rows: readonly SheetRow[];
  /** Columns, from 0, of numbers that the file may show with more than their digits: 7 as S007. They are read as 7. */
  readonly paddedColumns: ReadonlySet<number>;
}

const bytesMax = 10 * 1024 * 1024;

/**
 * The first sheet of an XLSX file, or a CSV file, as rows of text. Nothing in it is trusted: cells are text and are
 * shown as text.
 *
 * @throws UnreadableFile
 */
export async function readRows(file: Blob & { readonly name: string }): Promise<Sheet> {
  if (file.size > bytesMax) throw new UnreadableFile('tooLarge');
  const bytes = new Uint8Array(await file.arrayBuffer());
  // An XLSX file is a ZIP archive, whatever it is called; the older XLS format is not.
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isZip && /\.xlsx?$/i.test(file.name)) throw new UnreadableFile('kind');
  const sheet = isZip ? await readXlsx(file, bytes) : await readText(decode(bytes));
  if (sheet.rows.length === 0) throw new UnreadableFile('empty');
  return sheet;
}

/** Rows of a pasted list: columns by tab, comma or semicolon. */
export async function readText(text: string): Promise<Sheet> {
  const { default: papa } = await import('papaparse');
  const plain = text.replace(/^\uFEFF/, '');
  // Empty rows would mislead the guess, but the numbers of the others are counted with them.
  const { meta } = papa.parse<string[]>(plain, {
    preview: 1,
    skipEmptyLines: 'greedy',
    delimitersToGuess: ['\t', ',', ';', '，'],
  });
  const { data } = papa.parse<string[]>(plain, { delimiter: meta.delimiter });
  return { rows: numbered(data.map((row) => row.map((cell) => cell.trim()))), paddedColumns: new Set() };
}

function numbered(rows: readonly (readonly string[])[]): SheetRow[] {
  return rows
    .map((cells, index) => ({ line: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
}

async function readXlsx(file: Blob, bytes: Uint8Array): Promise<Sheet> {
  const { readSheet } = await import('read-excel-file/universal');
  const sheet = await readSheet(file).catch((error: unknown) => {
    throw new UnreadableFile('broken', error);
  });
  const { shownDigits } = await import('./shown-digits.ts');
  const shown = shownDigits(bytes);
  const paddedColumns = new Set<number>();
  const rows = sheet.map((cells, row) =>
    cells.map((cell, column) => {
      const digits = typeof cell === 'number' ? shown.of(row, column) : 0;
      if (digits === 0 && typeof cell === 'number' && shown.hasOthers) paddedColumns.add(column);
      const text = cellText(cell);
      return /^\d+$/.test(text) ? text.padStart(digits, '0') : text;
    }),
  );
  return { rows: numbered(rows), paddedColumns };
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return String(cell).trim();
}

/** Spreadsheet programs write CSV as UTF-8, as UTF-16 with a mark, or, in Chinese offices, as GB 18030. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}
