import { allDigits, numberText, padDigits } from './numbers.ts';
import { hasHalfCharacter } from './plain-xml.ts';
import { UnreadableFile } from './unreadable-file.ts';

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

/** Cells per table. One cell far away would otherwise make a small file expand to millions of empty cells. */
export const cellsMax = 2_000_000;

export class SheetCells {
  readonly #rows = new Map<number, Map<number, string>>();
  readonly #padded = new Set<number>();
  readonly #digits = new Map<number, Map<number, string>>();
  readonly #uncalculated = new Set<number>();
  readonly #hidden: { readonly first: number; readonly last: number }[] = [];
  readonly #merges: Merge[] = [];
  #columns = 0;

  /** @param row from 0, like `column` @throws UnreadableFile for half a character, or beyond `cellsMax` */
  set(row: number, column: number, text: string): void {
    const trimmed = text.trim();
    if (trimmed === '') return;
    if (hasHalfCharacter(trimmed)) throw new UnreadableFile('text');
    const cells = this.#rows.get(row) ?? new Map<number, string>();
    cells.set(column, trimmed);
    this.#rows.set(row, cells);
    this.#columns = Math.max(this.#columns, column + 1);
    if (this.#rows.size * this.#columns > cellsMax) throw new UnreadableFile('tooLarge');
  }

  /** Sets a number. @param filledTo the number of digits that it is shown with */
  setNumber(row: number, column: number, value: number, filledTo: number): void {
    this.set(row, column, padDigits(numberText(value), filledTo));
    const digits = allDigits(value);
    if (digits === null) return;
    const own = this.#digits.get(row) ?? new Map<number, string>();
    own.set(column, digits);
    this.#digits.set(row, own);
  }

  pad(column: number): void {
    this.#padded.add(column);
  }

  lackResult(column: number): void {
    this.#uncalculated.add(column);
  }

  /** Hides columns up to and including `last`. */
  hide(first: number, last: number): void {
    this.#hidden.push({ first, last });
  }

  /** Merges cells of a column. @param top from 0, like `bottom`, which is included */
  merge(column: number, top: number, bottom: number): void {
    if (bottom > top) this.#merges.push({ column, from: top + 1, to: bottom + 1 });
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** Returns the rows in file order, without hidden and empty ones. */
  sheet(): Omit<Sheet, 'isGuess' | 'worksheets' | 'worksheet'> {
    const used = new Set([...this.#rows.values()].flatMap((cells) => [...cells.keys()]));
    const isHidden = (column: number) =>
      this.#hidden.some(({ first, last }) => first <= column && column <= last);
    const all = Array.from({ length: this.#columns }, (_, column) => column);
    const shown = all.filter((column) => !isHidden(column));
    const places = new Map(shown.map((column, place) => [column, place]));
    const placesOf = (columns: ReadonlySet<number>) =>
      new Set([...columns].flatMap((column) => places.get(column) ?? []));
    const rows = [...this.#rows]
      .sort(([one], [other]) => one - other)
      .map(([row, cells]) => ({
        line: row + 1,
        cells: shown.map((column) => cells.get(column) ?? ''),
        digits: renumberColumns(this.#digits.get(row), places),
      }))
      .filter(({ cells }) => cells.some((cell) => cell !== ''));
    return {
      rows,
      merges: this.#merges.flatMap((merge) => {
        const column = places.get(merge.column);
        return column === undefined ? [] : { ...merge, column };
      }),
      hiddenColumns: all.filter((column) => used.has(column) && isHidden(column)).length,
      uncalculated: placesOf(this.#uncalculated),
      paddedColumns: placesOf(this.#padded),
    };
  }
}

function renumberColumns<T>(
  byColumn: ReadonlyMap<number, T> | undefined,
  places: ReadonlyMap<number, number>,
): ReadonlyMap<number, T> | undefined {
  if (!byColumn) return undefined;
  return new Map(
    [...byColumn].flatMap(([column, value]) => {
      const place = places.get(column);
      return place === undefined ? [] : [[place, value] as const];
    }),
  );
}

/** A file with more worksheets is no list, and their names would fill the page. */
export const worksheetsMax = 500;
const worksheetNameLengthMax = 255;

/** Without `wanted`: the first with content. @throws UnreadableFile when none has content, or for too many */
export function chooseWorksheet<T>(
  names: readonly string[],
  wanted: number | null,
  read: (worksheet: number) => T,
  isEmpty: (sheet: T) => boolean,
): { readonly worksheet: number; readonly sheet: T } {
  const areTooMany =
    names.length > worksheetsMax || names.some(({ length }) => length > worksheetNameLengthMax);
  if (areTooMany) throw new UnreadableFile('tooLarge');
  for (const worksheet of wanted === null ? names.keys() : [wanted]) {
    const sheet = read(worksheet);
    if (wanted !== null || !isEmpty(sheet)) return { worksheet, sheet };
  }
  throw new UnreadableFile('empty');
}
