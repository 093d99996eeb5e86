import { useCallback } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { useSchool } from '../../school.tsx';

/** Grade and class of a closed term; the name that the class had then where it was deleted. */
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
