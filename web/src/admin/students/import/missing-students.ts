import type { ListedStudent } from '@classledger/contract';
import type { AnswersByLine, ImportEntry } from './check-import.ts';
import type { PlannedRow, RowProblem } from './plan-import.ts';

export interface MissingStudentsChoice {
  readonly what: 'leave' | 'disable' | 'move';
  /** Target class of `move`; null until the user has chosen one. */
  readonly classId: number | null;
}

const coveredClasses = (rows: readonly PlannedRow[]): ReadonlySet<number> =>
  new Set(rows.flatMap(({ classId }) => classId ?? []));

/** A row with one of these problems may mean any student of its class. */
const ambiguousProblems: ReadonlySet<RowProblem> = new Set<RowProblem>([
  'numberRounded',
  'numberShort',
  'usernameMissing',
  'usernameTooLong',
  'usernameControl',
  'characterLost',
  'idUnusable',
]);

interface MissingStudentsResult {
  readonly missing: readonly ListedStudent[];
  readonly doubtful: readonly ListedStudent[];
}

/** Returns active students of the listed classes who are not in the list. Rows with errors count as in the list. */
export function missingStudents(
  students: readonly ListedStudent[],
  rows: readonly PlannedRow[],
  outcomes: AnswersByLine,
): MissingStudentsResult {
  const covered = coveredClasses(rows);
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
      problem !== null &&
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
