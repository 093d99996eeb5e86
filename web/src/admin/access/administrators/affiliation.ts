import { rangeOfRole, roles } from 'virtual:admin-contract';
import type { Administrator, Role } from '@classledger/contract';

/**
 * Returns the roles that an administrator of this role may assign: all lower ones; for a super administrator all.
 * Only the school assigns subject teachers, because they belong to no grade.
 */
export function grantableRoles(role: Role): readonly Role[] {
  if (role === 'super_admin') return roles;
  const lower = roles.slice(roles.indexOf(role) + 1);
  return rangeOfRole[role] === 'school' ? lower : lower.filter((one) => rangeOfRole[one] !== 'nothing');
}

/** Returns the name with the username, because names are not unique. */
export const accountLabel = ({ name, username }: Pick<Administrator, 'name' | 'username'>): string =>
  name === null ? username : `${name} (${username})`;

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
