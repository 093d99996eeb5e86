import type { ListedStudent } from '@classledger/contract';
import type { Translate } from '../../i18n/texts.ts';
import type { Table } from '../../spreadsheets/csv.ts';
import type { texts } from './texts.ts';

/** Returns students as a table to save. The import knows its headings, so the file can be imported again. */
export function studentTable(
  students: readonly ListedStudent[],
  t: Translate<typeof texts>,
  dayOf: (iso: string) => string,
): Table {
  const columns: readonly (readonly [header: string, cell: (student: ListedStudent) => string | number])[] = [
    [t('username'), ({ username }) => username],
    [t('columnName'), ({ actualName }) => actualName],
    [t('externalId'), ({ externalId }) => externalId ?? ''],
    [t('cardNumber'), ({ cardNumber }) => cardNumber ?? ''],
    [t('grade'), ({ gradeName }) => gradeName],
    [t('class'), ({ className }) => className],
    [t('state'), ({ disabled }) => t(disabled ? 'disabled' : 'active')],
    [t('points'), ({ totalScore }) => totalScore],
    [t('columnPlus'), ({ addScore }) => addScore],
    [t('columnMinus'), ({ deductScore }) => deductScore],
    [t('columnRecords'), ({ scoreCount }) => scoreCount],
    [t('columnCreated'), ({ createdAt }) => dayOf(createdAt)],
  ];
  return {
    header: columns.map(([header]) => header),
    rows: students.map((student) => columns.map(([, cell]) => cell(student))),
  };
}
