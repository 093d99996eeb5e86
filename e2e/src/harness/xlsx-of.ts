import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../web/package.json', import.meta.url));

/** Rows of text as an XLSX file. */
export async function xlsxOf(rows: readonly (readonly string[])[]): Promise<Buffer> {
  const { default: write } = await import(require.resolve('write-excel-file/node'));
  return write(rows.map((row) => row.map((value) => ({ value, type: String })))).toBuffer();
}
