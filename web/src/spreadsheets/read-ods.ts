/// <reference path="./saxen.d.ts" />
import { Parser } from 'saxen';
import { plainXml } from './plain-xml.ts';
import { cellsMax, chooseWorksheet, type Sheet, SheetCells, worksheetsMax } from './sheet.ts';
import { UnreadableFile } from './unreadable-file.ts';
import { strFromU8, unzipSync } from './zip-without-workers.ts';

const contentPath = 'content.xml';
const manifestPath = 'META-INF/manifest.xml';
/** Limit after unpacking: many times what a list of 10 MB needs. */
const contentBytesMax = 100_000_000;
/** Limits of the spreadsheet programs. */
const rowsMax = 2 ** 20;
const columnsMax = 2 ** 14;

const names = {
  'urn:oasis:names:tc:opendocument:xmlns:office:1.0': 'office',
  'urn:oasis:names:tc:opendocument:xmlns:style:1.0': 'style',
  'urn:oasis:names:tc:opendocument:xmlns:table:1.0': 'table',
  'urn:oasis:names:tc:opendocument:xmlns:text:1.0': 'text',
};

/** Comments, drawings, footnotes and phonetic guides are no part of a cell's text. */
const ignoredElements: ReadonlySet<string> = new Set([
  'office:annotation',
  'table:shapes',
  'text:ruby-text',
  'text:note',
]);

interface Worksheet {
  readonly name: string;
  readonly cells: SheetCells;
}

/** Reads stored results of formulas. @param wanted from 0; null: first with content @throws UnreadableFile */
export function readOds(bytes: Uint8Array, wanted: number | null): Sheet {
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      const isNeeded = name === contentPath || name === manifestPath;
      if (isNeeded && originalSize > contentBytesMax) throw new UnreadableFile('tooLarge');
      return isNeeded;
    },
  });
  const manifest = strFromU8(parts[manifestPath] ?? new Uint8Array());
  if (/encryption-data|encrypted-package/.test(manifest)) throw new UnreadableFile('locked');
  const content = parts[contentPath];
  if (!content) throw new UnreadableFile('broken');
  const worksheets = worksheetsOf(plainXml(content));
  const { worksheet, sheet } = chooseWorksheet(
    worksheets.map(({ name }) => name),
    wanted,
    (index) => worksheets[index]?.cells ?? new SheetCells(),
    (cells) => cells.isEmpty,
  );
  return {
    ...sheet.sheet(),
    isGuess: false,
    worksheets: worksheets.map(({ name }) => name),
    worksheet,
  };
}

interface Cell {
  readonly column: number;
  readonly repeated: number;
  readonly type: string;
  readonly value: string;
  readonly isFormula: boolean;
  readonly spanned: number;
  readonly lines: string[];
}

/** Parses the XML as a stream, without a tree, so that deep nesting takes no more memory. */
function worksheetsOf(xml: string): Worksheet[] {
  const found: Worksheet[] = [];
  const hiddenStyles = new Set<string>();
  let style = '';
  let cells: SheetCells | null = null;
  let row = 0;
  let rowsRepeated = 1;
  let column = 0;
  let columns = 0;
  let inRow: Cell[] = [];
  // All worksheets share one limit, because a few bytes each could fill many of them.
  let room = cellsMax;
  let cell: Cell | null = null;
  // Counts open elements that are no part of the text, and open tables inside tables.
  let aside = 0;
  let inLine = false;
  const add = (text: string) => {
    if (cell && inLine) cell.lines[cell.lines.length - 1] += text;
  };
  const parser = new Parser();
  parser.ns(names);
  parser.on('error', (error: Error) => {
    throw error;
  });
  parser.on(
    'openTag',
    (name: string, attributes: () => Record<string, string>, decode: (text: string) => string) => {
      const value = (attribute: string) => decode(attributes()[attribute] ?? '');
      if (ignoredElements.has(name) || (name === 'table:table' && cell)) aside++;
      if (aside > 0) return;
      if (name === 'style:style') style = value('style:name');
      if (name === 'style:table-properties' && value('table:display') === 'false') hiddenStyles.add(style);
      if (name === 'table:table') {
        cells = new SheetCells();
        row = 0;
        columns = 0;
        if (!hiddenStyles.has(value('table:style-name'))) found.push({ name: value('table:name'), cells });
        if (found.length > worksheetsMax) throw new UnreadableFile('tooLarge');
      }
      if (name === 'table:table-column') {
        const repeated = repeatCount(value('table:number-columns-repeated'));
        const isOff = ['collapse', 'filter'].includes(value('table:visibility'));
        if (isOff) cells?.hide(columns, columns + repeated - 1);
        columns += repeated;
      }
      if (name === 'table:table-row') {
        rowsRepeated = repeatCount(value('table:number-rows-repeated'));
        column = 0;
        inRow = [];
      }
      if (isCell(name)) {
        const repeated = repeatCount(value('table:number-columns-repeated'));
        const type = value('office:value-type');
        const isFormula = value('table:formula') !== '';
        const spanned = repeatCount(value('table:number-rows-spanned'));
        const own = value(valueOfType[type] ?? '');
        cell = { column, repeated, type, value: own, isFormula, spanned, lines: [] };
        column += repeated;
      }
      if (isLine(name)) {
        cell?.lines.push('');
        inLine = true;
      }
      if (name === 'text:s') add(' '.repeat(Math.min(repeatCount(value('text:c')), 1000)));
      if (name === 'text:tab') add('\t');
      if (name === 'text:line-break') add('\n');
    },
  );
  parser.on('text', (text: string, decode: (text: string) => string) => {
    // XML shows any run of blanks and line ends as one blank.
    if (aside === 0) add(decode(text.replace(/[\n\r\t ]+/g, ' ')));
  });
  parser.on('closeTag', (name: string) => {
    if (ignoredElements.has(name) || (name === 'table:table' && cell)) {
      aside--;
      return;
    }
    if (aside > 0) return;
    if (isLine(name)) inLine = false;
    if (isCell(name)) {
      if (cell && isLackingResult(cell)) cells?.lackResult(cell.column);
      else if (cell && (cell.type !== '' || cell.lines.length > 0)) inRow.push(cell);
      cell = null;
    }
    if (name === 'table:table-row') {
      if (cells && inRow.length > 0) room -= setRows(cells, { row, repeated: rowsRepeated, room }, inRow);
      row += rowsRepeated;
    }
  });
  parser.parse(xml);
  return found;
}

const isCell = (name: string) => name === 'table:table-cell' || name === 'table:covered-table-cell';
const isLine = (name: string) => name === 'text:p' || name === 'text:h';

/** The attribute that holds a cell's value, by value type. For other types the value is the cell's text. */
const valueOfType: Readonly<Record<string, string>> = {
  float: 'office:value',
  percentage: 'office:value',
  currency: 'office:value',
  date: 'office:date-value',
  boolean: 'office:boolean-value',
  string: 'office:string-value',
};

/** Parses a repeat count. Caps it at one above the row limit: sums stay exact, and too many are still noticed. */
const repeatCount = (repeated: string): number =>
  Math.min(Math.max(1, Math.floor(Number(repeated)) || 1), rowsMax + 1);

/** Sets repeated cells of a row and returns their number. @throws UnreadableFile beyond the limits */
function setRows(
  sheet: SheetCells,
  { row, repeated, room }: Readonly<Record<'row' | 'repeated' | 'room', number>>,
  cells: readonly Cell[],
): number {
  let filled = 0;
  for (const cell of cells) {
    const content = contentOf(cell);
    if (content === '') continue;
    sheet.merge(cell.column, row, row + cell.spanned - 1);
    const isFar = row + repeated > rowsMax || cell.column + cell.repeated > columnsMax;
    filled += repeated * cell.repeated;
    if (isFar || filled > room) throw new UnreadableFile('tooLarge');
    const put = (at: number, column: number) =>
      typeof content === 'string'
        ? sheet.set(at, column, content)
        : sheet.setNumber(at, column, content.value, content.filledTo);
    for (let down = 0; down < repeated; down++) {
      for (let right = 0; right < cell.repeated; right++) put(row + down, cell.column + right);
    }
    if (isPadded(cell)) sheet.pad(cell.column);
  }
  return filled;
}

const shownIn = ({ lines }: Cell) => lines.join('\n').trim();

/** A formula with no result, or with 0: programs that compute nothing write one of the two. */
const isLackingResult = ({ isFormula, type, value }: Cell): boolean =>
  isFormula && (type === '' || (type === 'float' && Number(value) === 0));

/** Returns a cell's content. A number keeps the leading zeros that its text shows. */
function contentOf(cell: Cell): string | { readonly value: number; readonly filledTo: number } {
  if (cell.type === 'date') return cell.value.slice(0, 10);
  if (cell.type === 'boolean') return cell.value;
  const shown = shownIn(cell);
  if (cell.type === 'string') return shown || cell.value;
  if (cell.value === '') return shown;
  const value = Number(cell.value);
  return { value, filledTo: /^0\d+$/.test(shown) && Number(shown) === value ? shown.length : 0 };
}

const isPadded = (cell: Cell): boolean => cell.type === 'float' && /^[^\d.,+-]+0\d+$/.test(shownIn(cell));
