import type { ClassSummary } from '@classledger/contract';
import { useMemo } from 'react';
import { useOperation } from '../api/queries.ts';

const useArchivedClasses = (schoolDb: string, enabled: boolean) =>
  useOperation('listSchoolClasses', { query: { schoolDb, archived: true } }, { enabled });

interface GraduatedClass {
  readonly graduated: ClassSummary | null;
  readonly asking: boolean;
}

/** Returns the class if it has graduated. The server lists such classes apart, except for a teacher with no other. */
export function useGraduatedClass(
  schoolDb: string,
  listed: readonly ClassSummary[] | undefined,
  classId: number | null,
): GraduatedClass {
  const own = listed?.find(({ id }) => id === classId);
  const isElsewhere = listed !== undefined && classId !== null && !own;
  const apart = useArchivedClasses(schoolDb, isElsewhere);
  const graduated = own?.archived ? own : apart.data?.find(({ id }) => isElsewhere && id === classId);
  return { graduated: graduated ?? null, asking: apart.isLoading };
}

/** Returns a function that recognises graduated classes: until these have loaded, all that are not current. */
export function useGraduatedAmong(schoolDb: string, shown: readonly number[]): (classId: number) => boolean {
  const today = useOperation('listSchoolClasses', { query: { schoolDb } }).data;
  const isElsewhere = today !== undefined && shown.some((shownId) => today.every(({ id }) => id !== shownId));
  const apart = useArchivedClasses(schoolDb, isElsewhere).data;
  return useMemo(() => {
    const open = new Set(today?.flatMap(({ id, archived }) => (archived ? [] : id)));
    const graduated = apart && new Set(apart.map(({ id }) => id));
    return (classId) =>
      today !== undefined && !open.has(classId) && (graduated === undefined || graduated.has(classId));
  }, [today, apart]);
}
