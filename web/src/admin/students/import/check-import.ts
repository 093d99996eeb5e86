import type { ImportedStudents } from '@classledger/contract';
import type { InputOf } from '../../../api/operation-types.ts';
import type { NamedClass } from '../../lists/class-names.ts';
import type { ImportBatches } from './batch-rows.ts';
import type { PlannedRow } from './plan-import.ts';

export type Answer = ImportedStudents['details'][number];
type Body = NonNullable<InputOf<'importStudents'>['body']>;
export type Entry = Body['batch'][number];

/** The server's answers, by line in the file; for missing students, by student id. */
export type AnswersByLine = ReadonlyMap<number, Answer>;

/** Returns the import entry of a row. Fields that the list lacks stay unchanged. */
export const importEntryOf = ({
  externalId,
  cardNumber,
  username,
  actualName,
  isNamed,
  classId,
  disabled,
  named,
}: PlannedRow): Entry => ({
  username,
  // A proposed username must create a student, not change one who has that username.
  ...(named === 'new' && { seenUserId: null }),
  ...(isNamed && { actualName }),
  ...(disabled !== null && { disabled }),
  ...(externalId !== null && { externalId }),
  ...(cardNumber !== null && { cardNumber }),
  ...(classId !== null && { classId }),
});

/** Returns the entry of a checked row. The server refuses it if the row now means another student. */
export function checkedEntryOf(row: PlannedRow, fates: AnswersByLine): Entry {
  const fate = fates.get(row.line);
  return { ...importEntryOf(row), ...(fate && { seenUserId: fate.id }) };
}

/** Returns proposed usernames that the check found taken: outside the administrator's range, or new since. */
export const takenProposals = (rows: readonly PlannedRow[], fates: AnswersByLine): string[] =>
  rows
    .filter(({ named, line, externalId, username }) => {
      const fate = fates.get(line);
      const reason = fate?.username === username ? (fate.reason ?? '') : '';
      const isOther = externalId === null && reason.includes('somebody else');
      return named === 'new' && (isOther || /username .*is taken$/.test(reason));
    })
    .map(({ username }) => username);

/** `twice`: an earlier row means the same student; `awaiting`: the row's class must be added first. */
export type RowEffect = 'pending' | 'created' | 'updated' | 'unchanged' | 'awaiting' | 'conflict' | 'twice';

/** Sorts rows by their effect. Rows of missing classes wait if `canBeAdded` says so. */
export function rowEffectsOf(
  rows: readonly PlannedRow[],
  fates: AnswersByLine | null,
  canBeAdded: (named: NamedClass) => boolean = () => false,
): ReadonlyMap<PlannedRow, RowEffect> {
  const seen = new Set<number>();
  const sort = (row: PlannedRow): RowEffect => {
    if (row.unknownClass !== null && canBeAdded(row.unknownClass)) return 'awaiting';
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

/** Checks batches, and leaves out rows that repeat a student of an earlier batch. @throws the error of `sendBatch` */
export async function dryRunImport(
  { batches }: Pick<ImportBatches, 'batches'>,
  sendBatch: (batch: Entry[]) => Promise<Pick<ImportedStudents, 'details'>>,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (done: number) => void },
): Promise<AnswersByLine> {
  const fates = new Map<number, Answer>();
  const meant = new Set<number>();
  for (const part of batches) {
    const isTwice = ({ line }: PlannedRow) => meant.has(fates.get(line)?.id ?? -1);
    let [left, before] = [part, Number.POSITIVE_INFINITY];
    while (left.length > 0 && left.length < before) {
      signal.throwIfAborted();
      const { details } = await sendBatch(left.map(importEntryOf));
      for (const answer of details) {
        const row = left[answer.index];
        if (row) fates.set(row.line, answer);
      }
      before = left.length;
      left = left.filter((row) => !isTwice(row));
    }
    for (const { line } of left) {
      const { id = null } = fates.get(line) ?? {};
      if (id !== null) meant.add(id);
    }
    onProgress(fates.size);
  }
  return fates;
}
