import type { ScoreLog } from '@classledger/contract';
import { useMemo, useState } from 'react';

/**
 * The records that are selected, on this page of the list and on others.
 *
 * @param shown the current page
 */
export function useRecordSelection(shown: readonly ScoreLog[] | undefined) {
  const [selected, setSelected] = useState<ReadonlyMap<number, ScoreLog>>(new Map());
  const ids = useMemo(() => new Set<number | string>(selected.keys()), [selected]);
  const records = useMemo(() => [...selected.values()], [selected]);
  const replace = (chosen: readonly ScoreLog[]) =>
    setSelected(new Map(chosen.map((record) => [record.id, record])));
  /** Of what is selected or shown, those with these ids. */
  const select = (next: ReadonlySet<number | string>) =>
    setSelected((before) => {
      const known = new Map([...before, ...(shown ?? []).map((record) => [record.id, record] as const)]);
      return new Map([...known].filter(([id]) => next.has(id)));
    });
  return { ids, records, select, replace };
}
