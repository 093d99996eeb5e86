import type { ImportedStudents } from '@classledger/contract';
import type { InputOf } from '../../../api/operation-types.ts';
import type { NamedClass } from '../../lists/class-names.ts';
import type { Cut } from './cut-rows.ts';
import type { PlannedRow } from './plan-import.ts';

export type Answer = ImportedStudents['details'][number];
type Body = NonNullable<InputOf<'importStudents'>['body']>;
export type Entry = Body['batch'][number];

/** What the server says about each row, by its line in the file; of who is not in the file, by the student's id. */
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
  named,
}: PlannedRow): Entry => ({
  username,
  // A proposed username is for somebody who is not there: it must never change somebody who has it.
  ...(named === 'new' && { seenUserId: null }),
  ...(isNamed && { actualName }),
  ...(disabled !== null && { disabled }),
  ...(externalId !== null && { externalId }),
  ...(cardNumber !== null && { cardNumber }),
  ...(classId !== null && { classId }),
});

/** The same for a row that was checked: it is done to whom the check found, or creates somebody where that was nobody. */
export function checkedEntryOf(row: PlannedRow, fates: Fates): Entry {
  const fate = fates.get(row.line);
  return { ...entryOf(row), ...(fate && { seenUserId: fate.id }) };
}

/** Proposed usernames that somebody has whom the list of students does not show: outside of the range, or new since. */
export const takenProposals = (rows: readonly PlannedRow[], fates: Fates): string[] =>
  rows
    .filter(({ named, line, externalId, username }) => {
      const fate = fates.get(line);
      // What the check said of the username before is not said of this one.
      const reason = fate?.username === username ? (fate.reason ?? '') : '';
      const isOther = externalId === null && reason.includes('somebody else');
      return named === 'new' && (isOther || /username .*is taken$/.test(reason));
    })
    .map(({ username }) => username);

/** What becomes of a row; `twice`: a row before it means the same student; `awaiting`: its class is to be added first. */
export type Sort = 'pending' | 'created' | 'updated' | 'unchanged' | 'awaiting' | 'conflict' | 'twice';

/** What becomes of each row. @param canBeAdded whether a class that the school lacks can be added */
export function sortRows(
  rows: readonly PlannedRow[],
  fates: Fates | null,
  canBeAdded: (named: NamedClass) => boolean = () => false,
): ReadonlyMap<PlannedRow, Sort> {
  const seen = new Set<number>();
  const sort = (row: PlannedRow): Sort => {
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

/**
 * Tries an import out, part by part: the server says what it would do, and does nothing. A part that means somebody whom one
 * before it means is tried once more without those rows: the run leaves them out, and with them what would follow.
 *
 * @param ask sends one part
 * @throws what `ask` throws, and where the signal aborts
 */
export async function tryOut(
  { parts }: Pick<Cut, 'parts'>,
  ask: (batch: Entry[]) => Promise<Pick<ImportedStudents, 'details'>>,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (done: number) => void },
): Promise<Fates> {
  const fates = new Map<number, Answer>();
  const meant = new Set<number>();
  for (const part of parts) {
    const isTwice = ({ line }: PlannedRow) => meant.has(fates.get(line)?.id ?? -1);
    let [left, before] = [part, Number.POSITIVE_INFINITY];
    while (left.length > 0 && left.length < before) {
      signal.throwIfAborted();
      const { details } = await ask(left.map(entryOf));
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
