import { AppError, outOfRange } from '../errors/app-error.ts';
import type { LockedClass, SchoolData } from './school-data.ts';

/*
 * Graduating classes move to a new, archived grade: both APIs refuse changes to it, its classes and students. A writer
 * checks under the lock of the class, so that a concurrent promotion happens wholly before or wholly after. Reading,
 * exports and the erasure of personal data skip this check (docs/contract.md, Archived).
 */

/** Builds the error for a change to archived data. `what` is the subject of its message */
export const archivedRefusal = (what: string): AppError =>
  new AppError('conflict', `${what} has graduated: archived data can only be read`, null, null, {
    reason: 'archived',
  });

/** Returns why a locked class must not be written to, or null. `what` is the subject of the error message */
export function writeRefusal(
  classes: ReadonlyMap<number, LockedClass>,
  classId: number,
  what: string,
): AppError | null {
  const found = classes.get(classId);
  if (!found) return outOfRange(what);
  return found.archived ? archivedRefusal(what) : null;
}

/** Throws the error that `writeRefusal` returns. @throws AppError out_of_range, conflict */
export function requireWritable(
  classes: ReadonlyMap<number, LockedClass>,
  classId: number,
  what: string,
): void {
  const refusal = writeRefusal(classes, classId, what);
  if (refusal) throw refusal;
}

/**
 * Rejects archived data. Code that changes a class calls it under the lock of the class. A grade needs no lock, because
 * it never changes between archived and open.
 *
 * @throws AppError conflict
 */
export function requireNotArchived(found: { readonly archived: boolean }, what: string): void {
  if (found.archived) throw archivedRefusal(what);
}

interface PlaceFilter {
  readonly gradeId?: number | undefined;
  readonly classId?: number | undefined;
}

/** Returns the default `archived` filter: false hides archived data of a whole school; one grade or class shows all. */
export function defaultArchivedFilter(
  { range }: SchoolData,
  { gradeId, classId }: PlaceFilter,
): false | undefined {
  const isWholeSchool = range.gradeId === null && range.classId === null;
  return isWholeSchool && gradeId === undefined && classId === undefined ? false : undefined;
}
