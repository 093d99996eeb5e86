import type { ClassComparison } from '@classledger/contract';
import type { Sort } from '../../../components/list/data-table-types.ts';

/** A number that has a column on the page, on paper and in files. */
export interface Figure<Row> {
  readonly key:
    | 'students'
    | 'total'
    | 'average'
    | 'records'
    | 'plus'
    | 'minus'
    | 'recent'
    | 'before'
    | 'change';
  readonly as: 'number' | 'average' | 'signed';
  readonly value: (row: Row) => number;
  /** Shown without colour, and not on phones, where cards with all figures would push the content below far down. */
  readonly isMinor?: boolean;
}

export const classFigures: readonly Figure<ClassComparison>[] = [
  { key: 'students', as: 'number', value: (row) => row.studentCount, isMinor: true },
  { key: 'total', as: 'number', value: (row) => row.totalScore, isMinor: true },
  { key: 'average', as: 'average', value: (row) => row.avgScore },
  { key: 'records', as: 'number', value: (row) => row.recent.count, isMinor: true },
  { key: 'plus', as: 'signed', value: (row) => row.recent.addScore },
  { key: 'minus', as: 'signed', value: (row) => row.recent.deductScore },
  { key: 'recent', as: 'signed', value: (row) => row.recent.totalScore },
];

/** Sorts compared classes by a figure or by name. Equal ones keep the school's order. */
export function orderClasses(
  rows: readonly ClassComparison[],
  { key, descending }: Sort,
  language: string,
): ClassComparison[] {
  const figure = classFigures.find((one) => one.key === key);
  if (!figure && key !== 'name') return [...rows];
  const names = new Intl.Collator(language, { numeric: true });
  const sign = descending ? -1 : 1;
  return rows.toSorted(
    (a, b) =>
      sign *
      (figure
        ? figure.value(a) - figure.value(b)
        : names.compare(a.gradeName, b.gradeName) || names.compare(a.className, b.className)),
  );
}
