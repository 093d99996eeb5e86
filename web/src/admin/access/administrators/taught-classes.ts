import type { Administrator } from '@classledger/contract';

type TaughtClass = Administrator['teaches'][number];

/** A row of the form. Its class is null until the user chooses one. */
export interface TaughtRow {
  readonly key: number;
  readonly classId: number | null;
  readonly subject: string;
}

export const taughtRowsOf = (teaches: readonly TaughtClass[]): TaughtRow[] =>
  teaches.map(({ classId, subject }) => ({ key: classId, classId, subject: subject ?? '' }));

/** Adds an empty row. Its key is negative, because the keys of stored rows are class ids. */
export const addTaughtRow = (rows: readonly TaughtRow[]): TaughtRow[] => [
  ...rows,
  { key: Math.min(0, ...rows.map(({ key }) => key)) - 1, classId: null, subject: '' },
];

export function taughtFault(
  rows: readonly TaughtRow[],
  { classId }: TaughtRow,
): 'taughtMissing' | 'taughtTwice' | null {
  if (classId === null) return 'taughtMissing';
  return rows.filter((row) => row.classId === classId).length > 1 ? 'taughtTwice' : null;
}

/** Returns the classes for the API; null if the rows are those of the administrator. */
export function changedTaughtClasses(rows: readonly TaughtRow[], before: readonly TaughtClass[]) {
  const teaches = rows.flatMap(({ classId, subject }) =>
    classId === null ? [] : [{ classId, subject: subject.trim() || null }],
  );
  const stored = before.map(({ classId, subject }) => ({ classId, subject }));
  return JSON.stringify(teaches) === JSON.stringify(stored) ? null : teaches;
}

const shownMax = 2;

/** Returns the first classes with their subjects, and the number of the others. */
export function shortenTaughtClasses(teaches: readonly TaughtClass[]) {
  const names = teaches.map(({ gradeName, className, subject }) =>
    [gradeName, className, subject].filter(Boolean).join(' '),
  );
  return { shown: names.slice(0, shownMax), more: Math.max(0, names.length - shownMax) };
}
