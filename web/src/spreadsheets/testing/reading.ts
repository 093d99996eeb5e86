import { readRows } from '../read-rows.ts';
import { type Sheet, UnreadableFile, type UnreadableReason } from '../sheet.ts';

export const readSheet = (
  content: BlobPart,
  name = 'list',
  worksheet: number | null = null,
): Promise<Sheet> => readRows(Object.assign(new Blob([content]), { name }), worksheet);

export const readCells = async (content: BlobPart, name?: string): Promise<(readonly string[])[]> =>
  (await readSheet(content, name)).rows.map(({ cells }) => cells);

/** Returns why a file is refused, or null. @throws every error that is not an `UnreadableFile` */
export async function reasonOf(content: BlobPart, name?: string): Promise<UnreadableReason | null> {
  try {
    await readSheet(content, name);
    return null;
  } catch (error) {
    if (error instanceof UnreadableFile) return error.reason;
    throw error;
  }
}
