import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { InitialPassword, SlipRecipients } from './initial-password.ts';

interface Printed {
  readonly slips: ReactNode;
  readonly count: number | null;
  readonly failed: boolean;
  readonly print: () => void;
}

export function usePrintedSlips(passwords: readonly InitialPassword[], whose: SlipRecipients): Printed {
  const [printed, setPrinted] = useState<{ readonly slips: ReactNode; readonly count: number } | null>(null);
  const [failed, setFailed] = useState(false);
  const print = () => {
    setFailed(false);
    import('./PasswordSlips.tsx').then(
      ({ PasswordSlips }) => {
        flushSync(() =>
          setPrinted({
            slips: <PasswordSlips whose={whose} passwords={passwords} />,
            count: passwords.length,
          }),
        );
        window.print();
      },
      () => setFailed(true),
    );
  };
  return { slips: printed?.slips ?? null, count: printed?.count ?? null, failed, print };
}
