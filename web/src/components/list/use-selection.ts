import { useCallback, useMemo, useState } from 'react';

/**
 * The rows that are selected, on this page of a list and on others. They are known as last seen in the list.
 *
 * @param shown the current page
 */
export function useSelection<Row extends { readonly id: number }>(shown: readonly Row[] | undefined) {
  const [selected, setSelected] = useState<ReadonlyMap<number, Row>>(new Map());
  const ids = useMemo(() => new Set<number | string>(selected.keys()), [selected]);
  const rows = useMemo(() => {
    const fresh = new Map((shown ?? []).map((row) => [row.id, row]));
    return [...selected.values()].map((row) => fresh.get(row.id) ?? row);
  }, [selected, shown]);
  /** Of what is selected or shown, those with these ids. */
  const select = useCallback(
    (next: ReadonlySet<number | string>) =>
      setSelected((before) => {
        const known = new Map([...before, ...(shown ?? []).map((row) => [row.id, row] as const)]);
        return new Map([...known].filter(([id]) => next.has(id)));
      }),
    [shown],
  );
  const replace = useCallback(
    (chosen: readonly Row[]) => setSelected(new Map(chosen.map((row) => [row.id, row]))),
    [],
  );
  return { ids, rows, select, replace };
}
