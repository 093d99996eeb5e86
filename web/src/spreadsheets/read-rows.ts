import { unescapeFormula } from './csv.ts';
import { decodeText } from './decode-text.ts';
import { detectFileKind } from './file-kind.ts';
import { type Sheet, UnreadableFile } from './sheet.ts';

const bytesMax = 10 * 1024 * 1024;

/** For workers: pages call `readInWorker`. @param worksheet null for the first with content @throws UnreadableFile */
export async function readRows(
  file: Blob & { readonly name: string },
  worksheet: number | null = null,
): Promise<Sheet> {
  if (file.size > bytesMax) throw new UnreadableFile('tooLarge');
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    const kind = detectFileKind(bytes);
    if (kind === 'text' && /\.(?:xlsx|ods)$/i.test(file.name)) throw new UnreadableFile('broken');
    const sheet =
      kind === 'text'
        ? await readTextFile(bytes)
        : (await import('./read-workbook.ts')).readWorkbook(bytes, kind, worksheet);
    if (sheet.rows.length === 0) throw new UnreadableFile('empty');
    return sheet;
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('broken', error);
  }
}

async function readTextFile(bytes: Uint8Array): Promise<Sheet> {
  const { text, isGuess } = decodeText(bytes);
  return { ...(await readText(text)), isGuess };
}

export async function readText(text: string): Promise<Sheet> {
  const { default: papa } = await import('papaparse');
  const plain = text.replace(/^\uFEFF/, '');
  // Skips empty rows only for the guess; the row numbers of the result count them.
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
