import type { ClassSummary } from '@classledger/contract';
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
