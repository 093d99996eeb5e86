import type { ListedStudent } from '@classledger/contract';
import { readWholeList } from '../../../api/read-all.ts';
import { SaveTableMenu } from '../../../components/list/SaveTableMenu.tsx';
import { PrintButton } from '../../../components/print/PrintButton.tsx';
import { type PrintedColumn, PrintedTable } from '../../../components/print/PrintedTable.tsx';
import { useShownName } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchoolTime } from '../../../school-time/school-time.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { useRangeText } from '../../use-range-text.ts';
import { classLabelOf } from '../student-class.ts';
import { studentTable } from '../student-table.ts';
import { type StudentsSearch, sortIfByName, studentsQuery } from '../students-search.ts';
import { texts } from '../texts.ts';

interface OutputProps {
  readonly search: StudentsSearch;
  readonly total: number;
}

export function ExportStudents({ search, total }: OutputProps) {
  const t = useTexts(texts);
  const school = useSchool();
  const { dayOf } = useSchoolTime();
  return (
    <SaveTableMenu
      name={`${school.name} ${t('fileName')}`}
      rowCount={total}
      build={async (options) => {
        const { rows, missing } = await readWholeList(
          'listUsers',
          studentsQuery(school.schoolDb, search),
          options,
        );
        return { ...studentTable(sortIfByName(rows, search), t, dayOf), missing };
      }}
    />
  );
}

export function PrintStudents({ search, total }: OutputProps) {
  const t = useTexts(texts);
  const school = useSchool();
  const columns = usePrintedColumns();
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
          content: <PrintedTable columns={columns} rows={sortIfByName(rows, search)} />,
        };
      }}
    />
  );
}

function usePrintedColumns(): readonly PrintedColumn<ListedStudent>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const me = useMe();
  const shownName = useShownName();
  const nameOf = (student: ListedStudent) =>
    student.disabled && !student.erased
      ? `${shownName(student)} · ${t('stateDisabled')}`
      : shownName(student);
  return [
    { header: t('columnName'), cell: nameOf },
    { header: t('username'), cell: ({ username }) => username },
    ...(me.classId === null ? [{ header: t('class'), cell: classLabelOf }] : []),
    { header: t('columnTotal'), align: 'end', cell: ({ totalScore }) => format.number(totalScore) },
    { header: t('columnPlus'), align: 'end', cell: ({ addScore }) => format.signed(addScore) },
    { header: t('columnMinus'), align: 'end', cell: ({ deductScore }) => format.signed(deductScore) },
    { header: t('columnRecords'), align: 'end', cell: ({ scoreCount }) => format.number(scoreCount) },
  ];
}
