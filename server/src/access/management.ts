import { mayDo, type Role, roles } from '@classledger/contract';
import { adminRange, covers, type Responsibility } from './range.ts';

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
