import type { ListedStudent } from '@classledger/contract';
import { useMemo } from 'react';
import { useOperation } from '../../api/queries.ts';
import { useSchool } from '../school.tsx';

type ClassMembership = Pick<ListedStudent, 'classId' | 'disabled'>;

export const classLabelOf = ({ gradeName, className }: Pick<ListedStudent, 'gradeName' | 'className'>) =>
  `${gradeName} ${className}`;

/** Returns a function that recognises graduates. Pages show and export graduates, but offer no changes. */
export function useGraduates(students: readonly ClassMembership[]): (student: ClassMembership) => boolean {
  const { schoolDb } = useSchool();
  const { data } = useOperation(
    'listSchoolClasses',
    { query: { schoolDb, archived: true } },
    // If no student is disabled, needs no request, because all graduates are disabled.
    { enabled: students.some(({ disabled }) => disabled) },
  );
  return useMemo(() => {
    const classes = new Set(data?.map(({ id }) => id));
    return ({ classId, disabled }) => disabled && classes.has(classId);
  }, [data]);
}
