import { hasLeadingZeros, padLengthOf } from './numbers.ts';
import { attribute, tagsIn, type XlsxParts } from './xlsx-parts.ts';

export interface ShownDigits {
  /** Returns the number of digits to which a cell pads its number, for example 8 with the format 00000000. */
  readonly of: (row: number, column: number) => number;
  readonly hasOthers: boolean;
}

/** Reads the number formats of a sheet, which the library for the values does not return. */
export function shownDigits({ sheet, styles }: Pick<XlsxParts, 'sheet' | 'styles'>): ShownDigits {
  const formats = new Map(
    tagsIn(styles, 'numFmt').map((tag) => [attribute(tag, 'numFmtId'), attribute(tag, 'formatCode')]),
  );
  const cellStyles = /<(?:\w+:)?cellXfs\b[\s\S]*?(?:cellXfs>|$)/.exec(styles)?.[0] ?? '';
  const digitsOfStyle = tagsIn(cellStyles, 'xf').map((tag) => {
    return padLengthOf(formats.get(attribute(tag, 'numFmtId')) ?? '');
  });
  const byCell = new Map<string, number>();
  const hasDigits = digitsOfStyle.some((digits) => digits > 0);
  if (hasDigits) {
    for (const tag of tagsIn(sheet, 'c')) {
      const digits = digitsOfStyle[Number(attribute(tag, 's') || -1)] ?? 0;
      if (digits > 0) byCell.set(attribute(tag, 'r'), digits);
    }
  }
  return {
    of: (row, column) => byCell.get(`${columnName(column)}${row + 1}`) ?? 0,
    // Also true when formats exist but no cell with them was found: a needless question is better than lost zeros.
    hasOthers: (hasDigits && byCell.size === 0) || [...formats.values()].some(hasLeadingZeros),
  };
}

function columnName(column: number): string {
  const before = column >= 26 ? columnName(Math.floor(column / 26) - 1) : '';
  return before + String.fromCharCode(65 + (column % 26));
}
