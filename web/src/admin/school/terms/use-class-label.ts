import { useCallback } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { useSchool } from '../../school.tsx';

/** Returns a function that gives the grade and class of a closed term; for a deleted class, its name at that time. */
export function useClassLabel(): (term: {
  readonly classId: number | null;
  readonly className: string;
}) => string {
  const { schoolDb } = useSchool();
  const { data } = useOperation('listSchoolClasses', { query: { schoolDb } });
  return useCallback(
    ({ classId, className }) => {
      const known = data?.find(({ id }) => id === classId);
      return known ? `${known.gradeName} ${className}` : className;
    },
    [data],
  );
}
