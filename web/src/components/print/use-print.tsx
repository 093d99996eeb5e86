import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ReadingOptions } from '../../api/read-all.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useLongRead } from '../list/use-long-read.tsx';
import { type PrintDocument, PrintedDocument } from './PrintedDocument.tsx';
import { texts } from './texts.ts';

/** More rows would be hundreds of pages, which a browser needs half a minute to lay out. */
const printedRowsMax = 10_000;

export type BuildPrintDocument = (options: Required<ReadingOptions>) => Promise<PrintDocument>;

interface Print {
  readonly busy: boolean;
  readonly print: () => Promise<void>;
  /** Must be rendered somewhere: the content for the printer. */
  readonly paper: ReactNode;
}

/**
 * Prints the whole of a list that a page shows in part. Reads it first, shows the progress, and offers to cancel.
 *
 * @param rowCount the approximate number of rows
 */
export function usePrint(rowCount: number, build: BuildPrintDocument): Print {
  const t = useTexts(texts);
  const [paper, setPaper] = useState<PrintDocument | null>(null);
  const { busy, start } = useLongRead({
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

/**
 * Calls `listener` on the first key or pointer press after printing. Not right after `afterprint`: phones send it while they
 * still show the preview.
 */
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
