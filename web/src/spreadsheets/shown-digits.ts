import { digitsOf, mayPad } from './numbers.ts';
import { attribute, tagsIn, type XlsxParts } from './xlsx-parts.ts';

/** How an XLSX file shows its numbers, as far as zeros before them go. */
export interface ShownDigits {
  /** How many digits the number in a cell is filled up to, for example 8 where its format is 00000000. */
  readonly of: (row: number, column: number) => number;
  /** Whether some numbers have a format with zeros that is more than digits, such as "S"0000. */
  readonly hasOthers: boolean;
}

/** Reads the formats of a sheet, which the library that reads the values does not tell. */
export function shownDigits({ sheet, styles }: Pick<XlsxParts, 'sheet' | 'styles'>): ShownDigits {
  const formats = new Map(
    tagsIn(styles, 'numFmt').map((tag) => [attribute(tag, 'numFmtId'), attribute(tag, 'formatCode')]),
  );
  const cellStyles = /<(?:\w+:)?cellXfs\b[\s\S]*?(?:cellXfs>|$)/.exec(styles)?.[0] ?? '';
  const digitsOfStyle = tagsIn(cellStyles, 'xf').map((tag) => {
    return digitsOf(formats.get(attribute(tag, 'numFmtId')) ?? '');
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
    // Also where the formats are there and their cells were not found: better a needless question than lost zeros.
    hasOthers: (hasDigits && byCell.size === 0) || [...formats.values()].some(mayPad),
  };
}

/** 0 is A, 25 is Z, 26 is AA. */
function columnName(column: number): string {
  const before = column >= 26 ? columnName(Math.floor(column / 26) - 1) : '';
  return before + String.fromCharCode(65 + (column % 26));
}
