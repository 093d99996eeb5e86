import { type CellObject, CFB, type ColInfo, read, type WorkBook } from '@e965/xlsx';
import { hasLoneSurrogate } from './normalize-xml.ts';
import { repackOds, repackXlsx } from './repack-workbook.ts';
import { cellsMax, columnsMax, rowsMax, type Sheet, UnreadableFile, worksheetsMax } from './sheet.ts';

/** Reads a worksheet with stored results of formulas. @param wanted null: first with content @throws UnreadableFile */
export function readWorkbook(bytes: Uint8Array, kind: 'xlsx' | 'ods' | 'xls', wanted: number | null): Sheet {
  const worksheets = readWorksheets[kind](bytes);
  const names = worksheets.map(({ name }) => name);
  const isExcessive = names.length > worksheetsMax || names.some(({ length }) => length > nameLengthMax);
  if (isExcessive) throw new UnreadableFile('tooLarge');
  for (const [worksheet, one] of worksheets.entries()) {
    if (wanted !== null && wanted !== worksheet) continue;
    const table = tableOf(one);
    if (table.rows.length > 0) return { ...table, isGuess: false, worksheets: names, worksheet };
  }
  throw new UnreadableFile('empty');
}

const nameLengthMax = 255;

interface Worksheet {
  readonly name: string;
  readonly rows: readonly (readonly CellObject[])[];
  readonly merges: readonly { readonly s: Place; readonly e: Place }[];
  readonly isHidden: (column: number) => boolean;
}

interface Place {
  readonly r: number;
  readonly c: number;
}

const readWorksheets: Readonly<Record<'xlsx' | 'ods' | 'xls', (bytes: Uint8Array) => Worksheet[]>> = {
  xlsx: (bytes) => visibleWorksheets(parse(repackXlsx(bytes))),
  xls: (bytes) => visibleWorksheets(parse(excel97Stream(bytes))),
  ods: (bytes) => {
    const plain = repackOds(bytes);
    const book = parse(plain.bytes);
    return plain.worksheets.flatMap(({ name, isHidden, hiddenColumns }, index) => {
      const isOff = (column: number) =>
        hiddenColumns.some(({ first, last }) => first <= column && column <= last);
      return isHidden ? [] : [{ ...contentOf(book, index), name, isHidden: isOff }];
    });
  },
};

function parse(bytes: Uint8Array): WorkBook {
  try {
    return read(bytes, { type: 'array', dense: true, cellDates: true, cellHTML: false, cellStyles: true });
  } catch (error) {
    const isLocked = error instanceof Error && error.message.includes('password-protected');
    throw new UnreadableFile(isLocked ? 'locked' : 'broken', error);
  }
}

/** Returns the workbook stream in a compound file, the container of .xls files. @throws UnreadableFile */
function excel97Stream(bytes: Uint8Array): Uint8Array {
  const file = CFB.read(bytes, { type: 'array' });
  const find = (name: string) => CFB.find(file, name);
  if (find('EncryptedPackage')) throw new UnreadableFile('locked');
  if (find('WordDocument') || find('PowerPoint Document')) throw new UnreadableFile('document');
  const workbook = find('Workbook');
  if (!workbook) throw new UnreadableFile(find('Book') ? 'otherExcel' : 'kind');
  const isExcel97 = workbook.content[4] === 0 && workbook.content[5] === 6;
  if (!isExcel97) throw new UnreadableFile('otherExcel');
  if (workbook.content.length < workbook.size) throw new UnreadableFile('broken');
  return workbook.content;
}

function visibleWorksheets(book: WorkBook): Worksheet[] {
  return book.SheetNames.flatMap((name, index) => {
    const isHidden = book.Workbook?.Sheets?.find((one) => one.name === name)?.Hidden;
    const columns: readonly (ColInfo | undefined)[] = book.Sheets[name]?.['!cols'] ?? [];
    const isOff = (column: number) => columns[column]?.hidden === true || columns[column]?.width === 0;
    const isChart = book.Sheets[name]?.['!type'] !== undefined;
    return isHidden || isChart ? [] : [{ ...contentOf(book, index), name, isHidden: isOff }];
  });
}

/** @throws UnreadableFile when the library could not read the worksheet */
function contentOf(book: WorkBook, index: number): Pick<Worksheet, 'rows' | 'merges'> {
  const sheet = book.Sheets[book.SheetNames[index] ?? ''];
  if (!sheet) throw new UnreadableFile('broken');
  return { rows: sheet['!data'] ?? [], merges: sheet['!merges'] ?? [] };
}

/** Returns the cells of visible columns as text, without empty rows. @throws UnreadableFile */
function tableOf({ rows, merges, isHidden }: Worksheet): Omit<Sheet, 'isGuess' | 'worksheets' | 'worksheet'> {
  const used = new Set<number>();
  const uncalculated = new Set<number>();
  const padded = new Set<number>();
  const lines = keysOf(rows, rowsMax).map((row) => {
    const cells = new Map<number, Cell>();
    for (const column of keysOf(rows[row] ?? [], columnsMax)) {
      const cell = cellOf(rows[row]?.[column]);
      if (cell === null) continue;
      cells.set(column, cell);
      used.add(column);
      if (cell.isUncalculated) uncalculated.add(column);
      if (cell.isPadded) padded.add(column);
    }
    return { line: row + 1, cells };
  });
  const filled = lines.filter(({ cells }) => cells.size > 0);
  const width = Math.max(-1, ...used) + 1;
  if (filled.length * width > cellsMax) throw new UnreadableFile('tooLarge');
  const columns = Array.from({ length: width }, (_, column) => column).filter((column) => !isHidden(column));
  const placesOf = (found: ReadonlySet<number>) =>
    new Set(columns.flatMap((column, place) => (found.has(column) ? place : [])));
  return {
    rows: filled
      .map(({ line, cells }) => {
        const shown = columns.map((column) => cells.get(column));
        return { line, cells: shown.map((cell) => cell?.text ?? ''), digits: digitsOf(shown) };
      })
      .filter(({ cells }) => cells.some((text) => text !== '')),
    merges: merges.flatMap(({ s, e }) => {
      const place = columns.indexOf(s.c);
      return place === -1 || e.r <= s.r ? [] : { column: place, from: s.r + 1, to: e.r + 1 };
    }),
    hiddenColumns: [...used].filter(isHidden).length,
    uncalculated: placesOf(uncalculated),
    paddedColumns: placesOf(padded),
  };
}

/** Returns the used indexes of a sparse array. @throws UnreadableFile when one exceeds the limit */
function keysOf(places: readonly unknown[], max: number): number[] {
  const keys = Object.keys(places).map(Number);
  if (keys.some((key) => !(key >= 0))) throw new UnreadableFile('broken');
  if (keys.some((key) => key >= max)) throw new UnreadableFile('tooLarge');
  return keys;
}

interface Cell {
  readonly text: string;
  readonly digits: string | null;
  readonly isUncalculated: boolean;
  readonly isPadded: boolean;
}

/** Returns null for an empty cell. A number keeps the leading zeros that the file shows, but no other format. */
function cellOf(cell: CellObject | undefined): Cell | null {
  if (!cell) return null;
  const { f, t, v, w = '' } = cell;
  // Programs that do not calculate store a formula with the result 0, or with none.
  const isUncalculated = f !== undefined && (t === 'z' || v === 0);
  if (isUncalculated) return { text: '', digits: null, isUncalculated, isPadded: false };
  if (v === undefined || v === null || t === 'e' || t === 'z') return null;
  if (typeof v === 'number') {
    const shown = w.trim();
    const isFilled = /^0\d+$/.test(shown) && Number(shown) === v;
    const isPadded = !isFilled && /^\D*0\d/.test(shown);
    return { text: isFilled ? shown : numberText(v), digits: exactDigits(v), isUncalculated, isPadded };
  }
  const text = v instanceof Date ? dayText(v) : String(v).trim();
  if (hasLoneSurrogate(text)) throw new UnreadableFile('text');
  return text === '' ? null : { text, digits: null, isUncalculated, isPadded: false };
}

function digitsOf(cells: readonly (Cell | undefined)[]): ReadonlyMap<number, string> | undefined {
  const digits = cells.flatMap((cell, place) => (cell?.digits ? [[place, cell.digits] as const] : []));
  return digits.length > 0 ? new Map(digits) : undefined;
}

/** Spreadsheet programs keep this many digits of a number and replace the rest with zeros. */
const digitsKept = 15;

function numberText(value: number): string {
  if (Math.abs(value) < 10 ** digitsKept) return String(Number(value.toPrecision(digitsKept)));
  return String(Number(value.toPrecision(6)).toExponential()).toUpperCase();
}

/** Returns all digits of a number from 10^15; null for a smaller one, or for more than 15 significant digits. */
function exactDigits(value: number): string | null {
  const kept = value.toExponential(digitsKept - 1);
  if (!(value >= 10 ** digitsKept) || Number(kept) !== value) return null;
  const [digits = '', power] = kept.split('e+');
  return digits.replace('.', '').padEnd(Number(power) + 1, '0');
}

/** Formats the day of a time in UTC: `2026-09-01`. */
const dayText = (at: Date): string => (Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10));
