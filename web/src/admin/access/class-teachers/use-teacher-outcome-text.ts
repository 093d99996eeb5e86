import { useTexts } from '../../../i18n/texts.ts';
import type { ListRow } from '../../lists/list-row.ts';
import type { TeacherOutcome } from './plan-teachers.ts';
import { texts } from './texts.ts';

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
