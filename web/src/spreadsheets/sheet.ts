import { filledUp, keptDigits, numberText } from './numbers.ts';
import { isBroken } from './plain-xml.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** One row of a file that is not empty. */
export interface SheetRow {
  /** Its number in the file, from 1; empty rows count. */
  readonly line: number;
  /** Trimmed. */
  readonly cells: readonly string[];
  /** Of numbers that are too long to be shown all digits that the file has, by column: those behind the first 15 were lost. */
  readonly digits?: ReadonlyMap<number, string> | undefined;
}

/** Merged cells that reach over several rows of one column. The file has their value in the first row alone. */
export interface Merge {
  /** From 0. */
  readonly column: number;
  /** Lines of the file, as in `SheetRow`. */
  readonly from: number;
  readonly to: number;
}

/** What was read of a file. Columns that the file hides are left out. */
export interface Sheet {
  readonly rows: readonly SheetRow[];
  readonly merges: readonly Merge[];
  /** How many columns with content were left out because the file hides them. */
  readonly hiddenColumns: number;
  /** Columns, from 0, with formulas whose results the file does not have. Their cells are read as empty. */
  readonly uncalculated: ReadonlySet<number>;
  /** Columns, from 0, of numbers that the file may show with more than their digits: 7 as S007. They are read as 7. */
  readonly paddedColumns: ReadonlySet<number>;
  /** Whether the file does not say in which encoding it is written: a reader should look whether the text is right. */
  readonly isGuess: boolean;
  /** Names of the worksheets that the file shows; none in a file that has no worksheets. */
  readonly worksheets: readonly string[];
  /** Which of them, from 0, these rows are from. */
  readonly worksheet: number;
  /** The line of a text, from 1, whose quote is never closed: it takes all lines behind it into one cell. */
  readonly openQuoteLine?: number | undefined;
}

/** A table's room: a cell far away would make a few bytes many millions of empty cells. */
export const roomMax = 2_000_000;

/**
 * Takes up what a worksheet holds cell by cell. Cells that hold nothing take no room until the end.
 */
export class SheetCells {
  readonly #rows = new Map<number, Map<number, string>>();
  readonly #padded = new Set<number>();
  readonly #digits = new Map<number, Map<number, string>>();
  readonly #uncalculated = new Set<number>();
  readonly #hidden: { readonly first: number; readonly last: number }[] = [];
  readonly #merges: Merge[] = [];
  #columns = 0;

  /**
   * @param row from 0, as `column`
   * @param text blanks around it are left out
   * @throws UnreadableFile where it is half a character, or too far away
   */
  set(row: number, column: number, text: string): void {
    const trimmed = text.trim();
    if (trimmed === '') return;
    if (isBroken(trimmed)) throw new UnreadableFile('text');
    const cells = this.#rows.get(row) ?? new Map<number, string>();
    cells.set(column, trimmed);
    this.#rows.set(row, cells);
    this.#columns = Math.max(this.#columns, column + 1);
    if (this.#rows.size * this.#columns > roomMax) throw new UnreadableFile('tooLarge');
  }

  /** Sets a number. @param filledTo how many digits it is shown with */
  setNumber(row: number, column: number, value: number, filledTo: number): void {
    this.set(row, column, filledUp(numberText(value), filledTo));
    const digits = keptDigits(value);
    if (digits === null) return;
    const own = this.#digits.get(row) ?? new Map<number, string>();
    own.set(column, digits);
    this.#digits.set(row, own);
  }

  /** A column has numbers that are shown with more than their digits. */
  pad(column: number): void {
    this.#padded.add(column);
  }

  /** A cell holds a formula whose result the file does not have. */
  lackResult(column: number): void {
    this.#uncalculated.add(column);
  }

  /** Hides columns, the last included. */
  hide(first: number, last: number): void {
    this.#hidden.push({ first, last });
  }

  /** Merges cells of a column. @param top from 0, as `bottom`, which is included */
  merge(column: number, top: number, bottom: number): void {
    if (bottom > top) this.#merges.push({ column, from: top + 1, to: bottom + 1 });
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** The rows as they stand in the file, without hidden columns. */
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
        digits: moved(this.#digits.get(row), places),
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

/** What stands in columns, by their places once others are left out. */
function moved<T>(
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

/** More are no lists, and their names would fill the page. */
export const worksheetsMax = 500;
const worksheetNameLengthMax = 255;

/**
 * The first of a file's worksheets that holds something, unless one is wanted.
 *
 * @throws UnreadableFile where none does, and where there are too many
 */
export function chosenSheet<T>(
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
