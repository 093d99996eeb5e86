import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ReadingOptions } from '../../api/read-all.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useLongReading } from '../list/use-long-reading.tsx';
import { type Paper, PrintedPaper } from './PrintedPaper.tsx';
import { texts } from './texts.ts';

/** More rows would be hundreds of pages, and take a browser half a minute to lay out. */
const printedRowsMax = 10_000;

/** Reads all that is to be printed. */
export type BuildPaper = (options: Required<ReadingOptions>) => Promise<Paper>;

interface Print {
  readonly busy: boolean;
  readonly print: () => Promise<void>;
  /** What is on its way to the printer, to be drawn somewhere. */
  readonly paper: ReactNode;
}

/**
 * Prints what a page shows a part of, whole: reads it first, says how far it is, and offers to stop.
 *
 * @param rowCount about how many rows that will be
 */
export function usePrint(rowCount: number, build: BuildPaper): Print {
  const t = useTexts(texts);
  const [paper, setPaper] = useState<Paper | null>(null);
  const { busy, start } = useLongReading({
    progress: (done, total) => t('reading', { done, total }),
    failed: t('failed'),
  });

  const print = async () => {
    let whole: Paper | null = null;
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
    onceUsedAfterPrint(() => setPaper(null));
    window.print();
  };
  return { busy, print, paper: paper && <PrintedPaper paper={paper} /> };
}

/**
 * With the first thing that is done after the printing the paper goes: what is printed then shall be new. Not at once:
 * phones say that they have printed while they still show what they are going to.
 */
function onceUsedAfterPrint(go: () => void): void {
  window.addEventListener(
    'afterprint',
    () => {
      const used = new AbortController();
      const { signal } = used;
      const onUse = () => {
        used.abort();
        go();
      };
      for (const use of ['pointerdown', 'keydown']) window.addEventListener(use, onUse, { signal });
    },
    { once: true },
  );
}
