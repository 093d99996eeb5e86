import type { ClassSummary } from '@classledger/contract';
import { useMemo } from 'react';
import { useOperation } from '../api/queries.ts';

interface GraduatedClass {
  readonly graduated: ClassSummary | null;
  readonly asking: boolean;
}

/**
 * Returns whether a class has graduated. The server lists such classes separately, except for a teacher who has no
 * other.
 *
 * @param listed the classes that the person works with; undefined until loaded
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
 * Returns a function that tells which classes have graduated, so that pages offer no changes to their students and
 * records. Once the current classes are loaded, any other class counts as graduated until the graduated ones are loaded
 * too.
 *
 * @param shown the classes on the page
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
