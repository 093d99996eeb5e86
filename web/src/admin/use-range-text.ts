import { useOperation } from '../api/queries.ts';
import { useGraduatedClass } from '../components/graduated-class.ts';
import { myClassIdsOf, onlyClassIdOf, useMe } from './me.ts';
import type { RangeFilter } from './RangePickers.tsx';
import { useSchool } from './school.tsx';

/** Returns the grade or classes to which a list is limited, in words; empty for the whole school. */
export function useRangeText({ grade, class: classId }: RangeFilter): readonly string[] {
  const { schoolDb } = useSchool();
  const me = useMe();
  const shownId = classId ?? onlyClassIdOf(me);
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const { data: grades = [] } = useOperation('listSchoolGrades', { query: { schoolDb } });
  const { graduated } = useGraduatedClass(schoolDb, classes, shownId);
  const one = classes?.find(({ id }) => id === shownId) ?? graduated;
  if (one) return [`${one.gradeName} ${one.name}`];
  const shownGrade = grade ?? (me.classId === null ? me.gradeId : null);
  const inGrade = grades.filter(({ id }) => id === shownGrade).map(({ name }) => name);
  if (grade !== undefined || me.role === 'school_admin' || me.role === 'super_admin') return inGrade;
  const mine = myClassIdsOf(me);
  const further = classes?.filter(({ id, gradeId }) => gradeId !== shownGrade && mine.has(id));
  return [...inGrade, ...(further ?? []).map(({ name, gradeName }) => `${gradeName} ${name}`)];
}
