import { mayDo, type Role, roles } from '@classledger/contract';
import { adminRange, covers, type Place, type Responsibility } from './range.ts';

/**
 * The roles of the administrators that one of a role may manage: the ones below the own, of a super admin all.
 * Source: docs/contract.md, Roles.
 */
export function managedRoles(role: Role): readonly Role[] {
  if (role === 'super_admin') return roles;
  return mayDo(role, 'manageAdministrators') ? roles.slice(roles.indexOf(role) + 1) : [];
}

/**
 * Whether one administrator may read, change and delete another, and may make someone into such a one: a role
 * that it manages, responsible for a place inside its own range. What no one may do to themselves is decided in
 * the rules. One whose class was deleted still belongs to the grade, one whose grade was deleted to the school.
 */
export function mayManage(manager: Responsibility, target: Responsibility): boolean {
  if (!managedRoles(manager.role).includes(target.role)) return false;
  const range = adminRange(manager);
  if (range === 'everything') return true;
  const place = placeOf(target);
  return range !== null && place !== null && covers(range, place);
}

/** Where an administrator belongs, as far as it still exists; null for a super admin. */
function placeOf({ schoolId, gradeId, classId }: Responsibility): Place | null {
  return schoolId === null ? null : { schoolId, gradeId, classId };
}
