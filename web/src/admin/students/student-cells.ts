import type { ListedStudent } from '@classledger/contract';
import type { Translate } from '../../i18n/texts.ts';
import type { SavedColumn } from '../../spreadsheets/csv.ts';
import type { texts } from './texts.ts';

export const classLabelOf = ({ gradeName, className }: Pick<ListedStudent, 'gradeName' | 'className'>) =>
  `${gradeName} ${className}`;

/** Returns the columns of a saved list. The import knows their headings, so the file can be imported again. */
export const savedColumns = (
  t: Translate<typeof texts>,
  dayOf: (iso: string) => string,
): readonly SavedColumn<ListedStudent>[] => [
  [t('username'), ({ username }) => username],
  [t('columnName'), ({ actualName }) => actualName],
  [t('externalId'), ({ externalId }) => externalId ?? ''],
  [t('cardNumber'), ({ cardNumber }) => cardNumber ?? ''],
  [t('grade'), ({ gradeName }) => gradeName],
  [t('class'), ({ className }) => className],
  [t('state'), ({ disabled }) => t(disabled ? 'disabled' : 'active')],
  [t('points'), ({ totalScore }) => totalScore],
  [t('plus'), ({ addScore }) => addScore],
  [t('minus'), ({ deductScore }) => deductScore],
  [t('columnRecords'), ({ scoreCount }) => scoreCount],
  [t('columnCreated'), ({ createdAt }) => dayOf(createdAt)],
];
