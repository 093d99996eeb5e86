import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { OperationId } from '../../api/operation-types.ts';
import { invalidateStaleReads } from '../../api/stale-reads.ts';
import { useMe } from '../me.ts';
import { useSchool } from '../school.tsx';
import type { ListRun } from './list-run.ts';
import { passwordsOf, useProgress } from './run-progress.ts';
import { type StoredRun, storedRuns } from './stored-runs.ts';

export interface ActiveRun<R extends StoredRun = StoredRun> {
  readonly stored: R;
  readonly run: Pick<ListRun, 'subscribe' | 'get' | 'resume' | 'pause' | 'skipBatch'>;
  /** True when the page was reloaded during the run. */
  readonly isResumed: boolean;
}

interface RunKind<R extends StoredRun> {
  readonly source: R['source'];
  readonly createRun: (kept: R, isResumed: boolean) => ActiveRun<R>['run'];
  readonly operations: readonly OperationId[];
}

/** A reloaded page finds its run again until the passwords are saved or the page is left. */
export function useStoredRun<R extends StoredRun>({ source, createRun, operations }: RunKind<R>) {
  const { id: adminId } = useMe();
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const [active, setActive] = useState<ActiveRun<R> | null>(() => {
    const stored = storedRuns.find<R>({ adminId, schoolDb }, source);
    return stored && { stored, run: createRun(stored, true), isResumed: true };
  });
  const progress = useProgress(active?.run ?? null);
  // Number of saved passwords: after a pause there are more.
  const [savedCount, setSavedCount] = useState(0);
  const passwords = useMemo(() => passwordsOf(progress), [progress]);
  const saved = savedCount >= passwords.length;
  const finished = progress?.state === 'finished';
  // biome-ignore lint/correctness/useExhaustiveDependencies: which operations, the page has written down
  useEffect(() => {
    if (finished) void invalidateStaleReads(client, operations);
  }, [finished, client]);
  // A reload keeps the run; leaving the page or finishing deletes it.
  const isDone = finished && saved;
  useEffect(() => {
    if (active === null) return;
    if (isDone) storedRuns.clear();
    else
      storedRuns.save(
        { adminId, schoolDb },
        finished ? { ...active.stored, isFinished: true } : active.stored,
      );
    return () => storedRuns.clear();
  }, [active, finished, isDone, adminId, schoolDb]);
  const startRun = (stored: R) => {
    const run = createRun(stored, false);
    setActive({ stored, run, isResumed: false });
    setSavedCount(0);
    void run.resume();
  };
  const clearRun = () => setActive(null);
  return { active, progress, passwords, saved, onSaved: setSavedCount, begin: startRun, forget: clearRun };
}
