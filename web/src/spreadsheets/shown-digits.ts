import { strFromU8, unzipSync } from './zip-without-workers.ts';

/** How an XLSX file shows its numbers, as far as zeros before them go. */
export interface ShownDigits {
  /** How many digits the number in a cell is filled up to, for example 8 where its format is 00000000. */
  readonly of: (row: number, column: number) => number;
  /** Whether some numbers have a format with zeros that is more than digits, such as "S"0000. */
  readonly hasOthers: boolean;
}

const stylesPath = 'xl/styles.xml';
const workbookPath = 'xl/workbook.xml';
const relationsPath = 'xl/_rels/workbook.xml.rels';

/** Zeros alone; what may follow is for negative numbers, text, or the width of a character. */
const digitsAlone = /^(00+)(?:[;_].*)?$/;
/** A format such as 000, not 0.00 alone. */
const someDigits = /^(?:.*[^0#.,?E+-])?00/;

/** Reads the formats of the first sheet, which the library that reads the values does not tell. */
export function shownDigits(bytes: Uint8Array): ShownDigits {
  const styles = textIn(bytes, stylesPath);
  const formats = new Map(
    tagsIn(styles, 'numFmt').map((tag) => [
      attribute(tag, 'numFmtId'),
      unescaped(attribute(tag, 'formatCode')),
    ]),
  );
  const cellStyles = /<(?:\w+:)?cellXfs\b[\s\S]*?cellXfs>/.exec(styles)?.[0] ?? '';
  const digitsOfStyle = tagsIn(cellStyles, 'xf').map((tag) => {
    const format = formats.get(attribute(tag, 'numFmtId')) ?? '';
    return digitsAlone.exec(format)?.[1]?.length ?? 0;
  });
  const byCell = new Map<string, number>();
  const hasDigits = digitsOfStyle.some((digits) => digits > 0);
  if (hasDigits) {
    for (const tag of tagsIn(textIn(bytes, firstSheetPath(bytes)), 'c')) {
      const digits = digitsOfStyle[Number(attribute(tag, 's') || -1)] ?? 0;
      if (digits > 0) byCell.set(attribute(tag, 'r'), digits);
    }
  }
  return {
    of: (row, column) => byCell.get(`${columnName(column)}${row + 1}`) ?? 0,
    // Also where the formats are there and their cells were not found: better a needless question than lost zeros.
    hasOthers:
      (hasDigits && byCell.size === 0) ||
      [...formats.values()].some((format) => someDigits.test(format) && !digitsAlone.test(format)),
  };
}

function firstSheetPath(bytes: Uint8Array): string {
  const id = attribute(tagsIn(textIn(bytes, workbookPath), 'sheet')[0] ?? '', 'r:id');
  const relation = tagsIn(textIn(bytes, relationsPath), 'Relationship').find(
    (tag) => attribute(tag, 'Id') === id,
  );
  const target = attribute(relation ?? '', 'Target');
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

function textIn(bytes: Uint8Array, path: string): string {
  const found = unzipSync(bytes, { filter: ({ name }) => name === path })[path];
  return found === undefined ? '' : strFromU8(found);
}

/** Some programs write a prefix before each name. */
const tagsIn = (xml: string, name: string) =>
  xml.match(new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])[^>]*>`, 'g')) ?? [];

const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** 0 is A, 25 is Z, 26 is AA. */
function columnName(column: number): string {
  const before = column >= 26 ? columnName(Math.floor(column / 26) - 1) : '';
  return before + String.fromCharCode(65 + (column % 26));
}
