import { useMemo } from 'react';
import { useOperation } from '../api/queries.ts';
import { useSchool } from './school.tsx';

interface KnownClass {
  readonly id: number;
  readonly name: string;
  readonly gradeId: number;
  readonly gradeName: string;
}

interface NamedClass {
  readonly classId: number | null;
  readonly className: string;
}

/**
 * Names the classes of a page so that they can be told apart: with the grade where two have the same name ("Class 1"
 * of every grade), without where the name says enough.
 *
 * @param gradeId the grade that the page is narrowed to
 */
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

const none: readonly KnownClass[] = [];

/** See {@link distinctClassNames}; of the classes in the caller's range. */
export function useDistinctClassName(gradeId?: number): (named: NamedClass) => string {
  const { schoolDb } = useSchool();
  const { data = none } = useOperation('listSchoolClasses', { query: { schoolDb } });
  return useMemo(() => distinctClassNames(data, gradeId), [data, gradeId]);
}
