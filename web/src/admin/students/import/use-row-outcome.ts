import type { ImportEffect, ImportRow } from '@classledger/contract';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { RowOutcome } from '../../lists/PlannedRows.tsx';
import { useSchool } from '../../school.tsx';
import type { AnswersByLine, RowEffect } from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';
import { texts } from './texts.ts';

type EffectFields = Pick<ImportEffect, 'before' | 'after'>;
type Field = keyof EffectFields['after'];

export function useChangesText(): (changes: EffectFields) => string[] {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const shown = (field: Field, value: unknown) => {
    if (field === 'disabled') return t(value ? 'disabled' : 'active');
    if (field !== 'classId') return value === null || value === undefined ? '–' : String(value);
    const found = classes?.find(({ id }) => id === value);
    return found ? `${found.gradeName} ${found.name}` : '–';
  };
  return ({ before, after }) =>
    (Object.keys(after) as Field[]).map((field) =>
      t('changeOf', {
        field: t(`field_${field}`),
        before: shown(field, before[field]),
        after: shown(field, after[field]),
      }),
    );
}

export function useRowOutcome(
  outcomes: AnswersByLine | null,
  sorts: ReadonlyMap<PlannedRow, RowEffect>,
): (row: PlannedRow) => RowOutcome {
  const t = useTexts(texts);
  const changesText = useChangesText();
  const refusalText = useRefusalText();
  const problemText = ({ problem, classLabel }: PlannedRow) => {
    if (problem === 'classUnknown' || problem === 'classAmbiguous') return t(problem, { class: classLabel });
    return problem === null ? '' : t(problem);
  };
  return (row) => {
    const sort = sorts.get(row) ?? 'pending';
    const outcome = outcomes?.get(row.line);
    if (sort === 'created') {
      const { namesakeIn } = row;
      if (namesakeIn === null) return { text: t('outcomeCreate'), kind: 'good' };
      return { text: `${t('outcomeCreate')}\n${t('namesakeIn', { class: namesakeIn })}`, kind: 'changed' };
    }
    if (sort === 'awaiting') return { text: t('outcomeAwaiting', { class: row.classLabel }), kind: 'none' };
    if (sort === 'unchanged') return { text: t('outcomeUnchanged'), kind: 'none' };
    if (sort === 'pending') return { text: '…', kind: 'none' };
    if (sort === 'updated' && outcome) return { text: changesText(outcome).join('\n'), kind: 'changed' };
    return { text: outcome ? refusalText(outcome) : problemText(row), kind: 'bad' };
  };
}

/** Parts of the server's English reasons for conflicts. */
const refusals = {
  'different students': 'differentStudents',
  'another external id': 'otherExternalId',
  'before this one': 'studentTwice',
  'somebody else since': 'otherSince',
  'left the class since': 'movedSince',
  'personal data': 'studentErased',
  'use smaller lists': 'tooEntangled',
  'has graduated': 'studentArchived',
  'external id': 'identifierTaken',
  'card number': 'identifierTaken',
} as const;

export function useRefusalText(): (refused: Pick<ImportRow, 'code' | 'reason'>) => string {
  const t = useTexts(texts);
  return ({ code, reason }) => {
    const message = reason ?? '';
    if (code === 40901) {
      // Only the reason tells which value another student has.
      for (const [phrase, text] of Object.entries(refusals)) {
        if (message.includes(phrase)) return t(text);
      }
      return t('usernameTaken');
    }
    if (code === 40303) return t('refusedRange');
    if (code === 40401) return t('refusedGone');
    return t('refusedValue', { message });
  };
}
