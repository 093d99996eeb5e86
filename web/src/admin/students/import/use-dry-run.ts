import { useEffect, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useSchool } from '../../school.tsx';
import { type Fates, tryOut } from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';

export interface DryRun {
  /** Null until all are known. */
  readonly fates: Fates | null;
  readonly done: number;
  readonly error: unknown;
  readonly retry: () => void;
}

const begun = { fates: null, done: 0, error: null } as const;

/** Compares a plan with what is there, anew for each plan; nothing is changed. @param rows null: not yet */
export function useDryRun(rows: readonly PlannedRow[] | null): DryRun {
  const { schoolDb } = useSchool();
  const [dryRun, setDryRun] = useState<Omit<DryRun, 'retry'>>(begun);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another run
  useEffect(() => {
    setDryRun(begun);
    if (rows === null) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const tell = (change: Partial<DryRun>) => {
      if (!signal.aborted) setDryRun((before) => ({ ...before, ...change }));
    };
    tryOut(rows, (batch) => call('checkImport', { body: { schoolDb, batch }, signal }), {
      signal,
      onProgress: (done) => tell({ done }),
    }).then(
      (fates) => tell({ fates }),
      (error: unknown) => tell({ error }),
    );
    return () => leaving.abort();
  }, [rows, schoolDb, attempt]);
  return { ...dryRun, retry: () => setAttempt((before) => before + 1) };
}
