import { useState } from 'react';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { ListRun } from '../../lists/list-run.ts';
import { useKeptRun } from '../../lists/use-kept-run.ts';
import { useSchool } from '../../school.tsx';
import { batchesOf, type ImportBatch, type KeptImport, type PlannedImport } from './run-plan.ts';

/** The run of an import: how far it is, and what begins and forgets it. */
export function useImportRun(source: KeptImport['source']) {
  const { schoolDb } = useSchool();
  const [id, setId] = useState<number | null>(null);
  const { begin, forget, ...kept } = useKeptRun<KeptImport>({
    source,
    make: (run) => makeRun(schoolDb, run, setId),
    operations: ['startImport', 'importStudents'],
  });
  const start = (name: string | null, plan: PlannedImport) =>
    begin({ source, name, key: newIdempotencyKey(), batches: batchesOf(plan), left: plan.left });
  return {
    ...kept,
    id,
    start,
    forget: () => {
      forget();
      setId(null);
    },
  };
}

function makeRun(
  schoolDb: string,
  { source, name, key, batches }: KeptImport,
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
