import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { invalidateStaleReads } from '../../../api/stale-reads.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { createStore, useStore } from '../../../store.ts';
import type { ListRow } from '../../lists/PlannedRows.tsx';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { storedRuns } from '../../stored-runs.ts';
import { type Batch, ListRun, type RunProgress } from './list-run.ts';
import { batchesOf, type PlannedTeacher, requestEntriesOf, type TeacherOutcome } from './plan-teachers.ts';
import { texts } from './texts.ts';

export interface SkippedTeacher {
  readonly row: PlannedTeacher;
  readonly outcome: TeacherOutcome;
}

interface StoredTeacherRun {
  readonly batches: readonly Batch[];
  readonly left: readonly SkippedTeacher[];
  /** True when all batches are done but the user has not saved the passwords yet. */
  readonly isFinished?: boolean;
}

export interface ActiveRun {
  readonly stored: StoredTeacherRun;
  readonly run: ListRun;
}

/** Holds the run. A reloaded page finds it again, until the passwords are saved or the user leaves the page. */
export function useTeacherRun() {
  const { id: adminId } = useMe();
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const createRun = (stored: StoredTeacherRun): ActiveRun => {
    const run = new ListRun(stored.batches, ({ rows, key }) =>
      call('assignClassTeachers', {
        body: { schoolDb, teachers: requestEntriesOf(rows) },
        idempotencyKey: key,
      }),
    );
    return { stored, run };
  };
  const [active, setActive] = useState<ActiveRun | null>(() => {
    const stored = storedRuns.find<StoredTeacherRun>({ adminId, schoolDb });
    return stored && createRun(stored);
  });
  const progress = useStore<RunProgress | null>(active?.run.progress ?? noRun);
  // Number of passwords that the user has saved. A run that continues after a pause makes more.
  const [savedCount, setSavedCount] = useState(0);
  const passwords = progress?.created ?? noPasswords;
  const saved = savedCount >= passwords.length;
  const finished = progress?.state === 'finished';
  useEffect(() => {
    if (finished) void invalidateStaleReads(client, ['assignClassTeachers']);
  }, [finished, client]);
  // Stored so that a reload keeps the run. Deleted when the passwords are saved or the user leaves the page.
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
  const start = (rows: readonly PlannedTeacher[], left: readonly SkippedTeacher[]) => {
    const batches = batchesOf(rows).map((part) => ({ rows: part, key: newIdempotencyKey() }));
    const begun = createRun({ batches, left });
    setActive(begun);
    setSavedCount(0);
    void begun.run.resume();
  };
  const forget = () => setActive(null);
  return { active, progress, passwords, saved, onSaved: setSavedCount, start, forget };
}

const noPasswords: RunProgress['created'] = [];
const noRun = createStore(null);

/** Asks the server what it would do with each row. Returns the outcomes by line; null until all are known. */
export function useTeacherDryRun(plan: readonly PlannedTeacher[]) {
  const { schoolDb } = useSchool();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['dry run of class teachers', schoolDb, plan],
    queryFn: async ({ signal }) => {
      const outcomes = new Map<number, TeacherOutcome>(
        plan.map(({ line, fault }) => [line, { action: null, classBefore: null, fault }]),
      );
      for (const rows of batchesOf(plan.filter(({ fault }) => fault === null))) {
        const body = { schoolDb, teachers: requestEntriesOf(rows), dryRun: true };
        const { details } = await call('assignClassTeachers', { body, signal });
        for (const { index, ...outcome } of details) {
          const row = rows[index];
          if (row) outcomes.set(row.line, outcome);
        }
      }
      return outcomes;
    },
    // Asks once each time that the step is shown.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  });
  return { outcomes: data ?? null, error: isFetching ? null : error, retry: () => void refetch() };
}

export function useTeacherOutcomeText(): (
  outcome: TeacherOutcome,
  row: Pick<ListRow, 'classLabel'>,
) => string {
  const t = useTexts(texts);
  return ({ action, classBefore, fault }, { classLabel }) => {
    if (fault === 'classUnknown' || fault === 'classAmbiguous') return t(fault, { class: classLabel });
    if (fault) return t(fault);
    if (action !== 'moved') return t(action === 'created' ? 'outcomeCreate' : 'stay');
    if (!classBefore) return t('outcomeMove');
    return t('outcomeMoveFrom', { class: `${classBefore.gradeName} ${classBefore.className}` });
  };
}
