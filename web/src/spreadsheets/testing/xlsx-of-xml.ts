import { strToU8, zipSync } from 'fflate';

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const typeOf = (part: string) =>
  `application/vnd.openxmlformats-officedocument.spreadsheetml.${part === 'workbook' ? 'sheet.main' : part}+xml`;

export interface XlsxXml {
  readonly cells?: readonly string[];
  readonly strings?: readonly string[];
  readonly sheetName?: string;
  /** XML of the worksheet, used instead of `cells`, which fill column A. */
  readonly content?: string;
  readonly encode?: (xml: string) => Uint8Array;
}

/** Builds an XLSX file from raw XML, so that tests can imitate other programs. */
export function xlsxOfXml(given: XlsxXml): Blob {
  const { cells = [], strings = [], sheetName = 'S', encode = (xml) => strToU8(xml) } = given;
  const rows = cells.map((cell, index) => {
    const [, type, value] = /^(?:(\w+):)?(<[\s\S]*)$/.exec(cell) ?? [];
    return `<row r="${index + 1}"><c r="A${index + 1}"${type ? ` t="${type}"` : ''}>${value}</c></row>`;
  });
  const content = given.content ?? `<sheetData>${rows.join('')}</sheetData>`;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  const override = (path: string, part: string) =>
    `<Override PartName="/xl/${path}.xml" ContentType="${typeOf(part)}"/>`;
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types">${override('workbook', 'workbook')}${override('sharedStrings', 'sharedStrings')}</Types>`,
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('strings', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}>${content}</worksheet>`,
    'xl/sharedStrings.xml': `<sst ${main}>${strings.map((string) => `<si>${string}</si>`).join('')}</sst>`,
  };
  return new Blob([
    zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, encode(xml)]))).slice(),
  ]);
}

/** Escapes each character as a number, as programs do that write XML in ASCII. */
export const numericReferences = (text: string, base: 10 | 16 = 10): string =>
  [...text].map((letter) => `&#${base === 16 ? 'x' : ''}${letter.codePointAt(0)?.toString(base)};`).join('');
