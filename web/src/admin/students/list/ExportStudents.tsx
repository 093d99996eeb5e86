import { readWholeList } from '../../../api/read-all.ts';
import { SaveTableMenu } from '../../../components/list/SaveTableMenu.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchoolTime } from '../../../school-time/school-time.ts';
import { useSchool } from '../../school.tsx';
import { studentTable } from '../student-table.ts';
import { texts } from '../texts.ts';
import { isSortedByName, type StudentsSearch, studentsQuery } from './students-search.ts';

export function ExportStudents({
  search,
  total,
}: {
  readonly search: StudentsSearch;
  readonly total: number;
}) {
  const t = useTexts(texts);
  const school = useSchool();
  const { dayOf } = useSchoolTime();
  return (
    <SaveTableMenu
      name={`${school.name} ${t('fileName')}`}
      rowCount={total}
      build={async (options) => {
        const students = await readWholeList('listUsers', studentsQuery(school.schoolDb, search), options);
        const table = studentTable(isSortedByName(students.rows, search), t, dayOf);
        return { ...table, missing: students.missing };
      }}
    />
  );
}
