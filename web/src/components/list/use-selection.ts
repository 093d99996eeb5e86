import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

type Key = number | string;

interface SelectionOptions<Row> {
  readonly shown: readonly Row[] | undefined;
  readonly total: number;
  readonly query: object;
  readonly read: (signal: AbortSignal) => Promise<readonly Row[]>;
  readonly selectable?: (row: Row) => boolean;
  readonly onFailure: (error: unknown) => void;
}

const none: ReadonlySet<Key> = new Set();

/** Holds the selection across pages. `selectAll` reads all rows; a new query or `selectNone` cancels it. */
export function useSelection<Row extends { readonly id: number }>(options: SelectionOptions<Row>) {
  const { shown, total } = options;
  const [selected, setSelected] = useState<ReadonlyMap<number, Row>>(new Map());
  const [deselectedIds, setDeselectedIds] = useState<ReadonlySet<Key> | null>(null);
  /** Number of rows that cannot be selected; 0 before `selectAll` has counted them. */
  const [unselectableCount, setUnselectableCount] = useState(0);
  const reading = useRef<AbortController | null>(null);
  const latest = useRef({ ...options, deselectedIds });
  latest.current = { ...options, deselectedIds };

  const stop = useCallback(() => {
    reading.current?.abort();
    reading.current = null;
    setDeselectedIds(null);
    setUnselectableCount(0);
  }, []);
  const key = JSON.stringify(options.query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query cancels the reading of all rows
  useEffect(() => stop, [key, stop]);

  const replace = useCallback(
    (chosen: readonly Row[]) => setSelected(new Map(chosen.map((row) => [row.id, row]))),
    [],
  );
  const deselect = useCallback(
    (ids: readonly number[]) =>
      setSelected((before) => new Map([...before].filter(([id]) => !ids.includes(id)))),
    [],
  );
  const selectNone = useCallback(() => {
    stop();
    replace([]);
  }, [stop, replace]);
  const selectAll = useCallback(async () => {
    stop();
    const own = new AbortController();
    reading.current = own;
    setDeselectedIds(none);
    try {
      const rows = await latest.current.read(own.signal);
      if (own.signal.aborted) return;
      const { selectable, deselectedIds: excluded } = latest.current;
      const possible = selectable ? rows.filter(selectable) : rows;
      replace(possible.filter(({ id }) => !excluded?.has(id)));
      stop();
      setUnselectableCount(rows.length - possible.length);
    } catch (error) {
      if (own.signal.aborted) return;
      stop();
      latest.current.onFailure(error);
    }
  }, [stop, replace]);
  const select = useCallback((ids: ReadonlySet<Key>) => {
    const onPage = latest.current.shown ?? [];
    if (latest.current.deselectedIds) {
      setDeselectedIds((before) => {
        const out = new Set(before);
        for (const { id } of onPage) {
          if (ids.has(id)) out.delete(id);
          else out.add(id);
        }
        return out;
      });
      return;
    }
    setSelected((before) => {
      const rows = new Map(onPage.map((row) => [row.id, row]));
      const known = [...ids].flatMap((id) => rows.get(id as number) ?? before.get(id as number) ?? []);
      return new Map(known.map((row) => [row.id, row]));
    });
  }, []);

  const ids = useMemo<ReadonlySet<Key>>(() => {
    if (!deselectedIds) return new Set(selected.keys());
    return new Set((shown ?? []).flatMap(({ id }) => (deselectedIds.has(id) ? [] : id)));
  }, [selected, deselectedIds, shown]);
  const rows = useMemo(() => {
    const fresh = new Map((shown ?? []).map((row) => [row.id, row]));
    return [...selected.values()].map((row) => fresh.get(row.id) ?? row);
  }, [selected, shown]);
  return {
    ids,
    rows,
    count: deselectedIds ? total - deselectedIds.size : selected.size,
    total: total - unselectableCount,
    selectingAll: deselectedIds !== null,
    /** Selects exactly the rows with these ids, which must be shown or already selected. */
    select,
    deselect,
    replace,
    selectAll: () => void selectAll(),
    selectNone,
  };
}
