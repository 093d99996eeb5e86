export interface SheetRow {
  /** The row's number in the file, from 1, empty rows included. */
  readonly line: number;
  readonly cells: readonly string[];
  /** All digits of long numbers, by column. Spreadsheet programs replace digits after the 15th with zeros. */
  readonly digits?: ReadonlyMap<number, string> | undefined;
}

/** Merged cells of one column. The file stores their value only in the first row. */
export interface MergedCells {
  /** From 0. */
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

/** A worksheet without the columns that the file hides. */
export interface Sheet {
  readonly rows: readonly SheetRow[];
  readonly merges: readonly MergedCells[];
  readonly hiddenColumns: number;
  /** Columns, from 0, with formulas whose results the file lacks. Their cells are read as empty. */
  readonly uncalculated: ReadonlySet<number>;
  /** Columns, from 0, of numbers that the file may show with a prefix, such as 7 as S007. They are read as 7. */
  readonly paddedColumns: ReadonlySet<number>;
  /** True when the file does not state its encoding, so a person should check the text. */
  readonly isGuess: boolean;
  readonly worksheets: readonly string[];
  readonly worksheet: number;
  /** The row of a text file, from 1, with a quote that is never closed. All later rows are part of that cell. */
  readonly openQuoteLine?: number | undefined;
}

/** Limit of cells in a file; more would fill the memory of a device. */
export const cellsMax = 2_000_000;
/** Limits of the spreadsheet programs, also for columns. */
export const rowsMax = 2 ** 20;
export const columnsMax = 2 ** 14;
/** A file with more worksheets is no list of students, and their names would fill the page. */
export const worksheetsMax = 500;

export type UnreadableReason =
  | 'tooLarge'
  | 'kind'
  | 'pdf'
  | 'picture'
  | 'document'
  | 'archive'
  /** A web page with the name of a spreadsheet, as some school systems export lists. */
  | 'webPage'
  /** Excel 95 and earlier, and Excel's binary format (.xlsb). */
  | 'otherExcel'
  | 'locked'
  | 'broken'
  | 'text'
  | 'empty';

export class UnreadableFile extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}
