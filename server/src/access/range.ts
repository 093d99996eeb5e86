import { type Role, rangeOfRole, type ScopeType } from '@classledger/contract';

/**
 * What a caller is responsible for: a whole school, one grade with its classes, or one class. A credential and
 * an administrator of the same range are the same to every rule. `classId` set: that class alone, whatever its
 * grade. Ids are never used twice, so the range of a deleted grade or class covers nothing.
 */
export interface Range {
  readonly schoolId: number;
  readonly gradeId: number | null;
  readonly classId: number | null;
}

/** Where something is: null for what belongs to the school, or the grade, as a whole. */
export interface Place {
  readonly schoolId: number;
  readonly gradeId: number | null;
  readonly classId: number | null;
}

/** Whether all of a place lies inside a range. The one decision that every range check comes down to. */
export function covers(range: Range, place: Place): boolean {
  if (range.schoolId !== place.schoolId) return false;
  if (range.classId !== null) return place.classId === range.classId;
  if (range.gradeId !== null) return place.gradeId === range.gradeId;
  return true;
}

/** The name of a range's width. */
export function scopeTypeOf(range: Range): ScopeType {
  if (range.classId !== null) return 'class';
  return range.gradeId !== null ? 'grade' : 'school';
}

export interface Responsibility {
  readonly role: Role;
  readonly schoolId: number | null;
  readonly gradeId: number | null;
  readonly classId: number | null;
}

/**
 * The range of an administrator: a super admin's is everything; null for a grade or class administrator whose
 * grade or class was deleted, who is responsible for nothing until a new one is given.
 */
export function adminRange(admin: Responsibility): Range | 'everything' | null {
  const width = rangeOfRole[admin.role];
  if (width === 'everything') return width;
  if (admin.schoolId === null) return null;
  const school = { schoolId: admin.schoolId, gradeId: null, classId: null };
  if (width === 'school') return school;
  if (width === 'grade') return admin.gradeId === null ? null : { ...school, gradeId: admin.gradeId };
  return admin.classId === null ? null : { ...school, classId: admin.classId };
}
