import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../i18n/texts.ts';
import { readInWorker } from '../../spreadsheets/read-in-worker.ts';
import { type Sheet, UnreadableFile } from '../../spreadsheets/sheet.ts';
import { texts } from './texts.ts';

export interface ReadList extends Sheet {
  readonly name: string | null;
  /** The file, kept to read its other worksheets; null for a pasted list. */
  readonly file: File | null;
}

export interface ListSourceDraft {
  readonly source: 'file' | 'paste';
  readonly pasted: string;
}

/** Starts with a file, because pasting loses leading zeros, merged cells and worksheets. */
export const emptyListSource: ListSourceDraft = { source: 'file', pasted: '' };

/** Checks only a few worksheets, because each takes time to read and a list is among the first. */
const checkedWorksheetsMax = 5;

/** Reads the first worksheet with headings, because instructions may precede a list; otherwise the first filled one. */
export async function findListWorksheet(
  read: (worksheet: number | null) => Promise<Sheet>,
  hasHeadings: (sheet: Sheet) => boolean,
): Promise<Sheet> {
  const first = await read(null);
  if (hasHeadings(first)) return first;
  const end = Math.min(first.worksheets.length, first.worksheet + 1 + checkedWorksheetsMax);
  for (let worksheet = first.worksheet + 1; worksheet < end; worksheet++) {
    // Skips empty and unreadable worksheets.
    const sheet = await read(worksheet).catch(() => null);
    if (sheet && hasHeadings(sheet)) return sheet;
  }
  return first;
}

export const fileEndings = '.xlsx,.xls,.et,.ods,.csv,.txt,.tsv';

export function useReadList(
  onList: (list: ReadList) => void,
  hasHeadings: (sheet: Sheet) => boolean = () => true,
) {
  const t = useTexts(texts);
  const { mutate, isPending, error } = useMutation({
    /** Reads a worksheet, counted from 0, or the first one with headings. */
    mutationFn: async ({ file, worksheet }: { readonly file: File; readonly worksheet?: number }) => {
      const sheet =
        worksheet === undefined
          ? await findListWorksheet((one) => readInWorker(file, one), hasHeadings)
          : await readInWorker(file, worksheet);
      return { name: file.name, file, ...sheet };
    },
    onSuccess: (list) => onList(list),
  });
  const reason = error instanceof UnreadableFile ? error.reason : 'broken';
  return { read: mutate, reading: isPending, failure: error && t(`file_${reason}`) };
}
