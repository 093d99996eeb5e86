import { strToU8, zipSync } from 'fflate';

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface XlsxXml {
  readonly cells: readonly string[];
  readonly strings?: readonly string[];
  readonly sheetName?: string;
  readonly encode?: (xml: string) => Uint8Array;
}

/** Builds an XLSX file from raw XML, as other programs write it. */
export function xlsxOfXml({ cells, strings = [], sheetName = 'S', encode = strToU8 }: XlsxXml): Blob {
  const rows = cells.map((cell, index) => {
    const [, type, content] = /^(?:(\w+):)?(<[\s\S]*)$/.exec(cell) as unknown as [string, string?, string?];
    return `<row r="${index + 1}"><c r="A${index + 1}"${type ? ` t="${type}"` : ''}>${content}</c></row>`;
  });
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  const parts = {
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${rows.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst ${main}>${strings.map((string) => `<si>${string}</si>`).join('')}</sst>`,
  };
  return new Blob([
    zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, encode(xml)]))).slice(),
  ]);
}

/** Escapes text as programs do that write XML in ASCII. */
export const inNumbers = (text: string, base: 10 | 16 = 10): string =>
  [...text].map((letter) => `&#${base === 16 ? 'x' : ''}${letter.codePointAt(0)?.toString(base)};`).join('');
