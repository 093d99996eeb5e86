import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { InitialPassword, SlipRecipients } from './initial-password.ts';

const nothing: { readonly slips: ReactNode; readonly count: number | null } = { slips: null, count: null };

/** `count` is the number of slips that were sent to the printer; null before that. */
export function usePrintedSlips(passwords: readonly InitialPassword[], whose: SlipRecipients) {
  const [printed, setPrinted] = useState(nothing);
  const [failed, setFailed] = useState(false);
  const print = () => {
    setFailed(false);
    import('./PasswordSlips.tsx').then(
      ({ PasswordSlips }) => {
        const slips = <PasswordSlips whose={whose} passwords={passwords} />;
        flushSync(() => setPrinted({ slips, count: passwords.length }));
        window.print();
      },
      () => setFailed(true),
    );
  };
  return { ...printed, failed, print };
}
