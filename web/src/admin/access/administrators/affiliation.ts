import { rangeOfRole, roles } from 'virtual:admin-contract';
import type { Administrator, Role } from '@classledger/contract';

/** The roles that one of a role may give: the ones below the own; a super administrator every one. */
export function grantableRoles(role: Role): readonly Role[] {
  return role === 'super_admin' ? roles : roles.slice(roles.indexOf(role) + 1);
}

/** What an administrator is to be responsible for, while it is chosen. */
export interface Affiliation {
  readonly role: Role;
  readonly schoolId: number | null;
  readonly gradeId: number | null;
  readonly classId: number | null;
}

/** Whether everything that the role needs is chosen. */
export function isAffiliationComplete({ role, schoolId, gradeId, classId }: Affiliation): boolean {
  const range = rangeOfRole[role];
  if (range === 'everything') return true;
  if (schoolId === null) return false;
  return range === 'school' || (range === 'grade' ? gradeId !== null : classId !== null);
}

/** As the API takes it: a role names the parts that it has and no other. The grade of a class follows it. */
export function affiliationFields({ role, schoolId, gradeId, classId }: Affiliation) {
  const range = rangeOfRole[role];
  return {
    role,
    ...(range !== 'everything' && { schoolId }),
    ...(range === 'grade' && { gradeId }),
    ...(range === 'class' && { classId }),
  };
}

/** Whether what someone is responsible for has been deleted, so that nothing is left to do for them. */
export function isStranded({ role, gradeId, classId }: Affiliation): boolean {
  const range = rangeOfRole[role];
  return (range === 'grade' && gradeId === null) || (range === 'class' && classId === null);
}

/** Whether two say the same. */
export function isSameAffiliation(one: Affiliation, other: Affiliation): boolean {
  return JSON.stringify(affiliationFields(one)) === JSON.stringify(affiliationFields(other));
}

/** The affiliation that an administrator has. */
export function affiliationOf({ role, schoolId, gradeId, classId }: Administrator): Affiliation {
  return { role, schoolId, gradeId, classId };
}
