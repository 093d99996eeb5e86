import { useEffect, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useSchool } from '../../school.tsx';
import type { AnswersByLine, Entry } from './check-import.ts';
import { dryRunMissing } from './missing-students.ts';

export interface MissingCheck {
  readonly fates: AnswersByLine | null;
  readonly error: unknown;
  readonly retry: () => void;
}

const initialState = { of: null, fates: null, error: null } as const;

export function useMissingCheck(entries: readonly Entry[]): MissingCheck {
  const { schoolDb } = useSchool();
  const [check, setCheck] = useState<Omit<MissingCheck, 'retry'> & { of: readonly Entry[] | null }>(
    initialState,
  );
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another run
  useEffect(() => {
    setCheck(initialState);
    const leaving = new AbortController();
    const { signal } = leaving;
    const tell = (known: Partial<MissingCheck>) => {
      if (!signal.aborted) setCheck({ ...initialState, of: entries, ...known });
    };
    const ask = (batch: Entry[]) => call('checkImport', { body: { schoolDb, batch, missing: true }, signal });
    dryRunMissing(entries, ask, signal).then(
      (fates) => tell({ fates }),
      (error: unknown) => tell({ error }),
    );
    return () => leaving.abort();
  }, [entries, schoolDb, attempt]);
  const { fates, error } = check.of === entries ? check : initialState;
  return { fates, error, retry: () => setAttempt((before) => before + 1) };
}
