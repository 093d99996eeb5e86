import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ReadingOptions } from '../../api/read-all.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useReadWithProgress } from '../list/use-read-with-progress.tsx';
import { type PrintDocument, PrintedDocument } from './PrintedDocument.tsx';
import { texts } from './texts.ts';

/** More rows fill hundreds of sheets, whose layout takes a browser half a minute. */
const printedRowsMax = 10_000;

export type BuildPrintDocument = (options: Required<ReadingOptions>) => Promise<PrintDocument>;

interface Print {
  readonly busy: boolean;
  readonly print: () => Promise<void>;
  /** The content for the printer. The caller must render it. */
  readonly paper: ReactNode;
}

/** Reads the whole list, with progress and cancel, and prints it. @param rowCount may be approximate */
export function usePrint(rowCount: number, build: BuildPrintDocument): Print {
  const t = useTexts(texts);
  const [paper, setPaper] = useState<PrintDocument | null>(null);
  const { busy, start } = useReadWithProgress({
    progress: (done, total) => t('reading', { done, total }),
    failed: t('failed'),
  });

  const print = async () => {
    let whole: PrintDocument | null = null;
    await start(async (options) => {
      if (rowCount > printedRowsMax) {
        const message = t('tooMany', { count: rowCount, max: printedRowsMax });
        return { message, color: 'orange', autoClose: false };
      }
      whole = await build(options);
      options.signal.throwIfAborted();
      return null;
    });
    if (whole === null) return;
    flushSync(() => setPaper(whole));
    onFirstInputAfterPrint(() => setPaper(null));
    window.print();
  };
  return { busy, print, paper: paper && <PrintedDocument paper={paper} /> };
}

/** Calls the listener at the first key or press after printing. Phones send `afterprint` during the preview. */
function onFirstInputAfterPrint(listener: () => void): void {
  window.addEventListener(
    'afterprint',
    () => {
      const used = new AbortController();
      const { signal } = used;
      const onUse = () => {
        used.abort();
        listener();
      };
      for (const use of ['pointerdown', 'keydown']) window.addEventListener(use, onUse, { signal });
    },
    { once: true },
  );
}
