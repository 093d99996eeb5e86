import { useOperation } from '../api/queries.ts';
import { useSchool } from './school.tsx';

/** Names the grade or the class that a list is narrowed to; nothing for the whole range. */
export function useRangeWords({
  grade,
  class: classId,
}: {
  readonly grade?: number | undefined;
  readonly class?: number | undefined;
}): readonly string[] {
  const { schoolDb } = useSchool();
  const { data: classes = [] } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const { data: grades = [] } = useOperation('listSchoolGrades', { query: { schoolDb } });
  const one = classes.find(({ id }) => id === classId);
  if (one) return [`${one.gradeName} ${one.name}`];
  return grades.filter(({ id }) => id === grade).map(({ name }) => name);
}
