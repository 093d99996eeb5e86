import { useState } from 'react';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { ListRun } from '../../lists/list-run.ts';
import { useStoredRun } from '../../lists/use-stored-run.ts';
import { useSchool } from '../../school.tsx';
import { batchesOf, type ImportBatch, type PlannedImport, type StoredImport } from './run-plan.ts';

export function useImportRun(source: StoredImport['source']) {
  const { schoolDb } = useSchool();
  const [id, setId] = useState<number | null>(null);
  const [undoneId, setUndoneId] = useState<number | null>(null);
  const { begin, forget, ...kept } = useStoredRun<StoredImport>({
    source,
    createRun: (run, isResumed) =>
      createImportRun(schoolDb, run, {
        isResumed,
        onId: setId,
        onUndone: (undone) => {
          forget();
          setUndoneId(undone);
        },
      }),
    operations: ['startImport', 'importStudents'],
  });
  const start = (name: string | null, plan: PlannedImport) =>
    begin({ source, name, key: newIdempotencyKey(), batches: batchesOf(plan), left: plan.left });
  return {
    ...kept,
    id,
    /** A run that a reload would have resumed but that was undone; it is forgotten. */
    undoneId,
    start,
    forget: () => {
      forget();
      setId(null);
    },
  };
}

interface ImportRunOptions {
  readonly isResumed: boolean;
  readonly onId: (id: number) => void;
  readonly onUndone: (id: number) => void;
}

function createImportRun(
  schoolDb: string,
  { source, name, key, batches }: StoredImport,
  { isResumed, onId, onUndone }: ImportRunOptions,
): ListRun<ImportBatch> {
  let id: number | null = null;
  return new ListRun(batches, async (batch) => {
    if (id === null) {
      const body = { schoolDb, source, name };
      const begun = await call('startImport', { body, idempotencyKey: key });
      // Replayed answers of an undone import contain passwords of students who may be gone.
      if (isResumed) {
        const now = await call('getImport', { params: { id: begun.id }, query: { schoolDb } });
        if (now.undoBegunAt !== null) {
          onUndone(begun.id);
          throw new Error('The import has been undone');
        }
      }
      id = begun.id;
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
