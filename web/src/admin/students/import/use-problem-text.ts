import { useTexts } from '../../../i18n/texts.ts';
import type { RefusedRow } from './import-run.ts';
import type { PlannedRow } from './plan-import.ts';
import { texts } from './texts.ts';

/** Says why a row will not be imported. */
export function useProblemText(): (row: PlannedRow) => string {
  const t = useTexts(texts);
  return ({ problem, classLabel }) => {
    if (problem === null) return t('fateCreate');
    if (problem === 'classUnknown' || problem === 'classAmbiguous') return t(problem, { class: classLabel });
    return t(problem);
  };
}

/** Says why the server did not import a row that the plan had. */
export function useRefusalText(): (refused: RefusedRow) => string {
  const t = useTexts(texts);
  return ({ refusal }) => {
    if (refusal === 'left out') return t('leftOutBatch');
    if (refusal.code === 40901) return t('usernameTaken');
    if (refusal.code === 40303) return t('refusedRange');
    return t('refusedValue', { message: refusal.reason });
  };
}
