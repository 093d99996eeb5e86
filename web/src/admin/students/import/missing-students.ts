import type { ImportedStudents, ListedStudent } from '@classledger/contract';
import type { Answer, Entry, Fates } from './check-import.ts';
import { partsOf } from './cut-rows.ts';
import type { PlannedRow, RowProblem } from './plan-import.ts';

/** What becomes of students who are not in the list. */
export interface MissingChoice {
  readonly what: 'leave' | 'disable' | 'move';
  /** Where they are moved; null: not chosen yet. */
  readonly classId: number | null;
}

/** Classes that rows of a list are in: of these alone it says who is missing. */
const coveredClasses = (rows: readonly PlannedRow[]): ReadonlySet<number> =>
  new Set(rows.flatMap(({ classId }) => classId ?? []));

/** Of a row with one of these nobody knows whom it means: it may be anybody of its class. */
const unknowable: ReadonlySet<RowProblem> = new Set<RowProblem>([
  'numberRounded',
  'numberShort',
  'usernameMissing',
  'usernameTooLong',
  'usernameControl',
  'characterLost',
  'idUnusable',
]);

interface Missing {
  readonly missing: readonly ListedStudent[];
  /** Those who may be meant by rows of which nobody knows whom they mean: they are not offered as missing. */
  readonly doubtful: readonly ListedStudent[];
}

/**
 * Students of the classes of a list who are not in it. Whom a row names that cannot be imported is in it all the same; who is
 * disabled already has left before.
 */
export function missingStudents(
  students: readonly ListedStudent[],
  rows: readonly PlannedRow[],
  fates: Fates,
): Missing {
  const covered = coveredClasses(rows);
  const ids = new Set([...fates.values()].map(({ id }) => id));
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
  const mayBeIn = doubtsOf(students, rows);
  return {
    missing: unnamed.filter((student) => !mayBeIn(student)),
    doubtful: unnamed.filter(mayBeIn),
  };
}

/** Whether a row may mean a student although it has another username, or none. */
function doubtsOf(
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
      unknowable.has(problem) &&
      !usernames.has(username) &&
      !(externalId !== null && externalIds.has(externalId)) &&
      // A row without any of these is a remark.
      (username !== '' || externalId !== null || isNamed),
  );
  // A row without a class may mean somebody of each.
  const classIds = new Set(unknown.map(({ classId }) => classId));
  return ({ classId, actualName }) => classIds.has(null) || classIds.has(classId) || names.has(actualName);
}

/** What is asked for those who are missing, each in the class of which the list tells; nothing where they are left. */
export function missingEntries(missing: readonly ListedStudent[], choice: MissingChoice): Entry[] {
  const { what, classId } = choice;
  const seen = ({ id, username, classId: seenClassId }: ListedStudent) => ({
    ...{ username, seenUserId: id, seenClassId },
  });
  if (what === 'leave') return [];
  if (what === 'disable') return missing.map((student) => ({ ...seen(student), disabled: true }));
  if (classId === null) return [];
  return missing.flatMap((student) => (student.classId === classId ? [] : { ...seen(student), classId }));
}

/**
 * Tries out what is asked for students who are not in a list: the server says what it would do, and does nothing.
 *
 * @param ask sends one part
 * @returns what it says of each, by the student's id
 * @throws what `ask` throws, and where the signal aborts
 */
export async function tryOutMissing(
  entries: readonly Entry[],
  ask: (batch: Entry[]) => Promise<Pick<ImportedStudents, 'details'>>,
  signal: AbortSignal,
): Promise<Fates> {
  const fates = new Map<number, Answer>();
  for (const part of partsOf(entries)) {
    signal.throwIfAborted();
    const { details } = await ask([...part]);
    for (const answer of details) {
      const id = part[answer.index]?.seenUserId;
      if (typeof id === 'number') fates.set(id, answer);
    }
  }
  return fates;
}
