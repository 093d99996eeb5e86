import { mayDo, type Role, rangeOfRole, roles, type ScopeType } from '@classledger/contract';

/** Limits a caller to a school, a grade or a class. Each id is used once, so a deleted class covers nothing. */
export interface Range {
  readonly schoolId: number;
  readonly gradeId: number | null;
  readonly classId: number | null;
}

/** A school, a grade or a class. */
export type SchoolUnit = Range;

/** Returns whether all of a unit lies inside a range. `SchoolData` applies the same rule in SQL. */
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

/** Returns the roles that a role can manage: lower ones, or all for a super admin (docs/contract.md, Roles). */
export function managedRoles(role: Role): readonly Role[] {
  if (role === 'super_admin') return roles;
  return mayDo(role, 'manageAdministrators') ? roles.slice(roles.indexOf(role) + 1) : [];
}

/** After a deletion, counts the administrator of a class as one of the grade, and of a grade as one of the school. */
export function mayManage(manager: Responsibility, target: Responsibility): boolean {
  if (!managedRoles(manager.role).includes(target.role)) return false;
  const range = adminRange(manager);
  if (range === 'everything') return true;
  const { schoolId, gradeId, classId } = target;
  return range !== null && schoolId !== null && covers(range, { schoolId, gradeId, classId });
}
