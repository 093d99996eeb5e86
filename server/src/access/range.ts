import { type Role, rangeOfRole, type ScopeType } from '@classledger/contract';

/** Limits a caller to a school, a grade or a class. Ids are never reused, so a deleted class covers nothing. */
export interface Range {
  readonly schoolId: number;
  readonly gradeId: number | null;
  readonly classId: number | null;
}

/** A school, a grade or a class. */
export type SchoolUnit = Range;

/** Returns whether all of a unit lies inside a range. `SchoolReads` applies the same rule in SQL. */
export function covers(range: Range, unit: SchoolUnit): boolean {
  if (range.schoolId !== unit.schoolId) return false;
  if (range.classId !== null) return unit.classId === range.classId;
  if (range.gradeId !== null) return unit.gradeId === range.gradeId;
  return true;
}

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

/** Returns the range of an administrator; null after the grade or class of the role was deleted. */
export function adminRange(admin: Responsibility): Range | 'everything' | null {
  const width = rangeOfRole[admin.role];
  if (width === 'everything') return width;
  if (admin.schoolId === null) return null;
  const school = { schoolId: admin.schoolId, gradeId: null, classId: null };
  if (width === 'school') return school;
  if (width === 'grade') return admin.gradeId === null ? null : { ...school, gradeId: admin.gradeId };
  return admin.classId === null ? null : { ...school, classId: admin.classId };
}
