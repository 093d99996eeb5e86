export interface SheetRow {
  /** The row's number in the file, from 1; empty rows count. */
  readonly line: number;
  readonly cells: readonly string[];
  /** All digits of numbers too long to be shown, by column. Digits after the 15th were lost. */
  readonly digits?: ReadonlyMap<number, string> | undefined;
}

/** Cells of one column merged over several rows. The file stores their value only in the first row. */
export interface Merge {
  /** From 0. */
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

/** Columns that the file hides are left out. */
export interface Sheet {
  readonly rows: readonly SheetRow[];
  readonly merges: readonly Merge[];
  readonly hiddenColumns: number;
  /** Columns, from 0, with formulas whose results the file lacks. Those cells are read as empty. */
  readonly uncalculated: ReadonlySet<number>;
  /** Columns, from 0, of numbers that the file may show with a prefix: 7 as S007. They are read as 7. */
  readonly paddedColumns: ReadonlySet<number>;
  /** True when the file does not state its encoding: a person should check that the text is right. */
  readonly isGuess: boolean;
  readonly worksheets: readonly string[];
  readonly worksheet: number;
  /** The row of a text file, from 1, with a quote that is never closed: its cell contains all rows after it. */
  readonly openQuoteLine?: number | undefined;
}

/** Cells per file: more would fill the memory of a device. */
export const cellsMax = 2_000_000;
/** Limits of the spreadsheet programs. */
export const rowsMax = 2 ** 20;
export const columnsMax = 2 ** 14;
/** A file with more worksheets is no list, and their names would fill the page. */
export const worksheetsMax = 500;
