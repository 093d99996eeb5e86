import { AppError, outOfRange } from '../app-error.ts';
import type { LockedClass, SchoolData } from './school-data.ts';

/*
 * A grade that has graduated is archived, with its classes and their students: whatever would change them is refused, at both
 * doors. Here is decided what that is; who writes asks under the lock of the class, so that a promotion beside it is wholly before
 * or wholly after. Reading, exports and the erasure of personal data do not ask (docs/contract.md, Archived).
 */

/** @param what as the subject of a sentence */
export const archivedRefusal = (what: string): AppError =>
  new AppError('conflict', `${what} has graduated: what is archived can only be read`, null, null, {
    reason: 'archived',
  });

/**
 * Why something in a class must not be written to by whoever has locked it; null where it may.
 *
 * @param classes as `SchoolData.lockClasses` tells of them
 * @param what as the subject of a sentence
 */
export function refusalIn(
  classes: ReadonlyMap<number, LockedClass>,
  classId: number,
  what: string,
): AppError | null {
  const found = classes.get(classId);
  if (!found) return outOfRange(what);
  return found.archived ? archivedRefusal(what) : null;
}

/** The same for rules that have nothing else to do. @throws AppError out_of_range, conflict */
export function requireWritable(
  classes: ReadonlyMap<number, LockedClass>,
  classId: number,
  what: string,
): void {
  const refusal = refusalIn(classes, classId, what);
  if (refusal) throw refusal;
}

/**
 * For what is archived from its beginning or never, such as a grade: no lock is needed to ask.
 *
 * @throws AppError conflict
 */
export function requireOpen(found: { readonly archived: boolean }, what: string): void {
  if (found.archived) throw archivedRefusal(what);
}

/** What narrows a list or a sum to a part of the school. */
interface PlaceFilter {
  readonly gradeId?: number | undefined;
  readonly classId?: number | undefined;
}

/**
 * Whether lists and sums show what is archived, where nobody said which they want: the school of today is without it. A range or
 * a filter that is of one grade or class means just that one.
 *
 * @returns false: they leave it out; undefined: they show everything
 */
export function archivedToday({ range }: SchoolData, { gradeId, classId }: PlaceFilter): false | undefined {
  const isWholeSchool = range.gradeId === null && range.classId === null;
  return isWholeSchool && gradeId === undefined && classId === undefined ? false : undefined;
}
