import type { ListedStudent } from '@classledger/contract';
import { useEffect, useMemo, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useSchool } from '../../school.tsx';
import { batchRows, type ImportBatches } from './batch-rows.ts';
import { type AnswersByLine, dryRunImport } from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';

export interface DryRun {
  readonly fates: AnswersByLine | null;
  readonly cut: ImportBatches;
  readonly done: number;
  readonly error: unknown;
  readonly retry: () => void;
}

const initialState = { fates: null, done: 0, error: null } as const;

/** Checks a plan on the server without changes, again for each plan; `rows` is null until the plan is ready. */
export function useDryRun(rows: readonly PlannedRow[] | null, students: readonly ListedStudent[]): DryRun {
  const { schoolDb } = useSchool();
  const [dryRun, setDryRun] = useState<Omit<DryRun, 'retry' | 'cut'>>(initialState);
  const cut = useMemo(() => batchRows(rows ?? [], students), [rows, students]);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another run
  useEffect(() => {
    setDryRun(initialState);
    if (rows === null) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const tell = (change: Partial<DryRun>) => {
      if (!signal.aborted) setDryRun((before) => ({ ...before, ...change }));
    };
    dryRunImport(cut, (batch) => call('checkImport', { body: { schoolDb, batch }, signal }), {
      signal,
      onProgress: (done) => tell({ done }),
    }).then(
      (fates) => tell({ fates }),
      (error: unknown) => tell({ error }),
    );
    return () => leaving.abort();
  }, [rows, cut, schoolDb, attempt]);
  return { ...dryRun, cut, retry: () => setAttempt((before) => before + 1) };
}
