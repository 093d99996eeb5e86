import { unescapeFormula } from './csv.ts';
import { decodeText } from './decode-text.ts';
import { detectFileKind } from './file-kind.ts';
import { dayText } from './numbers.ts';
import { chooseWorksheet, type Sheet, SheetCells } from './sheet.ts';
import type { ShownDigits } from './shown-digits.ts';
import { UnreadableFile } from './unreadable-file.ts';
import type { XlsxLayout } from './xlsx-layout.ts';

const bytesMax = 10 * 1024 * 1024;

/** Pages call `readInWorker`. @param worksheet visible, from 0; null: first with content @throws UnreadableFile */
export async function readRows(
  file: Blob & { readonly name: string },
  worksheet: number | null = null,
): Promise<Sheet> {
  if (file.size > bytesMax) throw new UnreadableFile('tooLarge');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = detectFileKind(bytes);
  if (kind === 'text' && /\.(?:xlsx|ods)$/i.test(file.name)) throw new UnreadableFile('broken');
  try {
    const sheet = await readKind[kind](bytes, worksheet);
    if (sheet.rows.length === 0) throw new UnreadableFile('empty');
    return sheet;
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('broken', error);
  }
}

type Read = (bytes: Uint8Array, worksheet: number | null) => Promise<Sheet>;

const readKind: Readonly<Record<ReturnType<typeof detectFileKind>, Read>> = {
  text: async (bytes) => {
    const { text, isGuess } = decodeText(bytes);
    return { ...(await readText(text)), isGuess };
  },
  xlsx: readXlsx,
  xls: async (bytes, worksheet) => (await import('./read-xls.ts')).readXls(bytes, worksheet),
  ods: async (bytes, worksheet) => (await import('./read-ods.ts')).readOds(bytes, worksheet),
};

/** Parses a pasted list with columns separated by tab, comma or semicolon. */
export async function readText(text: string): Promise<Sheet> {
  const { default: papa } = await import('papaparse');
  const plain = text.replace(/^\uFEFF/, '');
  // Empty rows would mislead the guess, but the row numbers count them.
  const { meta } = papa.parse<string[]>(plain, {
    preview: 1,
    skipEmptyLines: 'greedy',
    delimitersToGuess: ['\t', ',', ';', '，'],
  });
  const { data, errors } = papa.parse<string[]>(plain, { delimiter: meta.delimiter });
  const openQuote = errors.find(({ code }) => code === 'MissingQuotes')?.index;
  const rows = data
    .map((row, index) => ({ line: index + 1, cells: row.map((cell) => unescapeFormula(cell.trim()).trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  return {
    rows,
    merges: [],
    hiddenColumns: 0,
    uncalculated: new Set(),
    paddedColumns: new Set(),
    isGuess: false,
    worksheets: [],
    worksheet: 0,
    ...(openQuote !== undefined && { openQuoteLine: plain.slice(0, openQuote).split(/\r\n|\r|\n/).length }),
  };
}

async function readXlsx(bytes: Uint8Array, wanted: number | null): Promise<Sheet> {
  const [{ readSheet }, { worksheetsIn }, { shownDigits }, { layoutOf }] = await Promise.all([
    import('read-excel-file/universal'),
    import('./xlsx-parts.ts'),
    import('./shown-digits.ts'),
    import('./xlsx-layout.ts'),
  ]);
  const { names, parts } = worksheetsIn(bytes);
  const { worksheet, sheet } = chooseWorksheet(
    names,
    wanted,
    parts,
    (one) => !/<(?:\w+:)?(?:v|is)[\s>]/.test(one.sheet),
  );
  const layout = layoutOf(sheet.sheet);
  const cells = cellsOf(await readSheet(sheet.archive()), shownDigits(sheet), layout);
  return { ...cells.sheet(), isGuess: false, worksheets: names, worksheet };
}

function cellsOf(
  rows: readonly (readonly unknown[])[],
  shown: ShownDigits,
  { merges, hidden, uncalculatedColumns, isUncalculated }: XlsxLayout,
): SheetCells {
  const cells = new SheetCells();
  for (const { first, last } of hidden) cells.hide(first, last);
  for (const { column, top, bottom } of merges) cells.merge(column, top, bottom);
  for (const column of uncalculatedColumns) cells.lackResult(column);
  for (const [row, values] of rows.entries()) {
    for (const [column, value] of values.entries()) {
      if (value === null || value === undefined || isUncalculated(row, column)) continue;
      if (typeof value === 'number') {
        const digits = shown.of(row, column);
        if (digits === 0 && shown.hasOthers) cells.pad(column);
        cells.setNumber(row, column, value, digits);
      } else cells.set(row, column, value instanceof Date ? dayText(value) : String(value));
    }
  }
  return cells;
}
