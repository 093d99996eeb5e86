/** Why a file could not be read as a table. */
export class UnreadableFile extends Error {
  readonly reason: 'tooLarge' | 'kind' | 'broken' | 'empty';

  constructor(reason: UnreadableFile['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

const bytesMax = 10 * 1024 * 1024;

/**
 * The first sheet of an XLSX file, or a CSV file, as rows of trimmed text. Nothing in it is trusted: cells are text
 * and are shown as text.
 *
 * @throws UnreadableFile
 */
export async function readRows(file: Blob & { readonly name: string }): Promise<string[][]> {
  if (file.size > bytesMax) throw new UnreadableFile('tooLarge');
  const bytes = new Uint8Array(await file.arrayBuffer());
  // An XLSX file is a ZIP archive, whatever it is called; the older XLS format is not.
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isZip && /\.xlsx?$/i.test(file.name)) throw new UnreadableFile('kind');
  const rows = isZip ? await readXlsx(file) : await readText(decode(bytes));
  if (rows.length === 0) throw new UnreadableFile('empty');
  return rows;
}

/** Rows of a pasted list: columns by tab, comma or semicolon. */
export async function readText(text: string): Promise<string[][]> {
  const { default: papa } = await import('papaparse');
  const { data } = papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: ['\t', ',', ';', '，'],
  });
  return data.map((row) => row.map((cell) => cell.trim()));
}

async function readXlsx(file: Blob): Promise<string[][]> {
  const { readSheet } = await import('read-excel-file/universal');
  const sheet = await readSheet(file).catch((error: unknown) => {
    throw new UnreadableFile('broken', error);
  });
  return sheet.map((row) => row.map(cellText)).filter((row) => row.some((cell) => cell !== ''));
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return String(cell).trim();
}

/** Spreadsheet programs write CSV as UTF-8, as UTF-16 with a mark, or, in Chinese offices, as GB 18030. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}
