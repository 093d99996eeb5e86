import { unmarked } from './csv.ts';
import { decodeText } from './decode-text.ts';
import { isBroken } from './plain-xml.ts';
import type { ShownDigits } from './shown-digits.ts';
import { UnreadableFile } from './unreadable-file.ts';

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
  /** Whether the file does not say in which encoding it is written: a reader should look whether the text is right. */
  readonly isGuess: boolean;
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
  if (isZip ? /\.(ods|numbers)$/i.test(file.name) : /\.xls$/i.test(file.name))
    throw new UnreadableFile('kind');
  // With a password it is no ZIP archive.
  if (!isZip && /\.xlsx$/i.test(file.name)) throw new UnreadableFile('broken');
  const sheet = isZip ? await readXlsx(bytes) : await readTextFile(bytes);
  if (sheet.rows.length === 0) throw new UnreadableFile('empty');
  return sheet;
}

async function readTextFile(bytes: Uint8Array): Promise<Sheet> {
  const { text, isGuess } = decodeText(bytes);
  return { ...(await readText(text)), isGuess };
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
  const rows = data.map((row) => row.map((cell) => unmarked(cell.trim()).trim()));
  return { rows: numbered(rows), paddedColumns: new Set(), isGuess: false };
}

function numbered(rows: readonly (readonly string[])[]): SheetRow[] {
  return rows
    .map((cells, index) => ({ line: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
}

async function readXlsx(bytes: Uint8Array): Promise<Sheet> {
  const [{ readSheet }, { xlsxParts }, { shownDigits }] = await Promise.all([
    import('read-excel-file/universal'),
    import('./xlsx-parts.ts'),
    import('./shown-digits.ts'),
  ]);
  try {
    const parts = xlsxParts(bytes);
    return textOf(await readSheet(parts.archive), shownDigits(parts));
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('broken', error);
  }
}

function textOf(sheet: readonly (readonly unknown[])[], shown: ShownDigits): Sheet {
  const paddedColumns = new Set<number>();
  const rows = sheet.map((cells, row) =>
    cells.map((cell, column) => {
      const digits = typeof cell === 'number' ? shown.of(row, column) : 0;
      if (digits === 0 && typeof cell === 'number' && shown.hasOthers) paddedColumns.add(column);
      const text = cellText(cell);
      return /^\d+$/.test(text) ? text.padStart(digits, '0') : text;
    }),
  );
  return { rows: numbered(rows), paddedColumns, isGuess: false };
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  const text = typeof cell === 'number' ? numberText(cell) : String(cell).trim();
  if (isBroken(text)) throw new UnreadableFile('text');
  return text;
}

/** Spreadsheet programs keep this many digits of a number and make the others zeros. */
const digitsKept = 15;

/** A number as spreadsheets show it: those with more digits than are kept as 3.70102E+17. */
function numberText(value: number): string {
  if (Math.abs(value) < 10 ** digitsKept) return String(Number(value.toPrecision(digitsKept)));
  return String(Number(value.toPrecision(6)).toExponential()).toUpperCase();
}
