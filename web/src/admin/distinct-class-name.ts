import type { ClassSummary } from '@classledger/contract';
import { useMemo } from 'react';
import { useOperation } from '../api/queries.ts';
import { useSchool } from './school.tsx';

type KnownClass = Pick<ClassSummary, 'id' | 'name' | 'gradeId' | 'gradeName'>;

interface NamedClass {
  readonly classId: number | null;
  readonly className: string;
}

/** Returns a function that names classes, with the grade if two shown classes have the same name. */
export function distinctClassNames(
  inRange: readonly KnownClass[],
  gradeId?: number,
): (named: NamedClass) => string {
  const shown = inRange.filter((one) => gradeId === undefined || one.gradeId === gradeId);
  const withGrade = new Set(shown.map(({ name }) => name)).size < shown.length;
  const gradeNames = new Map(shown.map((one) => [one.id, one.gradeName]));
  return ({ classId, className }) => {
    const gradeName = withGrade && classId !== null ? gradeNames.get(classId) : undefined;
    return gradeName === undefined ? className : `${gradeName} ${className}`;
  };
}

const noClasses: readonly KnownClass[] = [];

export function useDistinctClassName(gradeId?: number): (named: NamedClass) => string {
  const { schoolDb } = useSchool();
  const { data = noClasses } = useOperation('listSchoolClasses', { query: { schoolDb } });
  return useMemo(() => distinctClassNames(data, gradeId), [data, gradeId]);
}
