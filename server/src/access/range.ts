import {
  type Duty,
  isTeaching,
  mayDo,
  type Role,
  rangeOfRole,
  roles,
  type ScopeType,
} from '@classledger/contract';

/** A school, a grade or a class. Each id is used once, so a deleted class covers nothing. */
export interface SchoolUnit {
  readonly schoolId: number;
  readonly gradeId: number | null;
  readonly classId: number | null;
}

/** Limits a caller to a school, a grade or a class, and to the classes that an administrator also teaches. */
export interface Range extends SchoolUnit {
  readonly taughtClassIds?: readonly number[];
}

/** Returns whether all of a unit lies inside a range. `SchoolData` applies the same rule in SQL. */
export function covers(range: Range, unit: SchoolUnit): boolean {
  if (range.schoolId !== unit.schoolId) return false;
  if (unit.classId !== null && range.taughtClassIds?.includes(unit.classId)) return true;
  return manages(range, unit);
}

/** Works like `covers`, without the classes that the administrator only teaches. */
export function manages(range: Range, unit: SchoolUnit): boolean {
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

/** A part of a school that holds nothing, because ids begin at 1. */
export const emptyUnit = (schoolId: number): SchoolUnit => ({ schoolId, gradeId: 0, classId: 0 });

/** Returns what an administrator manages; null after the grade or class of the role was deleted. */
export function adminRange(admin: Responsibility): Range | 'everything' | null {
  const width = rangeOfRole[admin.role];
  if (width === 'everything') return width;
  if (admin.schoolId === null) return null;
  if (width === 'nothing') return emptyUnit(admin.schoolId);
  const school = { schoolId: admin.schoolId, gradeId: null, classId: null };
  if (width === 'school') return school;
  if (width === 'grade') return admin.gradeId === null ? null : { ...school, gradeId: admin.gradeId };
  return admin.classId === null ? null : { ...school, classId: admin.classId };
}

/** Returns the range of a duty: for teaching duties, with the classes that the administrator teaches. */
export function rangeForDuty(
  admin: Responsibility & { readonly taughtClassIds: readonly number[] },
  duty: Duty,
): Range | 'everything' | null {
  const range = adminRange(admin);
  const { schoolId, taughtClassIds } = admin;
  if (range === 'everything' || schoolId === null || taughtClassIds.length === 0 || !isTeaching(duty))
    return range;
  if (range?.gradeId === null && range.classId === null) return range;
  return { ...(range ?? emptyUnit(schoolId)), taughtClassIds };
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
