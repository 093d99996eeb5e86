import type { ListedStudent } from '@classledger/contract';
import { type ReadingOptions, readWholeList } from '../../../api/read-all.ts';
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

/** Returns a function that reads all students of the list, not only those of the page, in its order. */
function useReadStudents(search: StudentsSearch) {
  const { schoolDb } = useSchool();
  return async (options: ReadingOptions) => {
    const { rows, missing } = await readWholeList('listUsers', studentsQuery(schoolDb, search), options);
    return { rows: sortIfByName(rows, search), missing };
  };
}

export function ExportStudents({ search, total }: OutputProps) {
  const t = useTexts(texts);
  const { name } = useSchool();
  const { dayOf } = useSchoolTime();
  const read = useReadStudents(search);
  return (
    <SaveTableMenu
      name={`${name} ${t('fileName')}`}
      rowCount={total}
      build={async (options) => {
        const { rows, missing } = await read(options);
        return { ...studentTable(rows, t, dayOf), missing };
      }}
    />
  );
}

export function PrintStudents({ search, total }: OutputProps) {
  const t = useTexts(texts);
  const { name } = useSchool();
  const read = useReadStudents(search);
  const columns = usePrintedColumns();
  const range = useRangeText(search);
  return (
    <PrintButton
      rowCount={total}
      build={async (options) => {
        const { rows, missing } = await read(options);
        return {
          title: t('title'),
          subject: name,
          filters: [
            ...range,
            ...(search.state ? [t(search.state)] : []),
            ...(search.password ? [t(`password_${search.password}`)] : []),
            ...(search.q ? [search.q] : []),
          ],
          count: t('matching', { count: rows.length }),
          missing,
          content: <PrintedTable columns={columns} rows={rows} />,
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
    student.disabled && !student.erased ? `${shownName(student)} · ${t('disabled')}` : shownName(student);
  return [
    { header: t('columnName'), cell: nameOf },
    { header: t('username'), cell: ({ username }) => username },
    ...(me.classId === null ? [{ header: t('class'), cell: classLabelOf }] : []),
    { header: t('points'), align: 'end', cell: ({ totalScore }) => format.number(totalScore) },
    { header: t('columnPlus'), align: 'end', cell: ({ addScore }) => format.signed(addScore) },
    { header: t('columnMinus'), align: 'end', cell: ({ deductScore }) => format.signed(deductScore) },
    { header: t('columnRecords'), align: 'end', cell: ({ scoreCount }) => format.number(scoreCount) },
  ];
}
