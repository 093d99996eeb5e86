import { readWholeList } from '../../../api/read-all.ts';
import { SaveTableMenu } from '../../../components/list/SaveTableMenu.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { localDay } from '../../../spreadsheets/day-and-time.ts';
import { useSchool } from '../../school.tsx';
import { texts } from '../texts.ts';
import { listQuery, type StudentsSearch } from './students-search.ts';

/** Saves all students that the current filter matches, whatever the page. */
export function ExportStudents({
  search,
  total,
}: {
  readonly search: StudentsSearch;
  readonly total: number;
}) {
  const t = useTexts(texts);
  const school = useSchool();
  const header = [
    t('username'),
    t('columnName'),
    t('grade'),
    t('class'),
    t('state'),
    t('columnTotal'),
    t('columnPlus'),
    t('columnMinus'),
    t('columnRecords'),
    t('columnCreated'),
  ];
  return (
    <SaveTableMenu
      name={`${school.name} ${t('fileName')}`}
      rowCount={total}
      build={async (options) => {
        const students = await readWholeList('listUsers', listQuery(school.schoolDb, search), options);
        const rows = students.rows.map((student) => [
          student.username,
          student.actualName,
          student.gradeName,
          student.className,
          t(student.disabled ? 'stateDisabled' : 'stateActive'),
          student.totalScore,
          student.addScore,
          student.deductScore,
          student.scoreCount,
          localDay(student.createdAt),
        ]);
        return { header, rows, missing: students.missing };
      }}
    />
  );
}
