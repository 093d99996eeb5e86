import { rangeOfRole, roles } from 'virtual:admin-contract';
import type { Administrator, Role } from '@classledger/contract';

/** Returns the roles that an administrator of this role may assign: all lower ones; for a super administrator all. */
export function grantableRoles(role: Role): readonly Role[] {
  return role === 'super_admin' ? roles : roles.slice(roles.indexOf(role) + 1);
}

export type Affiliation = Pick<Administrator, 'role' | 'schoolId' | 'gradeId' | 'classId'>;

/** Returns the role's range fields for the API. The server derives the grade of a class. */
export function affiliationFields({ role, schoolId, gradeId, classId }: Affiliation) {
  const range = rangeOfRole[role];
  return {
    role,
    ...(range !== 'everything' && { schoolId }),
    ...(range === 'grade' && { gradeId }),
    ...(range === 'class' && { classId }),
  };
}

/** Returns whether it has the school, grade or class that its role needs; false if that was deleted. */
export function isAffiliationComplete(affiliation: Affiliation): boolean {
  return !Object.values(affiliationFields(affiliation)).includes(null);
}

export function isSameAffiliation(one: Affiliation, other: Affiliation): boolean {
  return JSON.stringify(affiliationFields(one)) === JSON.stringify(affiliationFields(other));
}
