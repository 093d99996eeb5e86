import type { ImportRun } from '@classledger/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useOperation } from '../../../../api/queries.ts';
import { invalidateStaleReads } from '../../../../api/stale-reads.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { useSchool } from '../../../school.tsx';
import { texts } from './texts.ts';

const pollMs = 1_000;

export const isRunActive = ({ state }: ImportRun) => state === 'running' || state === 'undoing';

/** Reads an import, repeatedly while the server works on it. Afterwards, refetches all data that it changed. */
export function useImportRun(id: number) {
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const run = useOperation('getImport', { params: { id }, query: { schoolDb } });
  const { data, refetch } = run;
  const mustPoll = data !== undefined && isRunActive(data);
  useEffect(() => {
    if (!mustPoll) return;
    // Does not cancel a slow request, so that its answer can arrive.
    const timer = setInterval(() => void refetch({ cancelRefetch: false }), pollMs);
    return () => {
      clearInterval(timer);
      // Refetches after an import too, because it changes the same data as its undo.
      void invalidateStaleReads(client, ['undoImport']);
    };
  }, [mustPoll, refetch, client]);
  return run;
}

export function useImportRunName(): (run: Pick<ImportRun, 'name' | 'source'>) => string {
  const t = useTexts(texts);
  return ({ name, source }) => name ?? t(source === 'roster' ? 'roster' : 'pasted');
}
