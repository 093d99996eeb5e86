import { CompoundFile } from './compound-file.ts';
import { dayText, hasLeadingZeros, padLengthOf } from './numbers.ts';
import { chooseWorksheet, type Sheet, SheetCells, worksheetsMax } from './sheet.ts';
import { UnreadableFile } from './unreadable-file.ts';
import { RecordReader, recordsFrom } from './xls-records.ts';

/** The record types that are read, by their numbers in [MS-XLS]. */
const ids = {
  begin: 0x809,
  end: 0x0a,
  locked: 0x2f,
  dates: 0x22,
  format: 0x41e,
  style: 0xe0,
  worksheet: 0x85,
  texts: 0xfc,
  sharedText: 0xfd,
  text: 0x204,
  richText: 0xd6,
  number: 0x203,
  shortNumber: 0x27e,
  shortNumbers: 0xbd,
  formula: 0x06,
  columns: 0x7d,
  merged: 0xe5,
  textOfFormula: 0x207,
  truth: 0x205,
} as const;

const version = 0x600;

interface Workbook {
  readonly bytes: Uint8Array;
  readonly texts: readonly string[];
  readonly worksheets: readonly { readonly name: string; readonly at: number }[];
  readonly formats: readonly { readonly id: number; readonly code: string }[];
  readonly from1904: boolean;
}

/** Reads stored results of formulas. @param wanted from 0; null: first with content @throws UnreadableFile */
export function readXls(bytes: Uint8Array, wanted: number | null): Sheet {
  const file = new CompoundFile(bytes);
  if (file.has('EncryptedPackage')) throw new UnreadableFile('locked');
  if (file.has('WordDocument') || file.has('PowerPoint Document')) throw new UnreadableFile('document');
  if (!file.has('Workbook')) throw new UnreadableFile(file.has('Book') ? 'otherExcel' : 'kind');
  const workbook = workbookOf(file.stream('Workbook'));
  const names = workbook.worksheets.map(({ name }) => name);
  const { worksheet, sheet } = chooseWorksheet(
    names,
    wanted,
    (index) => cellsOf(workbook, workbook.worksheets[index]?.at ?? bytes.length),
    (cells) => cells.isEmpty,
  );
  return { ...sheet.sheet(), isGuess: false, worksheets: names, worksheet };
}

function workbookOf(bytes: Uint8Array): Workbook {
  const texts: string[] = [];
  const worksheets: { name: string; at: number }[] = [];
  const codes = new Map<number, string>();
  const styles: number[] = [];
  let from1904 = false;
  for (const record of recordsFrom(bytes, 0)) {
    const reader = new RecordReader(record);
    if (record.id === ids.begin && reader.word() !== version) throw new UnreadableFile('otherExcel');
    if (record.id === ids.locked) throw new UnreadableFile('locked');
    if (record.id === ids.end) break;
    if (record.id === ids.dates) from1904 = reader.word() === 1;
    if (record.id === ids.format) codes.set(reader.word(), reader.richText());
    if (record.id === ids.style) {
      reader.skip(2);
      styles.push(reader.word());
    }
    if (record.id === ids.worksheet) {
      const at = reader.long();
      const isHidden = (reader.byte() & 3) !== 0;
      const isTable = reader.byte() === 0;
      const name = reader.text(reader.byte());
      if (isTable && !isHidden) worksheets.push({ name, at });
      if (worksheets.length > worksheetsMax) throw new UnreadableFile('tooLarge');
    }
    if (record.id === ids.texts) {
      reader.skip(4);
      for (let left = reader.long(); left > 0 && reader.left > 0; left--) texts.push(reader.richText());
    }
  }
  const formats = styles.map((id) => ({ id, code: codes.get(id) ?? '' }));
  return { bytes, texts, worksheets, formats, from1904 };
}

function cellsOf(workbook: Workbook, start: number): SheetCells {
  const cells = new SheetCells();
  // Charts inside a worksheet also have begin and end records.
  let depth = 0;
  let awaited: { row: number; column: number } | null = null;
  for (const record of recordsFrom(workbook.bytes, start)) {
    if (record.id === ids.begin) depth++;
    if (record.id === ids.end && --depth <= 0) break;
    if (depth !== 1) continue;
    const reader = new RecordReader(record);
    if (record.id === ids.textOfFormula) {
      if (awaited) cells.set(awaited.row, awaited.column, reader.richText());
      awaited = null;
    }
    if (record.id === ids.columns) {
      const [first, last, width] = [reader.word(), reader.word(), reader.word()];
      reader.skip(2);
      if ((reader.word() & 1) === 1 || width === 0) cells.hide(first, last);
    }
    if (record.id === ids.merged) {
      for (let left = reader.word(); left > 0; left--) {
        const [top, bottom, column] = [reader.word(), reader.word(), reader.word()];
        reader.skip(2);
        cells.merge(column, top, bottom);
      }
    }
    if (!cellRecords.has(record.id)) continue;
    const row = reader.word();
    const column = reader.word();
    if (record.id === ids.shortNumbers) {
      for (let index = 0; reader.left >= 6 + 2; index++) {
        const style = reader.word();
        setNumber(workbook, cells, { row, column: column + index, style }, shortNumber(reader.long()));
      }
      continue;
    }
    const place = { row, column, style: reader.word() };
    if (record.id === ids.sharedText) cells.set(row, column, workbook.texts[reader.long()] ?? '');
    if (record.id === ids.text || record.id === ids.richText) cells.set(row, column, reader.richText());
    if (record.id === ids.number) setNumber(workbook, cells, place, reader.double());
    if (record.id === ids.shortNumber) setNumber(workbook, cells, place, shortNumber(reader.long()));
    if (record.id === ids.truth) cells.set(row, column, truthText(reader.byte(), reader.byte() === 1));
    if (record.id === ids.formula) {
      const [kind, value, isNoNumber] = resultOf(reader);
      // Programs that compute nothing write 0.
      if (!isNoNumber && value === 0) cells.lackResult(column);
      else if (!isNoNumber) setNumber(workbook, cells, place, value);
      else if (kind === 0) awaited = { row, column };
      else if (kind === 1) cells.set(row, column, truthText(value, false));
    }
  }
  return cells;
}

const cellRecords: ReadonlySet<number> = new Set([
  ids.sharedText,
  ids.text,
  ids.richText,
  ids.number,
  ids.shortNumber,
  ids.shortNumbers,
  ids.truth,
  ids.formula,
]);

const truthText = (value: number, isError: boolean) => (isError ? '' : value === 1 ? 'true' : 'false');

/** Reads a formula's result: a number, unless the last two bytes are 0xFFFF. Kind 0 is a text, kind 1 a boolean. */
function resultOf(reader: RecordReader): readonly [kind: number, value: number, isNoNumber: boolean] {
  const bytes = new DataView(new ArrayBuffer(8));
  for (let index = 0; index < 8; index++) bytes.setUint8(index, reader.byte());
  const isNoNumber = bytes.getUint16(6, true) === 0xffff;
  return [bytes.getUint8(0), isNoNumber ? bytes.getUint8(2) : bytes.getFloat64(0, true), isNoNumber];
}

/** Decodes four bytes: an integer or the upper half of a double, possibly in hundredths. */
function shortNumber(bits: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setInt32(4, bits & ~3, true);
  const value = bits & 2 ? (bits | 0) >> 2 : view.getFloat64(0, true);
  return bits & 1 ? value / 100 : value;
}

function setNumber(
  { formats, from1904 }: Workbook,
  cells: SheetCells,
  { row, column, style }: { row: number; column: number; style: number },
  value: number,
): void {
  const { id, code } = formats[style] ?? { id: 0, code: '' };
  if (isDateFormat(id, code)) {
    const days = value + (from1904 ? 1462 : 0);
    cells.set(row, column, dayText(new Date(Date.UTC(1899, 11, 30) + days * 86_400_000)));
    return;
  }
  if (hasLeadingZeros(code)) cells.pad(column);
  cells.setNumber(row, column, value, padLengthOf(code));
}

/** Built-in date formats have fixed ids, among them those for Chinese and Japanese. */
const isDateFormat = (id: number, code: string): boolean =>
  (id >= 14 && id <= 17) ||
  id === 22 ||
  (id >= 27 && id <= 31) ||
  id === 36 ||
  (id >= 50 && id <= 58) ||
  /[dy]/i.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, ''));
