import { Button } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconPrinter } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import type { ReadingOptions } from '../../api/read-all.ts';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { serverNow } from '../../school-time/school-time.ts';
import { useReadWithProgress } from '../list/use-read-with-progress.tsx';
import classes from './Print.module.css';
import { texts } from './texts.ts';

/** More rows fill hundreds of sheets, whose layout takes a browser half a minute. */
const printedRowsMax = 10_000;

interface PrintDocument {
  readonly title: string;
  readonly subject: string;
  readonly filters: readonly string[];
  readonly count?: string;
  readonly landscape?: boolean;
  readonly content: ReactNode;
}

interface PrintButtonProps {
  /** May be approximate. */
  readonly rowCount: number;
  readonly build: (options: Required<ReadingOptions>) => Promise<PrintDocument>;
}

/** Reads a whole list, with progress and cancel, and prints it, also when the user presses the browser's shortcut. */
export function PrintButton({ rowCount, build }: PrintButtonProps) {
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
  useWindowEvent('keydown', (event) => {
    const isPrint = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'p';
    // Leaves the shortcut to an open dialog, which may print its own content.
    if (!isPrint || event.defaultPrevented || document.querySelector('[aria-modal="true"]')) return;
    event.preventDefault();
    if (!busy) void print();
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPrinter aria-hidden size={16} />}
        loading={busy}
        onClick={() => void print()}
      >
        <span className="words-on-wide">{t('print')}</span>
      </Button>
      {paper && <PrintedDocument paper={paper} />}
    </>
  );
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

function PrintedDocument({ paper }: { readonly paper: PrintDocument }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { title, subject, filters, count, landscape, content } = paper;
  const facts = [
    ...(filters.length > 0 ? [t('filters', { filters: filters.join(' · ') })] : []),
    ...(count === undefined ? [] : [count]),
    t('printedAt', { when: format.dateTime(new Date(serverNow()).toISOString()) }),
  ];
  useLayoutEffect(() => {
    // Sets the footer of each sheet, which only a style sheet can change.
    const { style } = document.documentElement;
    style.setProperty('--paper-name', JSON.stringify(`${title} · ${subject}`));
    return () => void style.removeProperty('--paper-name');
  }, [title, subject]);
  return createPortal(
    <div className={classes.paper} data-paper="" data-landscape={landscape || undefined} aria-hidden>
      <h1>{title}</h1>
      <p className={classes.subject}>{subject}</p>
      <p>{facts.join(' · ')}</p>
      {content}
    </div>,
    document.body,
  );
}
