import { limits } from 'virtual:contract';
import type { ImportRun, ListedStudent } from '@classledger/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { operationQuery, useMutationOf } from '../../../api/queries.ts';
import { useManages } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import {
  type AnswersByLine,
  type CheckAnswer,
  type ImportEntry,
  importEntryOf,
  type SkippedRow,
} from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';

const nobody: readonly ListedStudent[] = [];

/** Reads all students whom the administrator manages. */
export function useAllStudents() {
  const { schoolDb } = useSchool();
  const manages = useManages();
  const { data, isSuccess, isError, refetch } = useQuery({
    ...operationQuery('listUsers', { query: { schoolDb } }),
    staleTime: 60_000,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
  const students = useMemo(
    () => (data ?? nobody).filter(({ classId, gradeId }) => manages({ id: classId, gradeId })),
    [data, manages],
  );
  return { students, isSuccess, isError, refetch };
}

const nothing: readonly CheckAnswer[] = [];

/** Asks the server what an import of these entries would do. @param entries null until they are known */
export function useImportCheck(entries: readonly ImportEntry[] | null) {
  const { schoolDb } = useSchool();
  const { mutate, variables, data, error } = useMutation({
    mutationFn: ({ batch, signal }: { batch: readonly ImportEntry[]; signal: AbortSignal }) =>
      call('checkImport', { body: { schoolDb, batch: [...batch] }, signal }),
  });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another school or attempt sends the request again
  useEffect(() => {
    if (entries === null || entries.length === 0) return;
    const leaving = new AbortController();
    mutate({ batch: entries, signal: leaving.signal });
    return () => leaving.abort();
  }, [mutate, entries, schoolDb, attempt]);
  const isCurrent = variables?.batch === entries;
  return {
    /** In the order of the entries; null until they are known. */
    answers: entries?.length === 0 ? nothing : (isCurrent && data?.details) || null,
    error: isCurrent ? error : null,
    retry: () => setAttempt((before) => before + 1),
  };
}

export type RowCheck = ReturnType<typeof useRowCheck>;

/** Checks all rows without a problem, again after each change. @param rows null until they are known */
export function useRowCheck(rows: readonly PlannedRow[] | null) {
  const sound = useMemo(() => rows?.filter(({ problem }) => problem === null) ?? null, [rows]);
  // The server is not asked about a list that is too long for one import.
  const isTooLong = (sound?.length ?? 0) > limits.importRowsMax;
  const entries = useMemo(() => (isTooLong ? null : (sound?.map(importEntryOf) ?? null)), [sound, isTooLong]);
  const { answers, error, retry } = useImportCheck(entries);
  const outcomes = useMemo(
    (): AnswersByLine | null =>
      sound && answers && new Map(answers.map((answer, i) => [sound[i]?.line ?? 0, answer])),
    [sound, answers],
  );
  return { outcomes, error, retry, isTooLong };
}

export type ImportStart = ReturnType<typeof useStartImport>;

interface ListToImport {
  readonly entries: readonly ImportEntry[];
  readonly skipped: readonly SkippedRow[];
}

/** Starts an import and then shows its page. A retry with the same entries does not start a second import. */
export function useStartImport(source: ImportRun['source'], name: string | null) {
  const { schoolDb } = useSchool();
  const navigate = useNavigate();
  const sent = useRef<(ListToImport & { readonly idempotencyKey: string }) | null>(null);
  const starting = useMutationOf('startImport');
  const id = starting.data?.id;
  // In an effect, because it runs after the one of the leave guard, which then knows that the import has started.
  useEffect(() => {
    if (id !== undefined) void navigate({ to: '/imports/$importId', params: { importId: String(id) } });
  }, [id, navigate]);
  const start = (list: ListToImport) => {
    if (sent.current?.entries !== list.entries) {
      sent.current = { ...list, idempotencyKey: newIdempotencyKey() };
    }
    const { entries, skipped, idempotencyKey } = sent.current;
    const body = { schoolDb, source, name, batch: [...entries], skipped: [...skipped] };
    starting.mutate({ body, idempotencyKey });
  };
  return { start, isPending: starting.isPending || id !== undefined, error: starting.error };
}
