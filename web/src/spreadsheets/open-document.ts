import { attributeOf, findTags } from './normalize-xml.ts';
import { cellsMax, columnsMax, rowsMax, worksheetsMax } from './sheet.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** Facts about a worksheet of an .ods file that the library does not read. */
export interface OpenWorksheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly hiddenColumns: readonly { readonly first: number; readonly last: number }[];
}

/** Finds names and hidden columns. @throws UnreadableFile when repeated cells would fill the memory */
export function worksheetsOf(content: string): OpenWorksheet[] {
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
export function repairMisreadXml(content: string): string {
  return content
    .replace(/<text:ruby-text[^<>]*>[^<]*<\/text:ruby-text>/g, '')
    .replace(/text:c="\d{3,}"/g, 'text:c="99"')
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replace(/<table:table-cell(?=[^<>]*table:formula)(?![^<>]*value-type)([^<>]*)\/>/g, withoutResult);
}

const withoutResult = '<table:table-cell$1 office:value-type="float" office:value="0"></table:table-cell>';
