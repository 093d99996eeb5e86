import type { ImportRun } from '@classledger/contract';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { newIdempotencyKey } from '../../../api/call.ts';
import { useMutationOf } from '../../../api/queries.ts';
import { useSchool } from '../../school.tsx';
import type { ImportEntry, SkippedRow } from './check-import.ts';

export interface ListToImport {
  readonly entries: readonly ImportEntry[];
  readonly skipped: readonly SkippedRow[];
}

/** Starts an import and then shows its page. A retry with the same entries does not start a second import. */
export function useStartImport(source: ImportRun['source']) {
  const { schoolDb } = useSchool();
  const navigate = useNavigate();
  const sent = useRef<(ListToImport & { readonly key: string }) | null>(null);
  const starting = useMutationOf('startImport');
  const id = starting.data?.id;
  // In an effect, because it runs after the one of the leave guard, which then knows that the import has started.
  useEffect(() => {
    if (id !== undefined) void navigate({ to: '/imports/$importId', params: { importId: String(id) } });
  }, [id, navigate]);
  const start = (name: string | null, list: ListToImport) => {
    if (sent.current?.entries !== list.entries) sent.current = { ...list, key: newIdempotencyKey() };
    const { entries, skipped } = sent.current;
    const body = { schoolDb, source, name, batch: [...entries], skipped: [...skipped] };
    starting.mutate({ body, idempotencyKey: sent.current.key });
  };
  return { start, isPending: starting.isPending || id !== undefined, error: starting.error };
}
