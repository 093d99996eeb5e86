import { useCallback } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { useSchool } from '../../school.tsx';

/** Returns a function that names the class of a past term, with its grade; a deleted class by its name in that term. */
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
