import type { ListedStudent } from '@classledger/contract';
import { readWholeList } from '../../../api/read-all.ts';
import { PrintButton } from '../../../components/print/PrintButton.tsx';
import { type PrintedColumn, PrintedTable } from '../../../components/print/PrintedTable.tsx';
import { useShownName } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { useRangeText } from '../../use-range-text.ts';
import { classLabelOf } from '../actions/student-action.ts';
import { texts } from '../texts.ts';
import { isSortedByName, type StudentsSearch, studentsQuery } from './students-search.ts';

interface PrintStudentsProps {
  readonly search: StudentsSearch;
  readonly total: number;
}

export function PrintStudents({ search, total }: PrintStudentsProps) {
  const t = useTexts(texts);
  const school = useSchool();
  const columns = useColumns();
  const range = useRangeText(search);
  const state = { active: t('stateActive'), disabled: t('stateDisabled') };
  return (
    <PrintButton
      rowCount={total}
      build={async (options) => {
        const { rows, missing } = await readWholeList(
          'listUsers',
          studentsQuery(school.schoolDb, search),
          options,
        );
        return {
          title: t('title'),
          subject: school.name,
          filters: [
            ...range,
            ...(search.state ? [state[search.state]] : []),
            ...(search.password ? [t(`password_${search.password}`)] : []),
            ...(search.q ? [search.q] : []),
          ],
          count: t('matching', { count: rows.length }),
          missing,
          content: <PrintedTable columns={columns} rows={isSortedByName(rows, search)} />,
        };
      }}
    />
  );
}

function useColumns(): readonly PrintedColumn<ListedStudent>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const me = useMe();
  const shownName = useShownName();
  const className = { header: t('class'), cell: classLabelOf };
  const nameOf = (student: ListedStudent) =>
    student.disabled && !student.erased
      ? `${shownName(student)} · ${t('stateDisabled')}`
      : shownName(student);
  return [
    { header: t('columnName'), cell: nameOf },
    { header: t('username'), cell: ({ username }) => username },
    ...(me.classId === null ? [className] : []),
    { header: t('columnTotal'), align: 'end', cell: ({ totalScore }) => format.number(totalScore) },
    { header: t('columnPlus'), align: 'end', cell: ({ addScore }) => format.signed(addScore) },
    { header: t('columnMinus'), align: 'end', cell: ({ deductScore }) => format.signed(deductScore) },
    { header: t('columnRecords'), align: 'end', cell: ({ scoreCount }) => format.number(scoreCount) },
  ];
}
