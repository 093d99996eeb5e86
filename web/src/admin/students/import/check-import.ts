import { limits } from 'virtual:contract';
import type { ImportedStudents } from '@classledger/contract';
import type { InputOf } from '../../../api/operation-types.ts';
import type { PlannedRow } from './plan-import.ts';

export type Answer = ImportedStudents['details'][number];
type Body = NonNullable<InputOf<'importStudents'>['body']>;
export type Entry = Body['batch'][number];

/** What the server says about each row, by its line in the file. */
export type Fates = ReadonlyMap<number, Answer>;

/** What is asked for a student; what the list does not know stays as it is. */
export const entryOf = ({
  externalId,
  cardNumber,
  username,
  actualName,
  isNamed,
  classId,
  disabled,
}: PlannedRow): Entry => ({
  username,
  ...(isNamed && { actualName }),
  ...(disabled !== null && { disabled }),
  ...(externalId !== null && { externalId }),
  ...(cardNumber !== null && { cardNumber }),
  ...(classId !== null && { classId }),
});

/** As many as one request takes. */
export function partsOf<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const size = limits.studentsPerBatchMax;
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, part) =>
    rows.slice(part * size, (part + 1) * size),
  );
}

/** What becomes of a row; `twice`: a row before it means the same student. */
export type Sort = 'pending' | 'created' | 'updated' | 'unchanged' | 'conflict' | 'twice';

/** What becomes of each row. */
export function sortRows(rows: readonly PlannedRow[], fates: Fates | null): ReadonlyMap<PlannedRow, Sort> {
  const seen = new Set<number>();
  const sort = (row: PlannedRow): Sort => {
    if (row.problem !== null) return 'conflict';
    const fate = fates?.get(row.line);
    if (!fate) return 'pending';
    if (fate.id !== null) {
      if (seen.has(fate.id)) return 'twice';
      seen.add(fate.id);
    }
    return fate.action ?? 'conflict';
  };
  return new Map(rows.map((row) => [row, sort(row)]));
}

/**
 * Tries an import out, part by part: the server says what it would do, and does nothing.
 *
 * @param ask sends one part
 * @throws what `ask` throws, and where the signal aborts
 */
export async function tryOut(
  rows: readonly PlannedRow[],
  ask: (batch: Entry[]) => Promise<Pick<ImportedStudents, 'details'>>,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (done: number) => void },
): Promise<Fates> {
  const fates = new Map<number, Answer>();
  for (const part of partsOf(rows.filter(({ problem }) => problem === null))) {
    signal.throwIfAborted();
    const { details } = await ask(part.map(entryOf));
    for (const answer of details) {
      const row = part[answer.index];
      if (row) fates.set(row.line, answer);
    }
    onProgress(fates.size);
  }
  return fates;
}
