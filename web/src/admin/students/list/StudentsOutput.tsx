import type { ListedStudent } from '@classledger/contract';
import { call } from '../../../api/call.ts';
import type { PrintedColumn } from '../../../components/print/PrintedTable.tsx';
import { useShownName } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchoolTime } from '../../../school-time/school-time.ts';
import { useOnlyClassId } from '../../me.ts';
import { ListOutput } from '../../page/ListOutput.tsx';
import { useSchool } from '../../school.tsx';
import { useRangeText } from '../../use-range-text.ts';
import { classLabelOf, savedColumns } from '../student-cells.ts';
import { type StudentsSearch, sortIfByName, studentsQuery } from '../students-search.ts';
import { texts } from '../texts.ts';

interface StudentsOutputProps {
  readonly search: StudentsSearch;
  readonly total: number;
}

export function StudentsOutput({ search, total }: StudentsOutputProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { dayOf } = useSchoolTime();
  const columns = usePrintedColumns();
  const { state, password, q } = search;
  const range = useRangeText(search);
  const filters = [...range, state && t(state), password && t(`password_${password}`), q];
  return (
    <ListOutput<ListedStudent>
      title={t('title')}
      fileName={t('fileName')}
      total={total}
      read={async ({ signal }) =>
        sortIfByName(await call('listUsers', { query: studentsQuery(schoolDb, search), signal }), search)
      }
      filters={filters.filter((filter) => filter !== undefined)}
      count={(count) => t('matching', { count })}
      printedColumns={() => columns}
      savedColumns={savedColumns(t, dayOf)}
    />
  );
}

function usePrintedColumns(): readonly PrintedColumn<ListedStudent>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const onlyClassId = useOnlyClassId();
  const shownName = useShownName();
  const nameOf = (student: ListedStudent) =>
    student.disabled && !student.erased ? `${shownName(student)} · ${t('disabled')}` : shownName(student);
  return [
    { header: t('columnName'), cell: nameOf },
    { header: t('username'), cell: ({ username }) => username },
    ...(onlyClassId === null ? [{ header: t('class'), cell: classLabelOf }] : []),
    { header: t('points'), align: 'end', cell: ({ totalScore }) => format.number(totalScore) },
    { header: t('plus'), align: 'end', cell: ({ addScore }) => format.signed(addScore) },
    { header: t('minus'), align: 'end', cell: ({ deductScore }) => format.signed(deductScore) },
    { header: t('columnRecords'), align: 'end', cell: ({ scoreCount }) => format.number(scoreCount) },
  ];
}
