import { createRequire } from 'node:module';
import { strFromU8, strToU8, unzipSync, zipSync } from '../../../web/src/spreadsheets/zip-without-workers.ts';

const require = createRequire(new URL('../../../web/package.json', import.meta.url));

/** Rows of text as an XLSX file in ASCII, with other characters by their numbers, as openpyxl writes them. */
export async function xlsxOf(rows: readonly (readonly string[])[]): Promise<Buffer> {
  const { default: write } = await import(require.resolve('write-excel-file/node'));
  const written = await write(rows.map((row) => row.map((value) => ({ value, type: String })))).toBuffer();
  const inNumbers = (xml: string) => xml.replace(/[^\0-\x7F]/gu, (letter) => `&#${letter.codePointAt(0)};`);
  const parts = Object.entries(unzipSync(written));
  return Buffer.from(
    zipSync(Object.fromEntries(parts.map(([path, part]) => [path, strToU8(inNumbers(strFromU8(part)))]))),
  );
}
