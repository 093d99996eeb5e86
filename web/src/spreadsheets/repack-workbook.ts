import { attributeOf, findTags, normalizeXml, openingTagPattern } from './normalize-xml.ts';
import { cellsMax, columnsMax, rowsMax, UnreadableFile, worksheetsMax } from './sheet.ts';
import { strFromU8, strToU8, unzipSync, zipSync } from './zip-without-workers.ts';

/** Limit after unpacking, many times the need of the largest list. */
const unpackedBytesMax = 100_000_000;

type Parts = Readonly<Record<string, string>>;

/** Unpacks the needed parts as plain XML. @throws UnreadableFile when a part is too large or incomplete */
function unpack(bytes: Uint8Array, isNeeded: (name: string) => boolean): Parts {
  let left = unpackedBytesMax;
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!isNeeded(name)) return false;
      left -= originalSize;
      if (left < 0) throw new UnreadableFile('tooLarge');
      return true;
    },
  });
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, wholeXml(part)]));
}

/** Decodes XML. @throws UnreadableFile when it ends early: fflate cuts off parts larger than the file claims */
function wholeXml(bytes: Uint8Array): string {
  const xml = normalizeXml(bytes);
  const root = /<([\w:.-]+)/.exec(xml)?.[1];
  const isWhole =
    /<\/([\w:.-]+)\s*>\s*$/.exec(xml.slice(-200))?.[1] === root || /^\s*<[^<>]*\/>\s*$/.test(xml);
  if (!isWhole) throw new UnreadableFile('broken');
  return xml;
}

const pack = (parts: Parts): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])), { level: 0 });

const typesPath = '[Content_Types].xml';
const workbookPath = 'xl/workbook.xml';
const relationsPath = 'xl/_rels/workbook.xml.rels';
const neededInXlsx =
  /^(?:\[Content_Types\]\.xml|xl\/[^/]+\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[^/]+\.xml)$/i;

/** Packs an .xlsx file again with only its worksheets, whose XML is adapted to the library. */
export function repackXlsx(bytes: Uint8Array): Uint8Array {
  const parts = unpack(bytes, (name) => neededInXlsx.test(name));
  const worksheets = new Set(
    findTags(parts[relationsPath] ?? '', 'Relationship')
      .filter((tag) => attributeOf(tag, 'Type').endsWith('/worksheet'))
      .map((tag) => attributeOf(tag, 'Id')),
  );
  const all = parts[workbookPath] ?? '';
  if (findTags(all, 'sheet').length > worksheetsMax) throw new UnreadableFile('tooLarge');
  const workbook = all.replace(openingTagPattern('sheet'), (tag) =>
    // Leaves out charts, and repeated entries for one worksheet, because the library would read it each time.
    worksheets.delete(attributeOf(tag, 'id')) ? tag : '',
  );
  const types = (parts[typesPath] ?? '').replace(openingTagPattern('Override'), (tag) =>
    Object.hasOwn(parts, attributeOf(tag, 'PartName').slice(1)) ? tag : '',
  );
  let left = cellsMax;
  const adapted = Object.entries(parts).map(([name, xml]) => {
    if (!xml.includes('sheetData')) return [name, xml] as const;
    const sheet = adaptWorksheet(xml);
    left -= sheet.match(cellStart)?.length ?? 0;
    if (left < 0) throw new UnreadableFile('tooLarge');
    return [name, sheet] as const;
  });
  return pack({ ...Object.fromEntries(adapted), [workbookPath]: workbook, [typesPath]: types });
}

/** Removes links and empty cells, which cost the library time and memory, and simplifies formulas. */
function adaptWorksheet(xml: string): string {
  const isWide = findTags(xml, 'col').some((tag) => Number(attributeOf(tag, 'max')) > columnsMax);
  if (isWide) throw new UnreadableFile('broken');
  return xml
    .replace(openingTagPattern('hyperlink'), '')
    .replace(emptyCell, '')
    .replace(formula, '<f>0</f>')
    .replace(textOfFormula, '$1inlineStr$2<is><t>$3</t></is>');
}

/** Matches cells with only a format, which programs write even far away from the data. */
const emptyCell = /<(?:\w+:)?c(?=[\s/])[^<>]*\/>/g;
const cellStart = /<(?:\w+:)?c[\s>]/g;
const formula = /<(?:\w+:)?f(?=[\s/>])[^<>]*(?:\/>|>[^<]*<\/(?:\w+:)?f>)/g;
const textOfFormula =
  /(<(?:\w+:)?c\s(?:[^<>]*\s)?t=["'])str(["'][^<>]*>)\s*(?:<f>0<\/f>)?\s*<(?:\w+:)?v(?:\s[^<>]*)?>([^<]*)<\/(?:\w+:)?v>/g;

const manifestPath = 'META-INF/manifest.xml';
const contentPath = 'content.xml';

/** Packs an .ods file again with only its tables, and reads facts about them that the library leaves out. */
export function repackOds(bytes: Uint8Array): { bytes: Uint8Array; worksheets: readonly OpenWorksheet[] } {
  const manifest = unzipSync(bytes, {
    filter: ({ name, originalSize }) => name === manifestPath && originalSize < unpackedBytesMax,
  });
  if (/encryption-data|encrypted-package/.test(strFromU8(manifest[manifestPath] ?? new Uint8Array())))
    throw new UnreadableFile('locked');
  const content = unpack(bytes, (name) => name === contentPath)[contentPath];
  if (content === undefined) throw new UnreadableFile('broken');
  const worksheets = worksheetsOf(content);
  const parts = {
    [manifestPath]: '<manifest/>',
    'styles.xml': '<styles/>',
    [contentPath]: repairMisreadXml(content),
  };
  return { bytes: pack(parts), worksheets };
}

interface OpenWorksheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly hiddenColumns: readonly { readonly first: number; readonly last: number }[];
}

/** Finds names and hidden columns. @throws UnreadableFile when repeated cells would fill the memory */
function worksheetsOf(content: string): OpenWorksheet[] {
  const hiddenStyles = new Set<string>();
  const worksheets: (OpenWorksheet & { hiddenColumns: { first: number; last: number }[] })[] = [];
  let [style, columns, row, rowsRepeated, column, cells] = ['', 0, 0, 1, 0, 0];
  for (const tag of findTags(content, elements)) {
    const name = /:([\w-]+)/.exec(tag)?.[1];
    const repeated = (what: string) => repeatCount(attributeOf(tag, `number-${what}-repeated`));
    if (name === 'style') style = attributeOf(tag, 'name');
    if (name === 'table-properties' && attributeOf(tag, 'display') === 'false') hiddenStyles.add(style);
    if (name === 'table') {
      const isHidden = hiddenStyles.has(attributeOf(tag, 'style-name'));
      worksheets.push({ name: attributeOf(tag, 'name'), isHidden, hiddenColumns: [] });
      if (worksheets.length > worksheetsMax) throw new UnreadableFile('tooLarge');
      [columns, row, rowsRepeated] = [0, 0, 0];
    }
    if (name === 'table-column') {
      const first = columns;
      columns += repeated('columns');
      if (/collapse|filter/.test(attributeOf(tag, 'visibility')))
        worksheets.at(-1)?.hiddenColumns.push({ first, last: columns - 1 });
    }
    if (name === 'table-row') {
      row += rowsRepeated;
      rowsRepeated = repeated('rows');
      column = 0;
    }
    if (name === 'table-cell' || name === 'covered-table-cell') {
      const count = repeated('columns');
      column += count;
      const isEmpty = name === 'table-cell' && tag.endsWith('/>') && !/value-type|formula/.test(tag);
      if (isEmpty) continue;
      // All worksheets share one limit, because each could claim millions of cells in a few bytes.
      cells += rowsRepeated * count;
      if (cells > cellsMax || row + rowsRepeated > rowsMax || column > columnsMax)
        throw new UnreadableFile('tooLarge');
    }
  }
  return worksheets;
}

const elements = '(?:style|table|table-properties|table-column|table-row|table-cell|covered-table-cell)';

/** Parses a repeat count, at most one above the limit of rows, so that sums stay exact but exceed the limit. */
const repeatCount = (repeated: string): number =>
  Math.min(Math.max(1, Math.floor(Number(repeated)) || 1), rowsMax + 1);

/** Changes XML that the library misreads: phonetic guides, text such as `_x0041_`, and formulas without a result. */
function repairMisreadXml(content: string): string {
  return content
    .replace(/<text:ruby-text[^<>]*>[^<]*<\/text:ruby-text>/g, '')
    .replace(/text:c="\d{3,}"/g, 'text:c="99"')
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replace(/<table:table-cell(?=[^<>]*table:formula)(?![^<>]*value-type)([^<>]*)\/>/g, withoutResult);
}

const withoutResult = '<table:table-cell$1 office:value-type="float" office:value="0"></table:table-cell>';
