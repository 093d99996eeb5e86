import { limits } from 'virtual:contract';
import type { CheckedStudents, ListedStudent } from '@classledger/contract';
import type { InputOf } from '../../../api/operation-types.ts';
import type { NamedClass } from '../../lists/class-names.ts';
import type { PlannedRow, RowProblem } from './plan-import.ts';

export type CheckAnswer = CheckedStudents['details'][number];
export type SkippedRow = NonNullable<NonNullable<InputOf<'startImport'>['body']>['skipped']>[number];
export type ImportEntry = NonNullable<InputOf<'startImport'>['body']>['batch'][number];

/** The server's answers, by line in the file. */
export type AnswersByLine = ReadonlyMap<number, CheckAnswer>;

export const importEntryOf = (row: PlannedRow): ImportEntry => ({
  line: row.line,
  username: row.username,
  // Null makes the server refuse a proposed username that exists, instead of changing its student.
  ...(row.named === 'new' && { seenUserId: null }),
  ...(row.isNamed && { actualName: row.actualName }),
  ...(row.disabled !== null && { disabled: row.disabled }),
  ...(row.externalId !== null && { externalId: row.externalId }),
  ...(row.cardNumber !== null && { cardNumber: row.cardNumber }),
  ...(row.classId !== null && { classId: row.classId }),
});

/** Returns the entry of a checked row. The server refuses it if the row would now change another student. */
export function checkedEntryOf(row: PlannedRow, outcomes: AnswersByLine): ImportEntry {
  const outcome = outcomes.get(row.line);
  return { ...importEntryOf(row), ...(outcome && { seenUserId: outcome.id }) };
}

/** Cuts a text to `max` characters, and removes those that a database cannot store. */
const storable = (text: string, max: number) =>
  Array.from(text.toWellFormed().replaceAll('\0', '')).slice(0, max).join('');

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

export interface MissingStudentsChoice {
  readonly what: 'leave' | 'disable' | 'move';
  /** Target class of `move`; null until the user has chosen one. */
  readonly classId: number | null;
}

/** A row with one of these problems may mean any student of its class. */
const ambiguousProblems: ReadonlySet<RowProblem | null> = new Set<RowProblem>([
  'numberRounded',
  'numberShort',
  'usernameMissing',
  'usernameTooLong',
  'usernameControl',
  'characterLost',
  'idUnusable',
]);

/** Returns active students of the listed classes who are not in the list. Rows with errors count as in the list. */
export function missingStudents(
  students: readonly ListedStudent[],
  rows: readonly PlannedRow[],
  outcomes: AnswersByLine,
): Readonly<Record<'missing' | 'doubtful', readonly ListedStudent[]>> {
  const covered = new Set(rows.flatMap(({ classId }) => classId ?? []));
  const ids = new Set([...outcomes.values()].map(({ id }) => id));
  const usernames = new Set(rows.map(({ username }) => username));
  const externalIds = new Set(rows.flatMap(({ externalId }) => externalId ?? []));
  const unnamed = students.filter(
    ({ id, username, externalId, classId, disabled, erased }) =>
      covered.has(classId) &&
      !disabled &&
      !erased &&
      !ids.has(id) &&
      !usernames.has(username) &&
      !(externalId !== null && externalIds.has(externalId)),
  );
  const mayBeIn = doubtfulStudentCheck(students, rows);
  return {
    missing: unnamed.filter((student) => !mayBeIn(student)),
    doubtful: unnamed.filter(mayBeIn),
  };
}

function doubtfulStudentCheck(
  students: readonly ListedStudent[],
  rows: readonly PlannedRow[],
): (student: ListedStudent) => boolean {
  const usernames = new Set(students.map(({ username }) => username));
  const externalIds = new Set(students.flatMap(({ externalId }) => externalId ?? []));
  const refused = rows.filter(({ problem }) => problem !== null);
  const names = new Set(refused.flatMap(({ isNamed, actualName }) => (isNamed ? actualName : [])));
  const unknown = refused.filter(
    ({ problem, username, externalId, isNamed }) =>
      ambiguousProblems.has(problem) &&
      !usernames.has(username) &&
      !(externalId !== null && externalIds.has(externalId)) &&
      // Ignores rows without username, external id and name, such as remarks.
      (username !== '' || externalId !== null || isNamed),
  );
  // A row without a class may mean any student of the listed classes.
  const classIds = new Set(unknown.map(({ classId }) => classId));
  return ({ classId, actualName }) => classIds.has(null) || classIds.has(classId) || names.has(actualName);
}

/** Returns the classes whose students are mostly missing: the list was hardly made for these classes. */
export function mostlyMissing(
  students: readonly ListedStudent[],
  missing: readonly ListedStudent[],
): ReadonlySet<number> {
  const active = Map.groupBy(
    students.filter(({ disabled }) => !disabled),
    ({ classId }) => classId,
  );
  const gone = Map.groupBy(missing, ({ classId }) => classId);
  return new Set(
    [...gone].flatMap(([classId, own]) =>
      own.length * 2 > (active.get(classId)?.length ?? 0) ? classId : [],
    ),
  );
}

/** Returns entries that disable or move students. The server refuses those whose class has changed since. */
export function missingEntries(
  missing: readonly ListedStudent[],
  choice: MissingStudentsChoice,
): ImportEntry[] {
  const { what, classId } = choice;
  const seen = ({ id, username, classId: seenClassId }: ListedStudent) => ({
    ...{ username, seenUserId: id, seenClassId, missing: true },
  });
  if (what === 'leave') return [];
  if (what === 'disable') return missing.map((student) => ({ ...seen(student), disabled: true }));
  if (classId === null) return [];
  return missing.flatMap((student) => (student.classId === classId ? [] : { ...seen(student), classId }));
}
