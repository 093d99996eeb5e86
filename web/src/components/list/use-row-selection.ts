import { useCallback, useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { DataTableProps } from './data-table-types.ts';
import { texts } from './texts.ts';

type Key = number | string;

/** `isSelected` returns null for a row that cannot be selected, and undefined if no row can. */
export function useRowSelection<Row>(props: DataTableProps<Row> & { readonly rows: readonly Row[] }) {
  const { selected, rows, rowKey, selectable } = props;
  const t = useTexts(texts);
  const latest = useRef(props);
  latest.current = props;
  // The same function at each render, so that selecting one row does not render the others again.
  const toggle = useCallback((keys: readonly Key[], on: boolean) => {
    const next = new Set(latest.current.selected);
    for (const key of keys) {
      if (on) next.add(key);
      else next.delete(key);
    }
    latest.current.onSelect?.(next);
  }, []);
  const toggleOne = useCallback((key: Key, on: boolean) => toggle([key], on), [toggle]);
  const keys = (selectable ? rows.filter(selectable) : rows).map(rowKey);
  const possible = selected !== undefined && (selectable === undefined || keys.length > 0);
  const count = selected ? keys.filter((key) => selected.has(key)).length : 0;
  return {
    toggleOne,
    isSelected: (row: Row): boolean | null | undefined => {
      if (!possible) return undefined;
      return selectable?.(row) === false ? null : selected.has(rowKey(row));
    },
    all: {
      possible,
      label: t('selectAll'),
      checked: count > 0 && count === keys.length,
      partly: count > 0 && count < keys.length,
      onChange: (on: boolean) => toggle(keys, on),
    },
  };
}
