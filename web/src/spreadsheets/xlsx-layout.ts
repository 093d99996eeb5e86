/// <reference path="./saxen.d.ts" />
import { Parser } from 'saxen';
import { cellsMax } from './sheet.ts';
import { UnreadableFile } from './unreadable-file.ts';

export interface XlsxLayout {
  readonly merges: readonly { readonly column: number; readonly top: number; readonly bottom: number }[];
  readonly hidden: readonly { readonly first: number; readonly last: number }[];
  /** True for a formula with no result, or with 0: programs that compute nothing write one of the two. */
  readonly isUncalculated: (row: number, column: number) => boolean;
  readonly uncalculatedColumns: ReadonlySet<number>;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/** Limit of the spreadsheet programs. */
const rowsMax = 2 ** 20;

/** Uses the library's parser, so that both see the same tags. @throws UnreadableFile when the table is too large */
export function layoutOf(sheet: string): XlsxLayout {
  const merges: { column: number; top: number; bottom: number }[] = [];
  const hidden: { first: number; last: number }[] = [];
  const uncalculated = new Set<string>();
  const uncalculatedColumns = new Set<number>();
  let [rows, columns] = [0, 0];
  let cell: { readonly place: Place; readonly isNumber: boolean; isFormula: boolean; value: string } | null =
    null;
  let inValue = false;
  const parser = new Parser();
  parser.on('error', (error: Error) => {
    throw error;
  });
  parser.on('openTag', (tag: string, attributes: () => Record<string, string>) => {
    const name = bareName(tag);
    const own = () => Object.entries(attributes()).map(([key, value]) => [bareName(key), value] as const);
    if (name === 'row') {
      for (const [key, value] of own())
        if (key === 'r' && !(Number(value) <= rowsMax)) throw new UnreadableFile('tooLarge');
    }
    if (name === 'c') {
      cell = null;
      for (const [key, value] of own()) {
        if (key !== 'r') continue;
        const place = placeNamed(value);
        if (!place) throw new UnreadableFile('broken');
        cell = { place, isNumber: (attributes().t ?? 'n') === 'n', isFormula: false, value: '' };
        // The library fills the table up to this cell, even if the cell is empty.
        rows = Math.max(rows, place.row + 1);
        columns = Math.max(columns, place.column + 1);
      }
      if (rows * columns > cellsMax) throw new UnreadableFile('tooLarge');
    }
    if (name === 'f' && cell) cell.isFormula = true;
    if (name === 'v') inValue = true;
    if (name === 'col') {
      const { min, max, hidden: isHidden, width } = attributes();
      const isOff = isHidden === '1' || isHidden === 'true' || Number(width ?? 1) === 0;
      if (isOff) hidden.push({ first: Number(min) - 1, last: Number(max) - 1 });
    }
    if (name === 'mergeCell') {
      const [from = '', to = from] = (attributes().ref ?? '').split(':');
      const [first, last] = [placeNamed(from), placeNamed(to)];
      if (first && last) merges.push({ column: first.column, top: first.row, bottom: last.row });
    }
  });
  parser.on('text', (text: string) => {
    if (cell && inValue) cell.value += text.trim();
  });
  parser.on('closeTag', (tag: string) => {
    const name = bareName(tag);
    if (name === 'v') inValue = false;
    if (name !== 'c' || !cell) return;
    const { place, isFormula, isNumber, value } = cell;
    const isLacking = isFormula && isNumber && Number(value) === 0;
    if (isLacking) {
      uncalculated.add(`${place.row} ${place.column}`);
      uncalculatedColumns.add(place.column);
    }
    cell = null;
  });
  parser.parse(sheet);
  return {
    merges,
    hidden,
    uncalculatedColumns,
    isUncalculated: (row, column) => uncalculated.has(`${row} ${column}`),
  };
}

const bareName = (name: string) => name.slice(name.indexOf(':') + 1);

function placeNamed(reference: string): Place | null {
  const [, letters, row] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(reference.toUpperCase()) ?? [];
  if (letters === undefined || row === undefined) return null;
  const column = [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
  return { row: Number(row) - 1, column: column - 1 };
}
