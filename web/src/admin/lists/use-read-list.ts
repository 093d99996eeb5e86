import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { readInWorker } from '../../spreadsheets/read-in-worker.ts';
import { type Sheet, UnreadableFile, type UnreadableReason } from '../../spreadsheets/sheet.ts';
import { findListWorksheet, type ReadList } from './read-list.ts';
import { texts } from './texts.ts';

export const fileEndings = '.xlsx,.xls,.et,.ods,.csv,.txt,.tsv';

export function useReadList(
  onList: (list: ReadList) => void,
  hasHeadings: (sheet: Sheet) => boolean = () => true,
) {
  const t = useTexts(texts);
  const [reading, setReading] = useState(false);
  const [reason, setReason] = useState<UnreadableReason | null>(null);
  /** @param worksheet from 0; null for the first with headings */
  const read = async (file: File, worksheet: number | null) => {
    setReading(true);
    setReason(null);
    try {
      const sheet =
        worksheet === null
          ? await findListWorksheet((one) => readInWorker(file, one), hasHeadings)
          : await readInWorker(file, worksheet);
      onList({ name: file.name, file, ...sheet });
    } catch (error) {
      setReason(error instanceof UnreadableFile ? error.reason : 'broken');
    } finally {
      setReading(false);
    }
  };
  return { read, reading, failure: reason && t(`file_${reason}`) };
}
