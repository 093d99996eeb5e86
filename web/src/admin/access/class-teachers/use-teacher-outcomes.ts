import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { ListRow } from '../../lists/PlannedRows.tsx';
import { useSchool } from '../../school.tsx';
import { batchesOf, type PlannedTeacher, requestEntriesOf, type TeacherOutcome } from './plan-teachers.ts';
import { texts } from './texts.ts';

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
