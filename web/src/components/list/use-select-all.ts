import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReadingOptions, WholeList } from '../../api/read-all.ts';

interface SelectAllOptions<Row> {
  /** What the rows are asked for by. */
  readonly query: object;
  readonly read: (options: ReadingOptions) => Promise<WholeList<Row>>;
  /** Selects these rows and no others. */
  readonly replace: (rows: readonly Row[]) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Selects everything that the filter of a list matches, on all its pages. An answer that comes after the filter was
 * changed or the selection taken back is dropped.
 */
export function useSelectAll<Row>({ query, read, replace, onFailure }: SelectAllOptions<Row>) {
  const reading = useRef<AbortController | null>(null);
  const [selectingAll, setSelectingAll] = useState(false);
  const stop = useCallback(() => {
    reading.current?.abort();
    reading.current = null;
    setSelectingAll(false);
  }, []);
  const key = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query ends the reading
  useEffect(() => stop, [key, stop]);
  const selectAll = async () => {
    stop();
    const own = new AbortController();
    reading.current = own;
    setSelectingAll(true);
    try {
      const { rows } = await read({ signal: own.signal });
      if (!own.signal.aborted) replace(rows);
    } catch (error) {
      if (!own.signal.aborted) onFailure(error);
    } finally {
      if (reading.current === own) stop();
    }
  };
  const selectNone = () => {
    stop();
    replace([]);
  };
  return { selectingAll, selectAll, selectNone };
}
