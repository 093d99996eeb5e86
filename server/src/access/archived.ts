import { sql } from 'kysely';
import { type AppError, outOfRange, refusalWithReason } from '../errors/app-error.ts';
import type { LockedClass, SchoolData } from './school-data.ts';

/* Lock the class before these checks, so that no promotion runs in between (docs/contract.md, Archived). */

export const archivedError = (what: string): AppError =>
  refusalWithReason('archived', 'conflict', `${what} has graduated: archived data can only be read`);

export function findWriteError(
  classes: ReadonlyMap<number, LockedClass>,
  classId: number,
  what: string,
): AppError | null {
  const found = classes.get(classId);
  if (!found) return outOfRange(what);
  return found.archived ? archivedError(what) : null;
}

/** @throws AppError out_of_range, conflict */
export function requireWritable(
  classes: ReadonlyMap<number, LockedClass>,
  classId: number,
  what: string,
): void {
  const refusal = findWriteError(classes, classId, what);
  if (refusal) throw refusal;
}

/** Rejects archived data. The caller must have locked a class; a grade needs no lock. @throws AppError conflict */
export function requireNotArchived(found: { readonly archived: boolean }, what: string): void {
  if (found.archived) throw archivedError(what);
}

/** Expects the alias `g` for `grade`. */
export const isGradeArchived = sql<boolean>`(g.archived_at IS NOT NULL)`;

/** Returns the default filter: false hides archived data of a whole school; undefined shows all of a grade or class. */
export const defaultArchivedFilter = (
  { isWholeSchool }: SchoolData,
  { gradeId, classId }: { readonly gradeId?: number | undefined; readonly classId?: number | undefined },
): false | undefined => (isWholeSchool && gradeId === undefined && classId === undefined ? false : undefined);
