import type { ExternalOperation } from '@classledger/contract';
import { AppError, PermissionMissing } from '../app-error.ts';
import type { Credential } from './credential.ts';

/** What decides about a credential before anything that it names is looked at. */
export type Holder = Pick<Credential, 'permissions' | 'scopeType'>;

/** What an operation says about who may call it. */
export type Admitting = Pick<ExternalOperation, 'permission' | 'anyPermission' | 'scopeTypes'>;

/** The permissions that let a credential in, for people; null: it needs none. */
export const permissionsOf = ({ permission, anyPermission }: Admitting): string | null =>
  permission ?? anyPermission?.join(', ') ?? null;

/** Why a credential may not call an operation at all. */
export interface Refusal {
  readonly missing: 'permission' | 'scopeType';
  readonly error: AppError;
}

/**
 * Whether a credential may call an operation, for the door and for whoever tells of it beforehand: the permission first,
 * then the scope type (docs/contract.md, Order of checks).
 *
 * @returns null where it may
 */
export function refusalOf(
  { permission, anyPermission, scopeTypes }: Admitting,
  { permissions, scopeType }: Holder,
): Refusal | null {
  if (permission !== null && !permissions.has(permission)) {
    const error = new PermissionMissing(`The credential lacks the permission ${permission}`, permission);
    return { missing: 'permission', error };
  }
  if (anyPermission && !anyPermission.some((one) => permissions.has(one))) {
    const needed = anyPermission.join(' or ');
    const message = `The credential may read none of this: it lacks ${needed}`;
    return { missing: 'permission', error: new PermissionMissing(message, anyPermission.join(', ')) };
  }
  if (!scopeTypes.includes(scopeType)) {
    const error = new AppError('out_of_range', `A credential for one ${scopeType} may not do this`);
    return { missing: 'scopeType', error };
  }
  return null;
}
