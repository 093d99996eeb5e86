import { strToU8, zipSync } from 'fflate';

const xmlns = (name: string) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`;

export const odsOfXml = (
  table: string,
  { manifest = '', styles = '', attributes = '' } = {},
): Uint8Array<ArrayBuffer> =>
  zipSync({
    mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'),
    'META-INF/manifest.xml': strToU8(manifest),
    'content.xml': strToU8(
      `<office:document-content ${['office', 'table', 'text', 'style'].map(xmlns).join(' ')}>${styles}<table:table table:name="S" ${attributes}>${table}</table:table></office:document-content>`,
    ),
  }).slice();

export const odsRow = (cells: string, repeated = 1): string =>
  `<table:table-row table:number-rows-repeated="${repeated}">${cells}</table:table-row>`;

export const odsCell = (text: string, attributes = ''): string =>
  `<table:table-cell office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`;

export const odsNumber = (value: number, shown: string, attributes = ''): string =>
  `<table:table-cell office:value-type="float" office:value="${value}" ${attributes}><text:p>${shown}</text:p></table:table-cell>`;
