import type { Student } from '@classledger/contract';
import { useCallback, useMemo, useState } from 'react';

/**
 * The students that are selected, on this page of the list and on others. Who is selected is known as last seen in
 * the list.
 *
 * @param shown the current page
 */
export function useStudentSelection(shown: readonly Student[] | undefined) {
  const [selected, setSelected] = useState<ReadonlyMap<number, Student>>(new Map());
  const ids = useMemo(() => new Set<number | string>(selected.keys()), [selected]);
  const students = useMemo(() => {
    const fresh = new Map((shown ?? []).map((student) => [student.id, student]));
    return [...selected.values()].map((student) => fresh.get(student.id) ?? student);
  }, [selected, shown]);
  const select = useCallback(
    (next: ReadonlySet<number | string>) =>
      setSelected((before) => {
        const known = new Map([...before, ...(shown ?? []).map((student) => [student.id, student] as const)]);
        return new Map([...known].filter(([id]) => next.has(id)));
      }),
    [shown],
  );
  const replace = useCallback(
    (chosen: readonly Student[]) => setSelected(new Map(chosen.map((student) => [student.id, student]))),
    [],
  );
  return { ids, students, select, replace };
}
