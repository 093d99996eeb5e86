import type { ClassSummary } from '@classledger/contract';
import { useMemo } from 'react';
import { useOperation } from '../api/queries.ts';

interface GraduatedClass {
  /** The class, where it has graduated. */
  readonly graduated: ClassSummary | null;
  /** Whether that is still being asked. */
  readonly asking: boolean;
}

/**
 * Whether a class has graduated. Such classes are listed apart, but for a teacher who has no other.
 *
 * @param listed the classes that the person works with; undefined until they are known
 */
export function useGraduatedClass(
  schoolDb: string,
  listed: readonly ClassSummary[] | undefined,
  classId: number | null,
): GraduatedClass {
  const own = listed?.find(({ id }) => id === classId);
  const isElsewhere = listed !== undefined && classId !== null && !own;
  const apart = useOperation(
    'listSchoolClasses',
    { query: { schoolDb, archived: true } },
    { enabled: isElsewhere },
  );
  const graduated = own?.archived ? own : apart.data?.find(({ id }) => isElsewhere && id === classId);
  return { graduated: graduated ?? null, asking: apart.isLoading };
}

/**
 * Tells which classes have graduated: what would change their students and records is not offered. A class that is not among
 * those of today counts as graduated until that is known, so that nothing is offered which the server refuses.
 *
 * @param shown those that are asked about
 */
export function useGraduatedAmong(schoolDb: string, shown: readonly number[]): (classId: number) => boolean {
  const today = useOperation('listSchoolClasses', { query: { schoolDb } }).data;
  const isElsewhere = today !== undefined && shown.some((shownId) => today.every(({ id }) => id !== shownId));
  const apart = useOperation(
    'listSchoolClasses',
    { query: { schoolDb, archived: true } },
    { enabled: isElsewhere },
  ).data;
  return useMemo(() => {
    const open = new Set(today?.flatMap(({ id, archived }) => (archived ? [] : id)));
    const graduated = apart && new Set(apart.map(({ id }) => id));
    return (classId) =>
      today !== undefined && !open.has(classId) && (graduated === undefined || graduated.has(classId));
  }, [today, apart]);
}
