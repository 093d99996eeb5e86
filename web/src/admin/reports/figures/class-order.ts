import type { ClassComparison } from '@classledger/contract';
import type { Sort } from '../../../components/list/data-table-types.ts';

const values = {
  students: (row: ClassComparison) => row.studentCount,
  total: (row: ClassComparison) => row.totalScore,
  average: (row: ClassComparison) => row.avgScore,
  records: (row: ClassComparison) => row.recent.count,
  plus: (row: ClassComparison) => row.recent.addScore,
  minus: (row: ClassComparison) => row.recent.deductScore,
  recent: (row: ClassComparison) => row.recent.totalScore,
} as const;

type ClassKey = keyof typeof values | 'name';

function isKey(key: string): key is ClassKey {
  return key === 'name' || key in values;
}

/** Sorts compared classes. Equal ones keep the school's order. */
export function orderClasses(
  rows: readonly ClassComparison[],
  { key, descending }: Sort,
  language: string,
): ClassComparison[] {
  if (!isKey(key)) return [...rows];
  const names = new Intl.Collator(language, { numeric: true });
  const sign = descending ? -1 : 1;
  return rows.toSorted(
    (a, b) =>
      sign *
      (key === 'name'
        ? names.compare(a.gradeName, b.gradeName) || names.compare(a.className, b.className)
        : values[key](a) - values[key](b)),
  );
}
