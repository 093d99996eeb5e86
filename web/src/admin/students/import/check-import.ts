import { limits } from 'virtual:contract';
import type { CheckedStudents } from '@classledger/contract';
import type { InputOf } from '../../../api/operation-types.ts';
import type { NamedClass } from '../../lists/class-names.ts';
import type { PlannedRow } from './plan-import.ts';

export type CheckAnswer = CheckedStudents['details'][number];
export type SkippedRow = NonNullable<NonNullable<InputOf<'startImport'>['body']>['skipped']>[number];
export type ImportEntry = NonNullable<InputOf<'startImport'>['body']>['batch'][number];

/** The server's answers, by line in the file. */
export type AnswersByLine = ReadonlyMap<number, CheckAnswer>;

/** Returns the import entry of a row. Fields that the list lacks stay unchanged. */
export const importEntryOf = ({
  line,
  externalId,
  cardNumber,
  username,
  actualName,
  isNamed,
  classId,
  disabled,
  named,
}: PlannedRow): ImportEntry => ({
  line,
  username,
  // Null makes the server refuse a proposed username that exists, instead of changing its student.
  ...(named === 'new' && { seenUserId: null }),
  ...(isNamed && { actualName }),
  ...(disabled !== null && { disabled }),
  ...(externalId !== null && { externalId }),
  ...(cardNumber !== null && { cardNumber }),
  ...(classId !== null && { classId }),
});

/** Returns the entry of a checked row. The server refuses it if the row would now change another student. */
export function checkedEntryOf(row: PlannedRow, outcomes: AnswersByLine): ImportEntry {
  const outcome = outcomes.get(row.line);
  return { ...importEntryOf(row), ...(outcome && { seenUserId: outcome.id }) };
}

/** Cuts a text to `max` characters, and removes those that a database cannot store. */
const storable = (text: string, max: number) =>
  Array.from(text.toWellFormed().replaceAll('\0', '')).slice(0, max).join('');

/** Returns a row that is not imported, for the list of the result. */
export const skippedRowOf = ({ line, username, actualName }: PlannedRow, reason: string): SkippedRow => ({
  line,
  username: storable(username, limits.nameLengthMax),
  actualName: storable(actualName, limits.nameLengthMax),
  reason: storable(reason, limits.descriptionLengthMax),
});

/** Returns proposed usernames that the server reported as taken, by new students or outside the user's range. */
export const takenUsernames = (rows: readonly PlannedRow[], outcomes: AnswersByLine): string[] =>
  rows
    .filter(({ named, line, externalId, username }) => {
      const outcome = outcomes.get(line);
      const reason = outcome?.username === username ? (outcome.reason ?? '') : '';
      const isOther = externalId === null && reason.includes('somebody else');
      return named === 'new' && (isOther || /username .*is taken$/.test(reason));
    })
    .map(({ username }) => username);

/** `awaiting`: the row's class must be added first. */
export type RowEffect = 'pending' | 'created' | 'updated' | 'unchanged' | 'awaiting' | 'conflict';

/** Returns the effect of each row. Rows of unknown classes are `awaiting` if `canBeAdded` returns true. */
export function rowEffectsOf(
  rows: readonly PlannedRow[],
  outcomes: AnswersByLine | null,
  canBeAdded: (named: NamedClass) => boolean = () => false,
): ReadonlyMap<PlannedRow, RowEffect> {
  const sort = (row: PlannedRow): RowEffect => {
    if (row.unknownClass !== null && canBeAdded(row.unknownClass)) return 'awaiting';
    if (row.problem !== null) return 'conflict';
    const outcome = outcomes?.get(row.line);
    return outcome ? (outcome.action ?? 'conflict') : 'pending';
  };
  return new Map(rows.map((row) => [row, sort(row)]));
}
