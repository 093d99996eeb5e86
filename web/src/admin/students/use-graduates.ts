import type { StudentAccount } from '@classledger/contract';
import { useMemo } from 'react';
import { useOperation } from '../../api/queries.ts';
import { useSchool } from '../school.tsx';

type ClassMembership = Pick<StudentAccount, 'classId' | 'disabled'>;

/** Returns a function that tells graduates. Pages show and export them, but offer no changes. */
export function useGraduates(students: readonly ClassMembership[]): (student: ClassMembership) => boolean {
  const { schoolDb } = useSchool();
  const { data } = useOperation(
    'listSchoolClasses',
    { query: { schoolDb, archived: true } },
    // Graduates are disabled, so most pages need no request.
    { enabled: students.some(({ disabled }) => disabled) },
  );
  return useMemo(() => {
    const classes = new Set(data?.map(({ id }) => id));
    return ({ classId, disabled }) => disabled && classes.has(classId);
  }, [data]);
}
