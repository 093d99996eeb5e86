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
  const header = [
    t('username'),
    t('columnName'),
    t('externalId'),
    t('cardNumber'),
    t('grade'),
    t('class'),
    t('state'),
    t('columnTotal'),
    t('columnPlus'),
    t('columnMinus'),
    t('columnRecords'),
    t('columnCreated'),
  ];
  const rows = students.map((student) => [
    student.username,
    student.actualName,
    student.externalId ?? '',
    student.cardNumber ?? '',
    student.gradeName,
    student.className,
    t(student.disabled ? 'stateDisabled' : 'stateActive'),
    student.totalScore,
    student.addScore,
    student.deductScore,
    student.scoreCount,
    dayOf(student.createdAt),
  ]);
  return { header, rows };
}
