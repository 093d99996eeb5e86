import type { ImportRun } from '@classledger/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useOperation } from '../../../../api/queries.ts';
import { invalidateStaleReads } from '../../../../api/stale-reads.ts';
import { useSchool } from '../../../school.tsx';

const pollMs = 1_000;

export const isActive = ({ state }: ImportRun) => state === 'running' || state === 'undoing';

/** Reads a run, again and again while the server works on it; then everything that it changed is read anew. */
export function useRun(id: number) {
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const run = useOperation('getImport', { params: { id }, query: { schoolDb } });
  const { data, refetch } = run;
  const mustPoll = data !== undefined && isActive(data);
  useEffect(() => {
    if (!mustPoll) return;
    // A slow answer must arrive before the next request.
    const timer = setInterval(() => void refetch({ cancelRefetch: false }), pollMs);
    return () => {
      clearInterval(timer);
      // An undo affects the same data as an import.
      void invalidateStaleReads(client, ['undoImport']);
    };
  }, [mustPoll, refetch, client]);
  return run;
}
