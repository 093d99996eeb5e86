import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type BuildPrintDocument, usePrint } from './use-print.tsx';

interface PrintButtonProps {
  readonly rowCount: number;
  readonly build: BuildPrintDocument;
}

/** Prints a list, also when the user presses the browser's shortcut for printing. */
export function PrintButton({ rowCount, build }: PrintButtonProps) {
  const c = useTexts(commonTexts);
  const { busy, print, paper } = usePrint(rowCount, build);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isPrint = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'p';
    // Leaves the shortcut to an open dialog, which may print its own content.
    if (!isPrint || event.defaultPrevented || document.querySelector('[aria-modal="true"]')) return;
    event.preventDefault();
    if (!busy) void print();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPrinter aria-hidden size={16} />}
        loading={busy}
        onClick={() => void print()}
      >
        <span className="words-on-wide">{c('print')}</span>
      </Button>
      {paper}
    </>
  );
}
