import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { outdate } from '../../../api/outdated.ts';
import { ListRun } from '../../lists/list-run.ts';
import { passwordsOf, useProgress } from '../../lists/run-progress.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { batchesOf, type ImportBatch, type KeptRun, keptRuns, type PlannedImport } from './run-plan.ts';

interface ActiveRun {
  readonly kept: KeptRun;
  readonly run: ListRun<ImportBatch>;
  /** The page was loaded again in its midst. */
  readonly isResumed: boolean;
}

/** The run of an import: how far it is, and what begins and forgets it. */
export function useImportRun(source: KeptRun['source']) {
  const me = useMe();
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const [id, setId] = useState<number | null>(null);
  const [active, setActive] = useState<ActiveRun | null>(() => {
    const kept = keptRuns.find(me.id, schoolDb);
    return kept?.source === source ? { kept, run: makeRun(kept, setId), isResumed: true } : null;
  });
  const progress = useProgress(active?.run ?? null);
  // How many of the passwords: after a pause there are more.
  const [savedCount, setSavedCount] = useState(0);
  const passwords = useMemo(() => passwordsOf(progress), [progress]);
  const saved = savedCount >= passwords.length;
  const finished = progress?.state === 'finished';
  useEffect(() => {
    if (finished) void outdate(client, ['startImport', 'importStudents']);
  }, [finished, client]);
  // Loaded again, a page forgets nothing; left or done, it does.
  const isDone = finished && saved;
  useEffect(() => {
    if (active === null) return;
    if (isDone) keptRuns.forget();
    else keptRuns.keep(active.kept);
    return () => keptRuns.forget();
  }, [active, isDone]);
  const start = (name: string | null, plan: PlannedImport) => {
    const kept: KeptRun = {
      ...{ adminId: me.id, schoolDb, source, name, key: newIdempotencyKey() },
      batches: batchesOf(plan),
      left: plan.left,
    };
    const run = makeRun(kept, setId);
    setActive({ kept, run, isResumed: false });
    setSavedCount(0);
    void run.goOn();
  };
  const forget = () => {
    setActive(null);
    setId(null);
  };
  return { active, id, progress, passwords, saved, onSaved: setSavedCount, start, forget };
}

function makeRun(
  { schoolDb, source, name, key, batches }: KeptRun,
  onId: (id: number) => void,
): ListRun<ImportBatch> {
  let id: number | null = null;
  return new ListRun(batches, async (batch) => {
    if (id === null) {
      ({ id } = await call('startImport', { body: { schoolDb, source, name }, idempotencyKey: key }));
      onId(id);
    }
    const { entries, missing = false } = batch;
    return call('importStudents', {
      params: { id },
      body: { schoolDb, batch: [...entries], missing },
      idempotencyKey: batch.key,
    });
  });
}
