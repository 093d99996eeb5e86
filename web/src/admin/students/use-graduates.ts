import type { StudentAccount } from '@classledger/contract';
import { useMemo } from 'react';
import { useOperation } from '../../api/queries.ts';
import { useSchool } from '../school.tsx';

type Placed = Pick<StudentAccount, 'classId' | 'disabled'>;

/**
 * Tells who has graduated: those can be looked at and exported, and what would change them is not offered.
 *
 * @param students those who are shown
 */
export function useGraduates(students: readonly Placed[]): (student: Placed) => boolean {
  const { schoolDb } = useSchool();
  const { data } = useOperation(
    'listSchoolClasses',
    { query: { schoolDb, archived: true } },
    // Whoever graduates is disabled, so most pages need not ask.
    { enabled: students.some(({ disabled }) => disabled) },
  );
  return useMemo(() => {
    const classes = new Set(data?.map(({ id }) => id));
    return ({ classId, disabled }) => disabled && classes.has(classId);
  }, [data]);
}
