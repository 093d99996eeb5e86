import type { ImportRow } from '@classledger/contract';
import { useTexts } from '../../../i18n/texts.ts';
import type { PlannedRow } from './plan-import.ts';
import { texts } from './texts.ts';

export function useProblemText(): (row: PlannedRow) => string {
  const t = useTexts(texts);
  return ({ problem, classLabel }) => {
    if (problem === null) return '';
    if (problem === 'classUnknown' || problem === 'classAmbiguous') return t(problem, { class: classLabel });
    return t(problem);
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
      for (const [said, text] of Object.entries(refusals)) {
        if (message.includes(said)) return t(text);
      }
      return t('usernameTaken');
    }
    if (code === 40303) return t('refusedRange');
    if (code === 40401) return t('refusedGone');
    return t('refusedValue', { message });
  };
}
