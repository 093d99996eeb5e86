import { useOperation } from '../api/queries.ts';
import { useGraduatedClass } from '../components/graduated-class.ts';
import { useMe } from './me.ts';
import type { RangeFilter } from './RangePickers.tsx';
import { useSchool } from './school.tsx';

/** Returns the grade or class to which a list is limited, in words; empty for the whole school. */
export function useRangeText({ grade, class: classId }: RangeFilter): readonly string[] {
  const { schoolDb } = useSchool();
  const me = useMe();
  const shownId = classId ?? me.classId;
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const { data: grades = [] } = useOperation('listSchoolGrades', { query: { schoolDb } });
  const { graduated } = useGraduatedClass(schoolDb, classes, shownId);
  const one = classes?.find(({ id }) => id === shownId) ?? graduated;
  if (one) return [`${one.gradeName} ${one.name}`];
  return grades.filter(({ id }) => id === (grade ?? me.gradeId)).map(({ name }) => name);
}
