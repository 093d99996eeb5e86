import { useEffect, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { ListRow } from '../../lists/list-row.ts';
import { useSchool } from '../../school.tsx';
import { batchesOf, type PlannedTeacher, requestEntriesOf, type TeacherOutcome } from './plan-teachers.ts';
import { texts } from './texts.ts';

interface TeacherOutcomes {
  /** The outcome of each row, by its line; null until all are known. */
  readonly outcomes: ReadonlyMap<number, TeacherOutcome> | null;
  readonly error: unknown;
}

const initialState: TeacherOutcomes = { outcomes: null, error: null };

export function useTeacherDryRun(plan: readonly PlannedTeacher[] | null) {
  const { schoolDb } = useSchool();
  const [state, setState] = useState(initialState);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt sends the request again
  useEffect(() => {
    setState(initialState);
    if (plan === null) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const ask = async () => {
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
    };
    const show = (next: TeacherOutcomes) => {
      if (!signal.aborted) setState(next);
    };
    ask().then(
      (outcomes) => show({ outcomes, error: null }),
      (error: unknown) => show({ outcomes: null, error }),
    );
    return () => leaving.abort();
  }, [plan, schoolDb, attempt]);
  return { ...state, retry: () => setAttempt((before) => before + 1) };
}

export function useTeacherOutcomeText(): (
  outcome: TeacherOutcome,
  row: Pick<ListRow, 'classLabel'>,
) => string {
  const t = useTexts(texts);
  return ({ action, classBefore, fault }, { classLabel }) => {
    if (fault === 'classUnknown' || fault === 'classAmbiguous') return t(fault, { class: classLabel });
    if (fault) return t(fault);
    if (action !== 'moved') return t(action === 'created' ? 'outcomeCreate' : 'outcomeStay');
    if (!classBefore) return t('outcomeMove');
    return t('outcomeMoveFrom', { class: `${classBefore.gradeName} ${classBefore.className}` });
  };
}
