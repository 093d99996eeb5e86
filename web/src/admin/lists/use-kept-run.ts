import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { OperationId } from '../../api/operation-types.ts';
import { outdate } from '../../api/outdated.ts';
import { useMe } from '../me.ts';
import { useSchool } from '../school.tsx';
import { keptRuns, type RunToKeep } from './kept-runs.ts';
import type { ListRun } from './list-run.ts';
import { passwordsOf, useProgress } from './run-progress.ts';

export interface ActiveRun<R extends RunToKeep = RunToKeep> {
  readonly kept: R;
  readonly run: Pick<ListRun, 'subscribe' | 'get' | 'goOn' | 'pause' | 'leaveOut'>;
  /** True when the page was reloaded during the run. */
  readonly isResumed: boolean;
}

interface RunKind<R extends RunToKeep> {
  readonly source: R['source'];
  readonly make: (kept: R, isResumed: boolean) => ActiveRun<R>['run'];
  readonly operations: readonly OperationId[];
}

/**
 * Provides the run of a page. A reloaded page finds its run again until the passwords are saved or the page is left.
 */
export function useKeptRun<R extends RunToKeep>({ source, make, operations }: RunKind<R>) {
  const { id: adminId } = useMe();
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const [active, setActive] = useState<ActiveRun<R> | null>(() => {
    const kept = keptRuns.find<R>({ adminId, schoolDb }, source);
    return kept && { kept, run: make(kept, true), isResumed: true };
  });
  const progress = useProgress(active?.run ?? null);
  // Number of saved passwords: after a pause there are more.
  const [savedCount, setSavedCount] = useState(0);
  const passwords = useMemo(() => passwordsOf(progress), [progress]);
  const saved = savedCount >= passwords.length;
  const finished = progress?.state === 'finished';
  // biome-ignore lint/correctness/useExhaustiveDependencies: which operations, the page has written down
  useEffect(() => {
    if (finished) void outdate(client, operations);
  }, [finished, client]);
  // A reload keeps the run; leaving the page or finishing deletes it.
  const isDone = finished && saved;
  useEffect(() => {
    if (active === null) return;
    if (isDone) keptRuns.forget();
    else keptRuns.keep({ adminId, schoolDb }, finished ? { ...active.kept, isFinished: true } : active.kept);
    return () => keptRuns.forget();
  }, [active, finished, isDone, adminId, schoolDb]);
  const begin = (kept: R) => {
    const run = make(kept, false);
    setActive({ kept, run, isResumed: false });
    setSavedCount(0);
    void run.goOn();
  };
  const forget = () => setActive(null);
  return { active, progress, passwords, saved, onSaved: setSavedCount, begin, forget };
}
