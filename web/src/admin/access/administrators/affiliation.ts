import type { Administrator, Role } from '@classledger/contract';

/** From the widest to the narrowest. */
export const allRoles = [
  'super_admin',
  'school_admin',
  'grade_admin',
  'class_admin',
] as const satisfies readonly Role[];

/** The roles that one of a role may give: the ones below the own; a super administrator every one. */
export function grantableRoles(role: Role): readonly Role[] {
  return role === 'super_admin' ? allRoles : allRoles.slice(allRoles.indexOf(role) + 1);
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
  if (role === 'super_admin') return true;
  if (schoolId === null) return false;
  return role === 'school_admin' || (role === 'grade_admin' ? gradeId !== null : classId !== null);
}

/** As the API takes it: a role names the parts that it has and no other. The grade of a class follows it. */
export function affiliationFields({ role, schoolId, gradeId, classId }: Affiliation) {
  return {
    role,
    ...(role !== 'super_admin' && { schoolId }),
    ...(role === 'grade_admin' && { gradeId }),
    ...(role === 'class_admin' && { classId }),
  };
}

/** Whether what someone is responsible for has been deleted, so that nothing is left to do for them. */
export function isStranded({ role, gradeId, classId }: Affiliation): boolean {
  return (role === 'grade_admin' && gradeId === null) || (role === 'class_admin' && classId === null);
}

/** Whether two say the same. */
export function isSameAffiliation(one: Affiliation, other: Affiliation): boolean {
  return JSON.stringify(affiliationFields(one)) === JSON.stringify(affiliationFields(other));
}

/** The affiliation that an administrator has. */
export function affiliationOf({ role, schoolId, gradeId, classId }: Administrator): Affiliation {
  return { role, schoolId, gradeId, classId };
}
