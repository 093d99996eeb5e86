import { limits } from 'virtual:contract';
import { useEffect, useMemo, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useSchool } from '../../school.tsx';
import { type AnswersByLine, type CheckAnswer, type ImportEntry, importEntryOf } from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';

interface ImportCheck {
  /** The server's answers in the order of the entries; null until they are known. */
  readonly answers: readonly CheckAnswer[] | null;
  readonly error: unknown;
  readonly retry: () => void;
}

const nothing: readonly CheckAnswer[] = [];
const initialState = { of: null, answers: null, error: null } as const;

/** Asks the server what an import of these entries would do. @param entries null until they are known */
export function useImportCheck(entries: readonly ImportEntry[] | null): ImportCheck {
  const { schoolDb } = useSchool();
  const [check, setCheck] = useState<
    Pick<ImportCheck, 'answers' | 'error'> & { readonly of: typeof entries }
  >(initialState);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt sends the request again
  useEffect(() => {
    setCheck(initialState);
    if (entries === null || entries.length === 0) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const tell = (known: Partial<ImportCheck>) => {
      if (!signal.aborted) setCheck({ ...initialState, of: entries, ...known });
    };
    call('checkImport', { body: { schoolDb, batch: [...entries] }, signal }).then(
      ({ details }) => tell({ answers: details }),
      (error: unknown) => tell({ error }),
    );
    return () => leaving.abort();
  }, [entries, schoolDb, attempt]);
  const { answers, error } = check.of === entries ? check : initialState;
  return {
    answers: entries?.length === 0 ? nothing : answers,
    error,
    retry: () => setAttempt((before) => before + 1),
  };
}

export interface RowCheck extends Pick<ImportCheck, 'error' | 'retry'> {
  readonly outcomes: AnswersByLine | null;
  /** True when the list is too long for one import; then the server is not asked. */
  readonly isTooLong: boolean;
}

/** Checks all rows without a problem, again after each change. @param rows null until they are known */
export function useRowCheck(rows: readonly PlannedRow[] | null): RowCheck {
  const sound = useMemo(() => rows?.filter(({ problem }) => problem === null) ?? null, [rows]);
  const isTooLong = sound !== null && sound.length > limits.importRowsMax;
  const entries = useMemo(() => (isTooLong ? null : (sound?.map(importEntryOf) ?? null)), [sound, isTooLong]);
  const { answers, error, retry } = useImportCheck(entries);
  const outcomes = useMemo(
    () =>
      sound &&
      answers &&
      new Map(sound.flatMap(({ line }, i) => (answers[i] ? [[line, answers[i]] as const] : []))),
    [sound, answers],
  );
  return { outcomes, error, retry, isTooLong };
}
