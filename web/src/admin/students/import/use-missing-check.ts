import { useEffect, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useSchool } from '../../school.tsx';
import type { Entry, Fates } from './check-import.ts';
import { tryOutMissing } from './missing-students.ts';

export interface MissingCheck {
  readonly fates: Fates | null;
  readonly error: unknown;
  readonly retry: () => void;
}

const begun = { of: null, fates: null, error: null } as const;

/** Checks what an import would do to missing students. Changes nothing, and repeats for each choice. */
export function useMissingCheck(entries: readonly Entry[]): MissingCheck {
  const { schoolDb } = useSchool();
  const [check, setCheck] = useState<Omit<MissingCheck, 'retry'> & { of: readonly Entry[] | null }>(begun);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another run
  useEffect(() => {
    setCheck(begun);
    const leaving = new AbortController();
    const { signal } = leaving;
    const tell = (known: Partial<MissingCheck>) => {
      if (!signal.aborted) setCheck({ ...begun, of: entries, ...known });
    };
    const ask = (batch: Entry[]) => call('checkImport', { body: { schoolDb, batch, missing: true }, signal });
    tryOutMissing(entries, ask, signal).then(
      (fates) => tell({ fates }),
      (error: unknown) => tell({ error }),
    );
    return () => leaving.abort();
  }, [entries, schoolDb, attempt]);
  const { fates, error } = check.of === entries ? check : begun;
  return { fates, error, retry: () => setAttempt((before) => before + 1) };
}
